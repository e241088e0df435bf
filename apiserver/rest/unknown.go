package rest

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	utilcache "k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

const (
	// missingFor is how long an article counts as missing after kube-apiserver did not have it, unless the index has it before.
	missingFor = 2 * time.Second
	// missingSize bounds how many missing articles are remembered.
	missingSize = 10_000
	// unknownPerSecond and unknownAtOnce bound the articles of one account that kube-apiserver is asked about because the index does
	// not have them. An article that another replica has just created is one of them.
	unknownPerSecond = 10
	unknownAtOnce    = 100
)

// unknown looks up articles that the index does not have: anybody can make up uids, and all accounts share the replica's requests to
// kube-apiserver.
type unknown struct {
	articles *articles
	missing  *utilcache.LRUExpireCache
	lookups  *middleware.Throttle
	flights  singleflight.Group
}

func newUnknown(a *articles, c clock.Clock) *unknown {
	return &unknown{
		articles: a, missing: utilcache.NewLRUExpireCacheWithClock(missingSize, c),
		lookups: middleware.NewThrottle(c, unknownPerSecond, unknownAtOnce),
	}
}

// admit returns an APIError if kube-apiserver may not be asked about an article.
func (u *unknown) admit(account string, key client.ObjectKey) error {
	if _, missing := u.missing.Get(key); missing {
		return problem.NotFound("article")
	}
	if wait := u.lookups.Take(account); wait > 0 {
		return problem.TooManyRequests(wait)
	}
	return nil
}

// get reads an article from kube-apiserver, once for all that ask at the same time.
func (u *unknown) get(ctx context.Context, account string, key client.ObjectKey) (*v1alpha1.Article, error) {
	if err := u.admit(account, key); err != nil {
		return nil, err
	}
	return share(ctx, &u.flights, key.String(), func(ctx context.Context) (*v1alpha1.Article, error) { return u.read(ctx, key) })
}

func (u *unknown) read(ctx context.Context, key client.ObjectKey) (*v1alpha1.Article, error) {
	a, err := u.articles.get(ctx, key)
	if apierrors.IsNotFound(err) {
		u.missing.Add(key, true, missingFor)
	}
	return a, err
}
