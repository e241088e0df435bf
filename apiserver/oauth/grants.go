package oauth

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/wait"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// The lifetimes of codes and tokens (docs/reference/contract.md, Limits).
const (
	// CodeLifetime is how long a code may be exchanged.
	CodeLifetime = 10 * time.Minute
	// TokenLifetime is how long a token works.
	TokenLifetime = 365 * 24 * time.Hour
)

// ErrUnknownGrant means that no grant has this name.
var ErrUnknownGrant = errors.New("unknown grant")

var (
	// ErrRepeated means that the form of a consent was sent before.
	ErrRepeated = errors.New("this consent was given already")
	// ErrTooManyGrants means that a person has given a client access as often as they may.
	ErrTooManyGrants = errors.New("the person has given the client access too often")
	// ErrTooManyApps means that an account has given access to as many clients with a metadata document as it may register clients.
	ErrTooManyApps = errors.New("the account has given too many clients with a metadata document access")
	// ErrTooOften means that a person or an account has given too much access lately.
	ErrTooOften = errors.New("too much access was given lately")
)

// GrantRequest is a consent of a person.
type GrantRequest struct {
	// Form identifies the form that was sent: it makes one grant, even if it is sent again on other replicas. If it is empty, each request
	// makes one.
	Form string
	// ClientID of the client.
	ClientID string
	// Client is what Clients.Open has returned a moment ago, if the client has a metadata document. It is stored if it is not yet.
	Client *v1alpha1.OAuthClient
	// OAuthGrantSpec is what the person gives. The client, the code and its end are added.
	v1alpha1.OAuthGrantSpec
}

// Grants are the consents that were given. Its methods may be called from any goroutine.
type Grants struct {
	store Store
	// Clients that grants are given to. Their lookup reads the grants too.
	Clients *Clients
	// rooms has one for what each account may give, and consents the rate at which it does.
	rooms    *middleware.Rooms
	consents *middleware.Throttle
}

// NewGrants returns the grants of a store, which are read through the lookup of the clients.
func NewGrants(s Store, c *Clients) *Grants {
	if s.Written == nil {
		s.Written = middleware.NewWritten(s.Clock)
	}
	return &Grants{s, c, middleware.NewRooms(), middleware.NewThrottle(s.Clock, consentRate.PerSecond, consentRate.AtOnce)}
}

// Create records a consent and returns its authorization code, which only the client may see. It checks the request once more:
// the client, its redirect URI and scopes, and PKCE if the client must use it. It returns ErrRepeated, ErrTooManyGrants, ErrTooManyApps or
// ErrTooOften if the person may not have this code.
func (g *Grants) Create(ctx context.Context, r GrantRequest) (code string, err error) {
	oauthClient := r.Client
	if oauthClient == nil {
		if oauthClient, err = g.Clients.Get(ctx, r.ClientID); err != nil {
			return "", err
		}
	}
	if err := check(oauthClient, r); err != nil {
		return "", err
	}
	c, err := credential.NewNamed(credential.AuthorizationCode, g.store.Cell, r.Form, rand.Reader)
	if err != nil {
		return "", fmt.Errorf("making a code: %w", err)
	}
	place, err := g.takeRoom(ctx, oauthClient, r, c.ID)
	if err != nil {
		return "", err
	}
	err = g.record(ctx, oauthClient, r, c)
	settle(place, err)
	if err != nil {
		return "", err
	}
	return c.Reveal(), nil
}

// record stores a grant, and before that its client if that has a metadata document and comes for the first time.
func (g *Grants) record(ctx context.Context, oauthClient *v1alpha1.OAuthClient, r GrantRequest, c credential.Credential) (err error) {
	if oauthClient.UID == "" {
		if oauthClient, err = g.Clients.Documents.register(ctx, oauthClient); err != nil {
			return err
		}
	}
	err = g.store.Client.Create(ctx, g.grant(oauthClient, r, c))
	if apierrors.IsAlreadyExists(err) {
		return ErrRepeated
	}
	if err != nil {
		return fmt.Errorf("recording the consent: %w", err)
	}
	return nil
}

// check returns an error if a client may not ask for this.
func check(oauthClient *v1alpha1.OAuthClient, r GrantRequest) error {
	if err := CheckRedirect(oauthClient, r.RedirectURI); err != nil {
		return err
	}
	if len(r.Scopes) == 0 {
		return errors.New("at least one scope must be granted")
	}
	for _, s := range r.Scopes {
		if !slices.Contains(oauthClient.Spec.Scopes, s) || !slices.Contains(grant.Scopes(), s) {
			return fmt.Errorf("the client may not ask for the scope %s", s)
		}
	}
	if oauthClient.Spec.Type == v1alpha1.OAuthClientPublic && r.CodeChallenge == "" {
		return errors.New("a public client must use PKCE")
	}
	if r.CodeChallenge != "" && !ValidChallenge(r.CodeChallenge) {
		return errors.New("the code challenge must be the base64url of a SHA-256")
	}
	return nil
}

// grant returns what is stored of a consent. Its name is the id of the code.
func (g *Grants) grant(oauthClient *v1alpha1.OAuthClient, r GrantRequest, code credential.Credential) *v1alpha1.OAuthGrant {
	spec := r.OAuthGrantSpec
	spec.ClientRef, spec.CodeHash = v1alpha1.LocalReference{Name: oauthClient.Name}, code.Hash()
	spec.ExpirationTime = v1alpha1.NewMicroTime(g.store.Clock.Now().Add(CodeLifetime))
	return &v1alpha1.OAuthGrant{
		ObjectMeta: metav1.ObjectMeta{
			Name: code.ID,
			// The grants of a client are deleted with it, and another client of its name never gets them.
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: v1alpha1.GroupVersion.String(), Kind: "OAuthClient", Name: oauthClient.Name, UID: oauthClient.UID,
			}},
		},
		Spec: spec,
	}
}

// List returns copies of the grants of an account that give access now, the newest first: those of one person, or of everybody if
// person is empty.
func (g *Grants) List(ctx context.Context, account, person string) ([]v1alpha1.OAuthGrant, error) {
	all, err := g.given(ctx, account, person)
	if err != nil {
		return nil, err
	}
	var found []v1alpha1.OAuthGrant
	for i := range all {
		if auth.TokenValid(&all[i], g.store.Clock.Now()) {
			found = append(found, *all[i].DeepCopy())
		}
	}
	slices.SortFunc(found, func(a, b v1alpha1.OAuthGrant) int {
		return cmp.Or(b.Status.RedemptionTime.Compare(a.Status.RedemptionTime.Time), cmp.Compare(a.Name, b.Name))
	})
	return found, nil
}

// given returns the grants of a person, or of everybody if person is empty. They are shared with the cache.
func (g *Grants) given(ctx context.Context, account, person string) ([]v1alpha1.OAuthGrant, error) {
	var all v1alpha1.OAuthGrantList
	err := g.store.Cache.List(ctx, &all, client.UnsafeDisableDeepCopy, client.MatchingFields{consentIndex: consentOf(account, person)})
	if err != nil {
		return nil, fmt.Errorf("listing grants: %w", err)
	}
	return all.Items, nil
}

// Revoke ends the token of a grant of an account, or its code if that was not exchanged yet. Revoking again changes nothing. It returns
// ErrUnknownGrant, also for a grant of another account, or an error that wraps ErrUnavailable.
func (g *Grants) Revoke(ctx context.Context, account, name string) error {
	if !credential.IsID(name) {
		return ErrUnknownGrant
	}
	grant := &v1alpha1.OAuthGrant{}
	err := g.store.Client.Get(ctx, types.NamespacedName{Name: name}, grant)
	if apierrors.IsNotFound(err) || err == nil && grant.Spec.AccountRef.Name != account {
		return ErrUnknownGrant
	}
	if err != nil {
		return fmt.Errorf("reading the grant: %w: %w", ErrUnavailable, err)
	}
	return g.revoke(ctx, grant)
}

// seenWithin and seenEvery bound how long a revocation waits until this replica's own lists have it.
const (
	seenWithin = 2 * time.Second
	seenEvery  = 20 * time.Millisecond
)

// AwaitRevoked waits until lists have a revocation, which is in force already. If it takes longer, they have it the next time.
func (g *Grants) AwaitRevoked(ctx context.Context, account, name string) {
	_ = wait.PollUntilContextTimeout(ctx, seenEvery, seenWithin, true, func(ctx context.Context) (bool, error) {
		listed, err := g.List(ctx, account, "")
		return !slices.ContainsFunc(listed, func(grant v1alpha1.OAuthGrant) bool { return grant.Name == name }), err
	})
}

// revoke marks a grant as revoked, whatever else is written to its status at the same time.
func (g *Grants) revoke(ctx context.Context, grant *v1alpha1.OAuthGrant) error {
	if grant.Status.RevocationTime != nil {
		return nil
	}
	old := grant.DeepCopy()
	grant.Status.RevocationTime = new(v1alpha1.NewMicroTime(g.store.Clock.Now()))
	err := g.store.Client.Status().Patch(ctx, grant, client.MergeFrom(old))
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("revoking the grant: %w: %w", ErrUnavailable, err)
	}
	return nil
}

// tokenOf reads an access token, and reports whether it has the form of one.
func tokenOf(given string) (credential.Credential, bool) {
	token, err := credential.Parse(given)
	return token, err == nil && token.Type == credential.AccessToken
}

// byToken returns the grant of a token as kube-apiserver has it, or nil if there is none.
func (g *Grants) byToken(ctx context.Context, given string) (*v1alpha1.OAuthGrant, error) {
	token, ok := tokenOf(given)
	if !ok {
		return nil, nil
	}
	grant, err := g.Clients.lookup.ReadGrant(ctx, token.ID, func(cached *v1alpha1.OAuthGrant) bool {
		// A code that was just redeemed has no token yet in the cache.
		return cached.Status.TokenHash != "" && !isToken(cached, token)
	})
	if err != nil || !isToken(grant, token) {
		return nil, err
	}
	return grant, nil
}
