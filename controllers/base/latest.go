package base

import (
	"context"
	"errors"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// RequireLatest returns a conflict if the article has been written or deleted since the cache saw it.
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

// CacheBehind returns the conflict for an object that differs from the cached one. The watch reports its newer state.
func CacheBehind(resource, name string) error {
	return apierrors.NewConflict(v1alpha1.GroupVersion.WithResource(resource).GroupResource(), name, errors.New("the cache is behind"))
}
