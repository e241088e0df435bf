package auth

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/readthrough"
)

const (
	// missingFor is how long an object counts as missing after kube-apiserver did not have it. An object that is created
	// within that time works as soon as the informer has seen it.
	missingFor = 2 * time.Second
	// missesPerSecond and missesAtOnce are the flood budget of a Lookup.
	missesPerSecond = 50
	missesAtOnce    = 500
	// everybody shares the flood budget: nobody knows yet who sends an unknown credential.
	everybody = ""
)

var (
	// ErrUnavailable means that kube-apiserver could not be asked about a credential.
	ErrUnavailable = errors.New("credentials cannot be checked at the moment")
	// ErrFlood means that kube-apiserver was not asked, because the flood budget is used up. It wraps ErrUnavailable.
	ErrFlood = fmt.Errorf("too many unknown credentials: %w", ErrUnavailable)
)

// Lookup reads the objects behind credentials: from the informers' cache, and from kube-apiserver if the cache does not have
// them yet. A replica has one, and its methods may be called from any goroutine.
//
// Anybody can make up well-formed credentials, so a Lookup has one flood budget for keys, tokens, codes, clients and accounts
// together: kube-apiserver is asked about 500 unknown objects at once and 50 a second after that. While the budget is used up,
// reads of objects that the cache does not have fail with ErrFlood. Objects that the cache has, and objects that kube-apiserver
// turns out to have, never take from the budget.
type Lookup struct {
	// cache reads what the informers have seen, and live from kube-apiserver, each time in a bounded time.
	cache, live client.Reader
	clock       clock.PassiveClock
	unknown     *readthrough.Cache[string, client.Object]
	misses      *middleware.Throttle
	// synced has the HasSynced functions of the informers; nil until they are registered.
	synced atomic.Pointer[[]toolscache.InformerSynced]
}

// NewLookup returns a Lookup with a full budget. Register makes its cache hold what it reads.
func NewLookup(cache, live client.Reader, c clock.PassiveClock) *Lookup {
	misses := middleware.NewThrottle(c, missesPerSecond, missesAtOnce)
	unknown := readthrough.Options[client.Object]{MissingFor: missingFor, Clock: c, Misses: misses}
	return &Lookup{cache: cache, live: live, clock: c, unknown: readthrough.New[string](unknown), misses: misses}
}

// Key returns an API key, or nil if there is none. As all objects of a Lookup it is shared: read it only.
func (l *Lookup) Key(ctx context.Context, name string) (*v1alpha1.APIKey, error) {
	return get[v1alpha1.APIKey](ctx, l, name)
}

// Client returns an OAuth client, or nil if there is none.
func (l *Lookup) Client(ctx context.Context, name string) (*v1alpha1.OAuthClient, error) {
	return get[v1alpha1.OAuthClient](ctx, l, name)
}

// Grant returns a grant, or nil if there is none.
func (l *Lookup) Grant(ctx context.Context, name string) (*v1alpha1.OAuthGrant, error) {
	return get[v1alpha1.OAuthGrant](ctx, l, name)
}

// ReadGrant returns a grant as kube-apiserver has it now, or nil if there is none. It is the caller's own, for a
// compare-and-swap. While the budget is used up, grants that the cache has are still read. If what the cache has refutes the credential,
// for example by the hash of another secret, kube-apiserver is not asked: anyone who knows the id of a grant could make as many requests
// as they like.
func (l *Lookup) ReadGrant(
	ctx context.Context, name string, refuted func(cached *v1alpha1.OAuthGrant) bool,
) (*v1alpha1.OAuthGrant, error) {
	key, grant := client.ObjectKey{Name: name}, &v1alpha1.OAuthGrant{}
	switch cached := l.cache.Get(ctx, key, grant, client.UnsafeDisableDeepCopy) == nil; {
	case cached && refuted(grant):
		return nil, nil
	case !cached && l.misses.Wait(everybody) > 0:
		return nil, ErrFlood
	}
	grant = &v1alpha1.OAuthGrant{}
	err := l.live.Get(ctx, key, grant)
	if apierrors.IsNotFound(err) {
		l.misses.Take(everybody)
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the grant: %w: %w", ErrUnavailable, err)
	}
	return grant, nil
}

// Account returns an account, or nil if there is none or it is being deleted. It may lack its status.
func (l *Lookup) Account(ctx context.Context, name string) (*v1alpha1.Account, error) {
	account, err := get[v1alpha1.Account](ctx, l, name)
	if err != nil || account == nil || !account.DeletionTimestamp.IsZero() {
		return nil, err
	}
	return account, nil
}

// Gone reports whether the cache has seen the end of an object that was deleted.
func (l *Lookup) Gone(ctx context.Context, o client.Object) bool {
	cached, ok := o.DeepCopyObject().(client.Object)
	err := l.cache.Get(ctx, client.ObjectKeyFromObject(o), cached)
	return !ok || apierrors.IsNotFound(err) || err == nil && (cached.GetUID() != o.GetUID() || !cached.GetDeletionTimestamp().IsZero())
}

// objectOf is a pointer to a kind.
type objectOf[T any] interface {
	*T
	client.Object
}

// get reads an object from the cache, or live if the cache does not have it.
func get[T any, O objectOf[T]](ctx context.Context, l *Lookup, name string) (O, error) {
	found := O(new(T))
	if err := l.cache.Get(ctx, client.ObjectKey{Name: name}, found, client.UnsafeDisableDeepCopy); err == nil {
		return found, nil
	}
	return Refresh(ctx, l, name, "", func(O) bool { return true })
}

// Refresh reads an object past the cache, for a credential that is newer than the cached copy, and once for all requests that want the same
// version at the same time. It returns nil if the object is not as wanted; then it counts as missing for this version, which must be a
// function of the credential.
func Refresh[T any, O objectOf[T]](ctx context.Context, l *Lookup, name, version string, wanted func(O) bool) (O, error) {
	id := fmt.Sprintf("%T %s %s", O(nil), name, version)
	found, err := l.unknown.Get(ctx, everybody, id, func(ctx context.Context) (client.Object, error) {
		live := O(new(T))
		err := l.live.Get(ctx, client.ObjectKey{Name: name}, live)
		if err == nil && !wanted(live) {
			err = apierrors.NewNotFound(schema.GroupResource{}, name)
		}
		return live, err
	})
	if _, flood := errors.AsType[*readthrough.FloodError](err); flood {
		return nil, ErrFlood
	}
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	object, _ := found.(O)
	return object, nil
}
