package controllers

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// connect reads the Secrets that an attempt to reach a site needs. It returns a *lifecycle.BlockedError if a required one is missing.
// They are read at each attempt, so that a rotated one counts at once.
func (b *Base) connect(ctx context.Context, http *http.Client, site *v1alpha1.Site, c publish.Connection) (publish.Target, error) {
	target := publish.Target{Site: site, Secrets: publish.Secrets{}, HTTP: http, PlainHTTP: b.PlainHTTP, Clock: b.Clock}
	for _, ref := range c.Secrets {
		value, err := b.Secrets.Value(ctx, site.Namespace, ref.SecretKeyReference)
		if ref.Optional && isBlocked(err) {
			continue
		}
		if err != nil {
			return publish.Target{}, err
		}
		target.Secrets[ref.SecretKeyReference] = value
	}
	return target, nil
}
