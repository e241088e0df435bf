package base

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// RequireLatest returns a conflict if the article has been written since the cache saw it, or is gone.
func (b *Base) RequireLatest(ctx context.Context, a *v1alpha1.Article) error {
	live := &v1alpha1.Article{}
	err := b.Live.Get(ctx, client.ObjectKeyFromObject(a), live)
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("reading the article live: %w", err)
	}
	if live.ResourceVersion != a.ResourceVersion || live.UID != a.UID {
		return CacheBehind("articles", a.Name)
	}
	return nil
}

// CacheBehind is the conflict of an object that is not, or no longer, as the cache shows it. The watch reports its newer state.
func CacheBehind(resource, name string) error {
	return apierrors.NewConflict(v1alpha1.GroupVersion.WithResource(resource).GroupResource(), name, errors.New("the cache is behind"))
}
