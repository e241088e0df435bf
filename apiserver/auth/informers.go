package auth

import (
	"context"
	"fmt"
	"slices"

	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// CacheByObject configures a cache for the kinds that a Lookup reads: keys, clients, grants and accounts.
func CacheByObject() map[client.Object]cache.ByObject {
	strip := lifecycle.StripObject
	return map[client.Object]cache.ByObject{
		&v1alpha1.APIKey{}:      {Transform: strip},
		&v1alpha1.OAuthClient{}: {Transform: strip},
		&v1alpha1.OAuthGrant{}:  {Transform: strip},
		&v1alpha1.Account{}:     {Transform: strip},
	}
}

// Register starts the informers of a cache. It does not wait for them: HasSynced reports when they are done.
func (l *Lookup) Register(ctx context.Context, informers cache.Informers) error {
	var synced []toolscache.InformerSynced
	for object := range CacheByObject() {
		informer, err := informers.GetInformer(ctx, object, cache.BlockUntilSynced(false))
		if err != nil {
			return fmt.Errorf("getting the informer of %T: %w", object, err)
		}
		synced = append(synced, informer.HasSynced)
	}
	l.synced.Store(&synced)
	return nil
}

// HasSynced reports whether the cache holds everything that existed when the informers started.
func (l *Lookup) HasSynced() bool {
	all := l.synced.Load()
	return all != nil && !slices.ContainsFunc(*all, func(synced toolscache.InformerSynced) bool { return !synced() })
}
