package article

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
)

// requireLatestSite returns a conflict if the spec of a site has changed since the cache saw it, or the site is gone. Watches of
// different kinds have no order, so an article that is created together with a change of its site may be seen before that change. The
// watch of the site puts the article back into the queue.
func requireLatestSite(ctx context.Context, b *base.Base, site *v1alpha1.Site) error {
	live := &v1alpha1.Site{}
	err := b.Live.Get(ctx, client.ObjectKeyFromObject(site), live)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("reading the site live: %w", err)
	}
	if live.UID != site.UID || live.Generation != site.Generation {
		return base.CacheBehind("sites", site.Name)
	}
	return nil
}
