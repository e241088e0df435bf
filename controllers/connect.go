package controllers

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// connect reads the Secrets that an attempt to reach a site needs, or returns what keeps the attempt from starting. They are
// read at each attempt, so that a rotated one counts at once.
func (b *Base) connect(
	ctx context.Context, http *http.Client, site *v1alpha1.Site, c publish.Connection,
) (publish.Target, lifecycle.Obstacle, error) {
	target := publish.Target{Site: site, Secrets: publish.Secrets{}, HTTP: http, Clock: b.Clock}
	for _, ref := range c.Secrets {
		value, missing, err := secretValue(ctx, b.Live, site.Namespace, ref.SecretKeyReference)
		if err != nil || missing.Reason != "" && !ref.Optional {
			return publish.Target{}, missing, err
		}
		if missing.Reason == "" {
			target.Secrets[ref.SecretKeyReference] = value
		}
	}
	return target, lifecycle.Obstacle{}, nil
}
