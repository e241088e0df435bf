package system

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/hack/dev/ports"
)

// applyCustomer applies the account, workspace, signing secret and site of the samples.
func (s *System) applyCustomer(ctx context.Context) error { return s.applySamples(ctx, false) }

// applyArticles applies the articles of the samples. It comes after the receiver has started.
func (s *System) applyArticles(ctx context.Context) error { return s.applySamples(ctx, true) }

// applySamples applies the objects of config/samples one after another: the articles, or the others. A sample of an earlier run that a
// person has changed, or that is published and therefore frozen, stays as it is.
func (s *System) applySamples(ctx context.Context, articles bool) error {
	text, err := s.Cluster.Kubectl(ctx, nil, "kustomize", s.config("samples"))
	if err != nil {
		return err
	}
	// The receiver may listen on another port than the sample says.
	text = strings.ReplaceAll(text, ports.URL(ports.From(ports.Default).Receiver), s.ReceiverURL())
	for manifest := range strings.SplitSeq(text, "\n---\n") {
		if strings.Contains(manifest, "\nkind: Article\n") != articles {
			continue
		}
		if err := s.applySample(ctx, manifest); err != nil {
			return err
		}
	}
	return nil
}

// applySample applies one object. If that is refused and the object exists, it stays as it is.
func (s *System) applySample(ctx context.Context, manifest string) error {
	_, refusal := s.Cluster.Kubectl(ctx, strings.NewReader(manifest), "apply", "--server-side", fieldManager, "-f", "-")
	if refusal == nil {
		return nil
	}
	found, err := s.Cluster.Kubectl(ctx, strings.NewReader(manifest), "get", "--ignore-not-found", "-o", "name", "-f", "-")
	if err != nil || found == "" {
		return errors.Join(refusal, err)
	}
	s.Say("%s stays as you have made it: the sample of that name is not applied", strings.TrimSpace(found))
	return nil
}

// awaitLedger waits until the account has a ledger, which the controller makes once it leads. Without one, REST answers 503.
func (s *System) awaitLedger(ctx context.Context) error {
	_, err := s.Cluster.Kubectl(ctx, nil, "wait", "--for=create", "--timeout=1m", "accountledgers.pressroom.dev/"+Account)
	return err
}

// AwaitSample reports when the hand-written Article of the samples is live.
func (s *System) AwaitSample(ctx context.Context) {
	const bound = 30 * time.Second
	sample := s.config("samples", "article.yaml")
	_, err := s.Cluster.Kubectl(ctx, nil, "wait", "--for=condition=Published", "--timeout="+bound.String(), "-f", sample)
	if err != nil {
		s.Say("the hand-written article is not published yet; `kubectl get articles -n %s -o wide` says why", Workspace)
		return
	}
	url, err := s.Cluster.Kubectl(ctx, nil, "get", "-f", sample, "-o", "jsonpath={.status.publication.url}")
	if err == nil {
		s.Say("the hand-written article of the samples is live: %s", url)
	}
}
