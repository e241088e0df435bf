package oauth

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// accountIndex is the cache's index of clients by the account that has registered them.
const accountIndex = "account"

// IndexClients makes the index by which CountClients counts, once for each cache.
func IndexClients(ctx context.Context, indexer client.FieldIndexer) error {
	err := indexer.IndexField(ctx, &v1alpha1.OAuthClient{}, accountIndex, func(o client.Object) []string {
		if c, ok := o.(*v1alpha1.OAuthClient); ok && c.Spec.AccountRef != nil {
			return []string{c.Spec.AccountRef.Name}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("indexing clients: %w", err)
	}
	return nil
}

// CountClients returns how many clients an account has registered, by what the informers have seen.
func (s Store) CountClients(ctx context.Context, account string) (int64, error) {
	var own v1alpha1.OAuthClientList
	err := s.Cache.List(ctx, &own, client.UnsafeDisableDeepCopy, client.MatchingFields{accountIndex: account})
	if err != nil {
		return 0, fmt.Errorf("counting clients: %w", err)
	}
	return int64(len(own.Items)), nil
}

// CountsClient reports whether CountClients has a client.
func (s Store) CountsClient(ctx context.Context, name string) bool {
	return s.Cache.Get(ctx, client.ObjectKey{Name: name}, &v1alpha1.OAuthClient{}, client.UnsafeDisableDeepCopy) == nil
}

const (
	// storedGrants is how many times the grants that a person may give a client at the same time are stored at most, with those that have
	// ended, and accountGrants how many times as many an account has.
	storedGrants, accountGrants = 3, 500
	// grantBytes is about what a grant writes, in bytes: when it is given, exchanged and revoked, and its condition.
	grantBytes = 4 * 4 << 10
)

// consentRate is that of the grants that an account gives.
var consentRate = middleware.Rate{PerSecond: 1, AtOnce: 30}

// takeRoom takes room for another grant. It returns ErrTooManyGrants if the person has as many for the client as they may, and ErrTooOften
// if too many were given lately. An account has one room for all of its limits: while a grant is being created, it counts against each.
func (g *Grants) takeRoom(
	ctx context.Context, oauthClient *v1alpha1.OAuthClient, r GrantRequest, name string,
) (*middleware.Place, error) {
	if g.store.Limits == nil {
		return nil, nil
	}
	account := r.AccountRef.Name
	limits, err := g.store.Limits(ctx, account)
	if err != nil {
		return nil, err
	}
	if g.consents.Take(account) > 0 || g.store.Written.Take(account, grantBytes, limits.MostWrittenBytesPerMinute()) > 0 {
		return nil, ErrTooOften
	}
	var refused error
	place, err := g.rooms.Take(ctx, middleware.Room{
		Name: account, Most: 0,
		Count: func(ctx context.Context) (int64, error) {
			left, closest, err := g.left(ctx, oauthClient, r, limits)
			refused = closest
			return -left, err
		},
		Seen: func() bool { return g.sees(ctx, name) },
	}, 1)
	if place == nil {
		return nil, cmp.Or(err, refused)
	}
	return place, nil
}

// left returns how many more grants the limits allow, and the error of the limit that allows the fewest.
func (g *Grants) left(
	ctx context.Context, oauthClient *v1alpha1.OAuthClient, r GrantRequest, limits v1alpha1.AccountLimits,
) (int64, error, error) {
	all, err := g.given(ctx, r.AccountRef.Name, "")
	if err != nil {
		return 0, nil, err
	}
	most := limits.MostGrants()
	var open, stored int64
	now := g.store.Clock.Now()
	for i := range all {
		if grant := &all[i]; grant.Spec.Person == r.Person && grant.GivenTo(oauthClient) {
			stored++
			if mayOpen(grant, now) {
				open++
			}
		}
	}
	left, refused := most-open, ErrTooManyGrants
	if others := min(storedGrants*most-stored, accountGrants*most-int64(len(all))); others < left {
		left, refused = others, ErrTooOften
	}
	if apps := limits.MostOAuthClients() - otherApps(oauthClient, all); oauthClient.DocumentURL() != "" && apps < left {
		left, refused = apps, ErrTooManyApps
	}
	return left, refused, nil
}

// otherApps returns how many other clients with a metadata document have a grant. One host can have any number of documents, so an account
// gives access to as many at most as it may register clients.
func otherApps(oauthClient *v1alpha1.OAuthClient, grants []v1alpha1.OAuthGrant) int64 {
	names := map[string]struct{}{}
	for i := range grants {
		if name := grants[i].Spec.ClientRef.Name; strings.HasPrefix(name, v1alpha1.DocumentClientPrefix) && name != oauthClient.Name {
			names[name] = struct{}{}
		}
	}
	return int64(len(names))
}

// settle keeps the place of a grant that may have been created, and gives it back otherwise.
func settle(place *middleware.Place, err error) {
	if err != nil && !problem.IsUnavailable(err) {
		place.Release()
		return
	}
	place.Keep()
}

// sees reports whether the cache has a grant.
func (g *Grants) sees(ctx context.Context, name string) bool {
	ctx = context.WithoutCancel(ctx)
	return g.store.Cache.Get(ctx, client.ObjectKey{Name: name}, &v1alpha1.OAuthGrant{}, client.UnsafeDisableDeepCopy) == nil
}

// mayOpen reports whether a grant has a token that works, or a code that can still be exchanged for one.
func mayOpen(grant *v1alpha1.OAuthGrant, now time.Time) bool {
	waits := grant.Status.RedemptionTime == nil && grant.Status.RevocationTime == nil && now.Before(grant.Spec.ExpirationTime.Time)
	return waits || auth.TokenValid(grant, now)
}
