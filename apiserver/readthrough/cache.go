// Package readthrough answers from memory what was read before, and reads the rest once for all that ask at the same time.
package readthrough

import (
	"context"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilcache "k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/utils/clock"
	"k8s.io/utils/lru"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
)

// missingSize bounds how many missing objects a Cache remembers.
const missingSize = 10_000

// Options configure a Cache.
type Options[V any] struct {
	// Cost of a value, and the most that all of them may cost: those that were used last are kept. Without Cost no value is kept.
	Cost func(V) int64
	Most int64
	// MissingFor is how long an object that does not exist counts as missing. If it is zero, that is not remembered.
	MissingFor time.Duration
	// Clock forgets missing objects.
	Clock clock.PassiveClock
	// Misses bounds what each asker may ask for that does not exist; it may be nil. Objects that exist take nothing from it.
	Misses *middleware.Throttle
}

// FloodError is returned instead of a read if the budget of the asker is used up.
type FloodError struct {
	// Wait until the asker may ask for more.
	Wait time.Duration
	// AtOnce is how much an asker may ask for that does not exist, and Window is the time in which all of it comes back.
	AtOnce int
	Window time.Duration
}

// Error says why nothing was read.
func (e *FloodError) Error() string { return "too many requests for what does not exist" }

// Cache keeps what was read, and remembers what does not exist. Its methods may be called from any goroutine.
type Cache[K comparable, V any] struct {
	options Options[V]
	missing *utilcache.LRUExpireCache
	flights singleflight.Group

	// mu is held while values are added or removed, and total is what those that are kept cost.
	mu    sync.Mutex
	kept  *lru.Cache
	total int64
}

// New returns an empty Cache.
func New[K comparable, V any](o Options[V]) *Cache[K, V] {
	c := &Cache[K, V]{options: o, missing: utilcache.NewLRUExpireCacheWithClock(missingSize, o.Clock)}
	const entries = 0 // no limit: the cost is one
	c.kept = lru.NewWithEvictionFunc(entries, func(_ lru.Key, removed any) {
		value, _ := removed.(V)
		c.total -= o.Cost(value)
	})
	return c
}

// Get returns the value of a key that is kept, or reads it. All that ask for a key at the same time wait for one read, which does not end
// with the context of one of them. If read returns an error for which apierrors.IsNotFound is true, it is returned again for some time.
func (c *Cache[K, V]) Get(ctx context.Context, asker string, key K, read func(context.Context) (V, error)) (V, error) {
	if found, ok := c.Kept(key); ok {
		return found, nil
	}
	var none V
	if err := c.admit(asker, key); err != nil {
		return none, err
	}
	detached := context.WithoutCancel(ctx)
	flight := c.flights.DoChan(fmt.Sprintf("%#v", key), func() (any, error) {
		found, err := read(detached)
		c.remember(asker, key, found, err)
		return found, err
	})
	select {
	case <-ctx.Done():
		return none, ctx.Err()
	case result := <-flight:
		found, _ := result.Val.(V)
		return found, result.Err
	}
}

// admit returns an error if a key must not be read: it was missing a moment ago, or the asker has asked for too much that is.
func (c *Cache[K, V]) admit(asker string, key K) error {
	if found, ok := c.missing.Get(key); ok {
		err, _ := found.(error)
		return err
	}
	if c.options.Misses != nil {
		if wait := c.options.Misses.Wait(asker); wait > 0 {
			atOnce, window := c.options.Misses.Quota()
			return &FloodError{wait, atOnce, window}
		}
	}
	return nil
}

func (c *Cache[K, V]) remember(asker string, key K, found V, err error) {
	switch {
	case err == nil:
		c.Keep(key, found)
	case apierrors.IsNotFound(err):
		if c.options.MissingFor > 0 {
			c.missing.Add(key, err, c.options.MissingFor)
		}
		if c.options.Misses != nil {
			c.options.Misses.Take(asker)
		}
	}
}

// Kept returns the value of a key, if it is kept.
func (c *Cache[K, V]) Kept(key K) (found V, ok bool) {
	kept, ok := c.kept.Get(key)
	found, _ = kept.(V)
	return found, ok
}

// Keep keeps a value that was not read by Get.
func (c *Cache[K, V]) Keep(key K, value V) {
	if c.options.Cost == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept.Remove(key)
	c.kept.Add(key, value)
	c.total += c.options.Cost(value)
	for c.total > c.options.Most {
		c.kept.RemoveOldest()
	}
}
