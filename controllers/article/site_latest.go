package article

import (
	"context"
	"fmt"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
)

// requireLatestSite returns a conflict if the site was deleted, or its spec was changed, since the cache saw it. Watches of different
// kinds have no common order, so the cache may have an article before a change of its site that was made earlier. The watch of the site
// puts the article back into the queue.
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
