// Package lookup finds the objects that stand behind credentials: in the informers' cache, and live what that does not have
// yet, without letting who makes ids up reach the API server as often as they like (design, section 4).
package lookup

import (
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/singleflight"
	"golang.org/x/time/rate"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilcache "k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

const (
	// liveTimeout bounds one question to the API server.
	liveTimeout = 5 * time.Second
	// missingFor is how long the API server's word that there is no such object is believed. An object that comes
	// within that time works as soon as the informer has seen it.
	missingFor = 2 * time.Second
	// missingSize bounds how many such words are remembered.
	missingSize = 10_000
	// missesPerSecond and missesAtOnce bound how many unknown ids the API server is asked about: anybody can make
	// well-formed credentials. Ids that it knows do not count.
	missesPerSecond = 50
	missesAtOnce    = 500
)

var (
	// ErrUnavailable says that nothing is known of an object, because the API server could not be asked.
	ErrUnavailable = errors.New("credentials cannot be checked at the moment")
	// ErrFlood says that it was not asked, because of late too much was asked for that does not exist. ErrUnavailable is in it.
	ErrFlood = fmt.Errorf("too many unknown credentials: %w", ErrUnavailable)
)

// Options say where objects are read from.
type Options struct {
	// Cache reads what the informers have seen.
	Cache client.Reader
	// Live reads from the API server.
	Live client.Reader
	// Clock forgets what was missing.
	Clock clock.PassiveClock
}

// Lookup reads objects from the cache, and live what the cache does not have. Its methods may be called from any goroutine.
type Lookup struct {
	cache, live client.Reader
	clock       clock.PassiveClock
	flights     singleflight.Group
	missing     *utilcache.LRUExpireCache
	misses      *rate.Limiter
}

// New returns a Lookup that remembers nothing yet.
func New(o Options) *Lookup {
	return &Lookup{
		cache: o.Cache, live: o.Live, clock: o.Clock,
		missing: utilcache.NewLRUExpireCacheWithClock(missingSize, o.Clock),
		misses:  rate.NewLimiter(missesPerSecond, missesAtOnce),
	}
}

// Get returns the object of into's kind with this key, nil where there is none. It is shared: read it only.
func (l *Lookup) Get(ctx context.Context, key client.ObjectKey, into client.Object) (client.Object, error) {
	if err := l.cache.Get(ctx, key, into, client.UnsafeDisableDeepCopy); err == nil {
		return into, nil
	}
	return l.Live(ctx, key, into, "", func(client.Object) bool { return true })
}

// Live is Get past the cache, for an object that the cache has in an older state than the credential tells of. An object
// that is not as wanted counts as missing; version tells apart, for one object, what is wanted of it.
func (l *Lookup) Live(
	ctx context.Context, key client.ObjectKey, into client.Object, version string, wanted func(client.Object) bool,
) (client.Object, error) {
	id := fmt.Sprintf("%T %s %s", into, key, version)
	if _, known := l.missing.Get(id); known {
		return nil, nil
	}
	if l.misses.TokensAt(l.clock.Now()) < 1 {
		return nil, ErrFlood
	}
	flight := l.flights.DoChan(id, func() (any, error) { return l.ask(ctx, id, key, into, wanted) })
	select {
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, ctx.Err())
	case result := <-flight:
		object, _ := result.Val.(client.Object)
		return object, result.Err
	}
}

// ask asks the API server. Others may wait for the answer, so it does not end with the context of the one who asked.
func (l *Lookup) ask(
	ctx context.Context, id string, key client.ObjectKey, into client.Object, wanted func(client.Object) bool,
) (client.Object, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), liveTimeout)
	defer cancel()
	err := l.live.Get(ctx, key, into)
	switch {
	case err == nil && wanted(into):
		return into, nil
	case err == nil, apierrors.IsNotFound(err):
		l.missing.Add(id, true, missingFor)
		l.misses.AllowN(l.clock.Now(), 1)
		return nil, nil
	default:
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
}
