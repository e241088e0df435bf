package system

import (
	"context"
	"time"
)

// AwaitSample reports when the hand-written Article of the samples is live.
func (s *System) AwaitSample(ctx context.Context) {
	const bound = 30 * time.Second
	ctx, cancel := context.WithTimeout(ctx, bound+10*time.Second)
	defer cancel()
	_, err := s.Cluster.Kubectl(ctx, nil, "wait", "--for=condition=Published", "--timeout="+bound.String(),
		"-f", s.config("samples", "article.yaml"))
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.Say("the hand-written article is not published yet; `kubectl get articles -n %s -o wide` says why", Workspace)
		return
	}
	url, err := s.Cluster.Kubectl(ctx, nil, "get", "-f", s.config("samples", "article.yaml"), "-o", "jsonpath={.status.publication.url}")
	if err != nil {
		s.Say("the hand-written article is published, and cannot be read: %v", err)
		return
	}
	s.Say("the hand-written article of the samples is live: %s", url)
}
