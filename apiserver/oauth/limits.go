package oauth

import (
	"cmp"
	"context"
	"fmt"
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
// if too many were given lately.
func (g *Grants) takeRoom(
	ctx context.Context, oauthClient *v1alpha1.OAuthClient, r GrantRequest, name string,
) ([]*middleware.Place, error) {
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
	now := g.store.Clock.Now()
	toClient := func(grant *v1alpha1.OAuthGrant) bool { return grant.GivenTo(oauthClient) }
	open := func(grant *v1alpha1.OAuthGrant) bool { return toClient(grant) && mayOpen(grant, now) }
	of := account + "/" + r.Person + " " + oauthClient.Name
	var places []*middleware.Place
	for _, room := range []struct {
		name, person string
		most         int64
		counts       func(*v1alpha1.OAuthGrant) bool
		refused      error
	}{
		{"open " + of, r.Person, 1, open, ErrTooManyGrants},
		{"stored " + of, r.Person, storedGrants, toClient, ErrTooOften},
		{"all " + account, "", accountGrants, func(*v1alpha1.OAuthGrant) bool { return true }, ErrTooOften},
	} {
		place, err := g.rooms.Take(ctx, middleware.Room{
			Name: room.name, Most: room.most * limits.MostGrants(),
			Count: func(ctx context.Context) (int64, error) { return g.count(ctx, account, room.person, room.counts) },
			Seen:  func() bool { return g.sees(ctx, name) },
		}, 1)
		if place == nil {
			release(places)
			return nil, cmp.Or(err, room.refused)
		}
		places = append(places, place)
	}
	return places, nil
}

// settle keeps places for a grant that may have been created, and gives them back otherwise.
func settle(places []*middleware.Place, err error) {
	if err != nil && !problem.IsUnavailable(err) {
		release(places)
		return
	}
	for _, place := range places {
		place.Keep()
	}
}

func release(places []*middleware.Place) {
	for _, place := range places {
		place.Release()
	}
}

// count counts some of the grants of a person, or of everybody if person is empty.
func (g *Grants) count(ctx context.Context, account, person string, counts func(*v1alpha1.OAuthGrant) bool) (n int64, err error) {
	all, err := g.given(ctx, account, person)
	for i := range all {
		if counts(&all[i]) {
			n++
		}
	}
	return n, err
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
