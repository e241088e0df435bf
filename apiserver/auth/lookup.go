package auth

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

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

const (
	// liveTimeout bounds one read from kube-apiserver.
	liveTimeout = 5 * time.Second
	// missingFor is how long an object counts as missing after kube-apiserver did not have it. An object that is created
	// within that time works as soon as the informer has seen it.
	missingFor = 2 * time.Second
	// missingSize bounds how many missing objects are remembered.
	missingSize = 10_000
	// missesPerSecond and missesAtOnce are the flood budget of a Lookup.
	missesPerSecond = 50
	missesAtOnce    = 500
)

var (
	// ErrUnavailable means that kube-apiserver could not be asked about a credential.
	ErrUnavailable = errors.New("credentials cannot be checked at the moment")
	// ErrFlood means that kube-apiserver was not asked, because the flood budget is used up. It wraps ErrUnavailable.
	ErrFlood = fmt.Errorf("too many unknown credentials: %w", ErrUnavailable)
)

// LookupOptions configure a Lookup.
type LookupOptions struct {
	// Cache reads what the informers have seen.
	Cache client.Reader
	// Live reads from kube-apiserver.
	Live client.Reader
	// Clock refills the flood budget and forgets missing objects.
	Clock clock.PassiveClock
}

// Lookup reads the objects behind credentials: from the informers' cache, and from kube-apiserver if the cache does not have
// them yet. A replica has one, and its methods may be called from any goroutine.
//
// Anybody can make up well-formed credentials, so a Lookup has one flood budget for keys, tokens, codes, clients and accounts
// together: kube-apiserver is asked about 500 unknown objects at once and 50 a second after that. While the budget is used up,
// reads of objects that the cache does not have fail with ErrFlood. Objects that the cache has, and objects that kube-apiserver
// turns out to have, never take from the budget.
type Lookup struct {
	cache, live client.Reader
	clock       clock.PassiveClock
	flights     singleflight.Group
	missing     *utilcache.LRUExpireCache
	misses      *rate.Limiter
	informed
}

// NewLookup returns a Lookup with a full budget. Register makes its cache hold what it reads.
func NewLookup(o LookupOptions) *Lookup {
	return &Lookup{
		cache: o.Cache, live: o.Live, clock: o.Clock,
		missing: utilcache.NewLRUExpireCacheWithClock(missingSize, o.Clock),
		misses:  rate.NewLimiter(missesPerSecond, missesAtOnce),
	}
}

// Key returns an API key, or nil if there is none. As all objects of a Lookup it is shared: read it only.
func (l *Lookup) Key(ctx context.Context, name string) (*v1alpha1.APIKey, error) {
	return get(ctx, l, client.ObjectKey{Name: name}, &v1alpha1.APIKey{})
}

// Client returns an OAuth client, or nil if there is none.
func (l *Lookup) Client(ctx context.Context, name string) (*v1alpha1.OAuthClient, error) {
	return get(ctx, l, client.ObjectKey{Name: name}, &v1alpha1.OAuthClient{})
}

// Grant returns a grant, or nil if there is none.
func (l *Lookup) Grant(ctx context.Context, name string) (*v1alpha1.OAuthGrant, error) {
	return get(ctx, l, client.ObjectKey{Name: name}, &v1alpha1.OAuthGrant{})
}

// RefreshClient reads a client past the cache, for a credential that is newer than the cached copy. It returns nil if the
// client is not as wanted; then it counts as missing for this version, which must be a function of the credential.
func (l *Lookup) RefreshClient(
	ctx context.Context, name, version string, wanted func(*v1alpha1.OAuthClient) bool,
) (*v1alpha1.OAuthClient, error) {
	return refresh(ctx, l, client.ObjectKey{Name: name}, &v1alpha1.OAuthClient{}, version, wanted)
}

// RefreshGrant is RefreshClient for a grant.
func (l *Lookup) RefreshGrant(
	ctx context.Context, name, version string, wanted func(*v1alpha1.OAuthGrant) bool,
) (*v1alpha1.OAuthGrant, error) {
	return refresh(ctx, l, client.ObjectKey{Name: name}, &v1alpha1.OAuthGrant{}, version, wanted)
}

// ReadGrant returns a grant as kube-apiserver has it now, or nil if there is none. It is the caller's own, for a
// compare-and-swap. While the budget is used up, grants that the cache has are still read.
func (l *Lookup) ReadGrant(ctx context.Context, name string) (*v1alpha1.OAuthGrant, error) {
	key, grant := client.ObjectKey{Name: name}, &v1alpha1.OAuthGrant{}
	if l.flooded() && l.cache.Get(ctx, key, grant, client.UnsafeDisableDeepCopy) != nil {
		return nil, ErrFlood
	}
	grant = &v1alpha1.OAuthGrant{}
	err := l.live.Get(ctx, key, grant)
	if apierrors.IsNotFound(err) {
		l.misses.AllowN(l.clock.Now(), 1)
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the grant: %w: %w", ErrUnavailable, err)
	}
	return grant, nil
}

// Account returns an account, or nil if there is none or it is being deleted. It may lack its status.
func (l *Lookup) Account(ctx context.Context, name string) (*v1alpha1.Account, error) {
	account, err := get(ctx, l, client.ObjectKey{Name: name}, &v1alpha1.Account{})
	if err != nil || account == nil || !account.DeletionTimestamp.IsZero() {
		return nil, err
	}
	return account, nil
}

// flooded reports whether the flood budget is used up.
func (l *Lookup) flooded() bool { return l.misses.TokensAt(l.clock.Now()) < 1 }

// get reads an object from the cache, or live if the cache does not have it.
func get[T client.Object](ctx context.Context, l *Lookup, key client.ObjectKey, into T) (T, error) {
	if err := l.cache.Get(ctx, key, into, client.UnsafeDisableDeepCopy); err == nil {
		return into, nil
	}
	return refresh(ctx, l, key, into, "", func(T) bool { return true })
}

// refresh reads an object live, once for all requests that want the same version at the same time.
func refresh[T client.Object](
	ctx context.Context, l *Lookup, key client.ObjectKey, into T, version string, wanted func(T) bool,
) (none T, err error) {
	id := fmt.Sprintf("%T %s %s", into, key, version)
	if _, known := l.missing.Get(id); known {
		return none, nil
	}
	if l.flooded() {
		return none, ErrFlood
	}
	flight := l.flights.DoChan(id, func() (any, error) { return ask(ctx, l, id, key, into, wanted) })
	select {
	case <-ctx.Done():
		return none, fmt.Errorf("%w: %w", ErrUnavailable, ctx.Err())
	case result := <-flight:
		object, _ := result.Val.(T)
		return object, result.Err
	}
}

// ask reads an object from kube-apiserver. Other requests may wait for the answer, so it does not end with the context of the
// request that asked first.
func ask[T client.Object](
	ctx context.Context, l *Lookup, id string, key client.ObjectKey, into T, wanted func(T) bool,
) (none T, err error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), liveTimeout)
	defer cancel()
	err = l.live.Get(ctx, key, into)
	switch {
	case err == nil && wanted(into):
		return into, nil
	case err == nil, apierrors.IsNotFound(err):
		l.missing.Add(id, true, missingFor)
		l.misses.AllowN(l.clock.Now(), 1)
		return none, nil
	default:
		return none, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
}
