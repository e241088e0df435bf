package oauth

import (
	"context"
	"fmt"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
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

// checkLimit returns ErrTooManyGrants if a person has as many grants for a client as they may.
func (g *Grants) checkLimit(ctx context.Context, oauthClient *v1alpha1.OAuthClient, r GrantRequest) error {
	if g.store.Limits == nil {
		return nil
	}
	limits, err := g.store.Limits(ctx, r.AccountRef.Name)
	if err != nil {
		return err
	}
	all, err := g.given(ctx, r.AccountRef.Name, r.Person)
	if err != nil {
		return err
	}
	open, now := int64(0), g.store.Clock.Now()
	for i := range all {
		if grant := &all[i]; grant.GivenTo(oauthClient) && mayOpen(grant, now) {
			open++
		}
	}
	if open >= limits.MostGrants() {
		return ErrTooManyGrants
	}
	return nil
}

// mayOpen reports whether a grant has a token that works, or a code that can still be exchanged for one.
func mayOpen(grant *v1alpha1.OAuthGrant, now time.Time) bool {
	waits := grant.Status.RedemptionTime == nil && grant.Status.RevocationTime == nil && now.Before(grant.Spec.ExpirationTime.Time)
	return waits || auth.TokenValid(grant, now)
}
