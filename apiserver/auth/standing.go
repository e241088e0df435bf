package auth

import (
	"context"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// Rights returns what the token of a grant opens now, and false if it opens nothing: its token must be valid, its client usable, and
// the person who gave it must still hold what they gave. Everything but the token's end is read on each use, so that a right that was taken
// away is gone as soon as the informers see it.
func (l *Lookup) Rights(ctx context.Context, g *v1alpha1.OAuthGrant) (grant.Rights, bool, error) {
	if !TokenValid(g, l.clock.Now()) {
		return grant.Rights{}, false, nil
	}
	oauthClient, err := l.Client(ctx, g.Spec.ClientRef.Name)
	if err != nil || oauthClient == nil || !g.GivenTo(oauthClient) {
		return grant.Rights{}, false, err
	}
	if usable, err := l.Usable(ctx, oauthClient); err != nil || !usable {
		return grant.Rights{}, false, err
	}
	giver, err := l.giver(ctx, g)
	if err != nil {
		return grant.Rights{}, false, err
	}
	rights, _, valid := grant.Of(g, giver)
	return rights, valid && len(rights.Scopes) > 0, nil
}

// giver reads what a grant stands on.
func (l *Lookup) giver(ctx context.Context, g *v1alpha1.OAuthGrant) (giver grant.Giver, err error) {
	if giver.Account, err = l.Account(ctx, g.Spec.AccountRef.Name); err != nil {
		return grant.Giver{}, err
	}
	id, byKey := grant.KeyOf(g.Spec.Person)
	if !byKey {
		return giver, nil
	}
	key, err := l.Key(ctx, id)
	if err != nil {
		return grant.Giver{}, err
	}
	stands, err := l.stands(ctx, key, giver.Account)
	if stands {
		giver.Key = key
	}
	return giver, err
}

// Opens reports whether an API key opens its account now, for calls of the REST API and for the people who have signed in with it: it
// is the one that has the uid, has not expired, and stands. Either object is nil if it does not exist.
func (l *Lookup) Opens(ctx context.Context, key *v1alpha1.APIKey, uid types.UID, account *v1alpha1.Account) (bool, error) {
	if key == nil || key.UID != uid || !KeyValid(key, l.clock.Now()) {
		return false, nil
	}
	return l.stands(ctx, key, account)
}

// stands reports whether an API key exists and belongs to an account that exists, and whether the keys that have made it exist. It does
// not look at the expiration time: grants, apps and other keys that were made with a key go on after it has expired.
func (l *Lookup) stands(ctx context.Context, key *v1alpha1.APIKey, account *v1alpha1.Account) (bool, error) {
	if key == nil || !key.DeletionTimestamp.IsZero() {
		return false, nil
	}
	if account == nil || !account.DeletionTimestamp.IsZero() || !key.BelongsTo(account) {
		return false, nil
	}
	return l.makersStand(ctx, key.Spec.CreatedByRef, account.Name)
}

// maxMakers bounds how many keys may have made one another.
const maxMakers = 100

// makersStand reports whether the API key that something of an account was made with exists, and the key that made that one, and so on. The
// controller deletes what does not stand; until then it opens nothing. What a member or kubectl made stands on nothing.
func (l *Lookup) makersStand(ctx context.Context, made *v1alpha1.CreatorReference, account string) (bool, error) {
	for range maxMakers {
		id := made.APIKey()
		if id == "" {
			return true, nil
		}
		key, err := l.Key(ctx, id)
		if err != nil || key == nil || !key.DeletionTimestamp.IsZero() || key.Spec.AccountRef.Name != account {
			return false, err
		}
		made = key.Spec.CreatedByRef
	}
	return false, nil
}

// Usable reports whether a client is on: it is neither suspended nor being deleted, and the account that registered it and the
// key that it was registered with exist.
func (l *Lookup) Usable(ctx context.Context, c *v1alpha1.OAuthClient) (bool, error) {
	if c.Spec.Suspend || !c.DeletionTimestamp.IsZero() {
		return false, nil
	}
	if c.Spec.AccountRef == nil {
		return true, nil
	}
	account, err := l.Account(ctx, c.Spec.AccountRef.Name)
	if err != nil || account == nil || !c.BelongsTo(account) {
		return false, err
	}
	return l.makersStand(ctx, c.Spec.CreatedByRef, account.Name)
}
