package auth

import (
	"context"
	"fmt"
	"sync"

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

// informed holds the informers that feed the cache of a Lookup.
type informed struct {
	mu sync.Mutex
	// informers of the kinds that are registered, in their order.
	informers []cache.Informer
}

func kinds() []client.Object {
	return []client.Object{&v1alpha1.APIKey{}, &v1alpha1.Account{}, &v1alpha1.OAuthClient{}, &v1alpha1.OAuthGrant{}}
}

// Register starts the informers of a cache. It does not wait for them: HasSynced reports when they are done. After an error it
// may be called again.
func (i *informed) Register(ctx context.Context, informers cache.Informers) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, object := range kinds()[len(i.informers):] {
		informer, err := informers.GetInformer(ctx, object, cache.BlockUntilSynced(false))
		if err != nil {
			return fmt.Errorf("getting the informer of %T: %w", object, err)
		}
		i.informers = append(i.informers, informer)
	}
	return nil
}

// HasSynced reports whether the cache holds everything that existed when the informers started.
func (i *informed) HasSynced() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, informer := range i.informers {
		if !informer.HasSynced() {
			return false
		}
	}
	return len(i.informers) == len(kinds())
}
