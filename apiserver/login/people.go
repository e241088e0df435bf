package login

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/grant"
)

// ErrSignedOut means that nobody is signed in: there is no session, or its key, account or membership has ended.
var ErrSignedOut = errors.New("the session opens nothing any more")

// Person is who has signed in.
type Person struct {
	// ID under which consents are recorded: an e-mail address, or api-key: and the id of the key.
	ID string
	// KeyUID is the metadata.uid of the key that they have signed in with.
	KeyUID types.UID
	// Name for display. It is not unique.
	Name string
	// By is the name under which decisions are recorded. No API key can have that of a person or of another key.
	By string
	// ExpiresAt is when the key that they have signed in with ends; the zero time if it does not, or if they have none.
	ExpiresAt time.Time
	// Account that they act for, and its name for display.
	Account, AccountName string
	// Scopes that they have, in their order.
	Scopes []v1alpha1.Scope
	// Workspaces that they are limited to; empty for all of the account.
	Workspaces []string
	// CreditsPerDay is how many credits their API key may take in a UTC day; nil without a limit. LimitedKey is its id, and empty without a
	// limit.
	CreditsPerDay *int32
	LimitedKey    string
	// Opens are the workspaces that they may open now, by name.
	Opens []string
	// Groups of the person that the account names; a membership can rest on them.
	Groups []string
	// SessionID is the id of their session, to which forms are bound.
	SessionID string
}

// Principal is the person as a caller of the REST API.
func (p Person) Principal() auth.Principal {
	return auth.Principal{
		ID: p.ID, KeyUID: p.KeyUID, Account: p.Account, Name: p.By, Scopes: p.Scopes, Workspaces: p.Workspaces, ExpiresAt: p.ExpiresAt,
		CreditsPerDay: p.CreditsPerDay, LimitedKey: p.LimitedKey,
	}
}

// May reports whether the person has a scope.
func (p Person) May(s v1alpha1.Scope) bool { return slices.Contains(p.Scopes, s) }

// Directory finds people in API keys and Accounts. Who somebody is it reads from kube-apiserver each time: pages are few, and a right
// that was taken away must be gone at once. Its methods may be called from any goroutine.
type Directory struct {
	// Accounts reads a cache that has MembersIndex.
	Accounts client.Reader
	// Live reads from kube-apiserver.
	Live client.Reader
	// Keys says what a key opens.
	Keys *auth.Lookup
	// Workspaces returns the names of an account's workspaces, from memory.
	Workspaces func(account string) ([]string, error)
	// Issuer of OpenID Connect that signs people in now; empty if only API keys do. Sessions of another one have ended.
	Issuer string
}

// Find returns who is behind a session, or ErrSignedOut.
func (d Directory) Find(ctx context.Context, s Session) (Person, error) {
	p, err := d.person(ctx, s)
	if err != nil {
		return Person{}, err
	}
	workspaces, err := d.Workspaces(p.Account)
	if err != nil {
		return Person{}, fmt.Errorf("finding the workspaces of %s: %w", p.Account, err)
	}
	p.Opens = slices.DeleteFunc(workspaces, func(name string) bool { return !p.Principal().Opens(name) })
	return p, nil
}

func (d Directory) person(ctx context.Context, s Session) (Person, error) {
	if s.KeyID != "" {
		return d.byKey(ctx, s)
	}
	return d.byMembership(ctx, s)
}

func (d Directory) byKey(ctx context.Context, s Session) (Person, error) {
	key, account := &v1alpha1.APIKey{}, &v1alpha1.Account{}
	if err := d.read(ctx, s.KeyID, key); err != nil {
		return Person{}, err
	}
	if err := d.read(ctx, key.Spec.AccountRef.Name, account); err != nil {
		return Person{}, err
	}
	if opens, err := d.Keys.Opens(ctx, key, s.KeyUID, account); err != nil || !opens {
		return Person{}, cmp.Or(err, ErrSignedOut)
	}
	p := personOf(account)
	p.ID, p.KeyUID = grant.PersonOfKey(key.Name), key.UID
	p.Name, p.Workspaces = content.Label(key.Spec.DisplayName), key.Spec.Workspaces
	if limit := key.Spec.Limits.CreditsPerDay; limit != nil {
		p.CreditsPerDay, p.LimitedKey = limit, key.Name
	}
	p.By, p.ExpiresAt = auth.NameOfKey(key), ptr.Deref(key.Spec.ExpirationTime, v1alpha1.Time{}).Time
	p.Name = cmp.Or(p.Name, p.ID)
	p.Scopes = auth.SortScopes(key.Spec.Scopes)
	return p, nil
}

func (d Directory) byMembership(ctx context.Context, s Session) (Person, error) {
	// Another issuer can vouch for the same address as somebody else's.
	if s.Account == "" || s.Issuer != d.Issuer {
		return Person{}, ErrSignedOut
	}
	account := &v1alpha1.Account{}
	if err := d.read(ctx, s.Account, account); err != nil {
		return Person{}, err
	}
	scopes, named := rights(account, s.Email, s.Groups)
	if len(scopes) == 0 {
		return Person{}, ErrSignedOut
	}
	p := personOf(account)
	// In lower case, so that it is one person however the issuer writes the address.
	p.ID, p.Name, p.Scopes, p.Groups = strings.ToLower(s.Email), s.Email, scopes, named
	p.By = p.ID
	return p, nil
}

// read reads a key or an account. It returns ErrSignedOut if there is none, or if it is being deleted.
func (d Directory) read(ctx context.Context, name string, into client.Object) error {
	err := d.Live.Get(ctx, client.ObjectKey{Name: name}, into)
	if apierrors.IsNotFound(err) || (err == nil && !into.GetDeletionTimestamp().IsZero()) {
		return ErrSignedOut
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return nil
}

func personOf(account *v1alpha1.Account) Person {
	p := Person{Account: account.Name, AccountName: content.Label(account.Spec.DisplayName)}
	p.AccountName = cmp.Or(p.AccountName, account.Name)
	return p
}
