// Package people says who has signed in to the pages, and what they may do and hand on. It asks the API server each time:
// pages are few, and a right that was taken away must be gone at once.
package people

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/session"
)

// ErrGone says that nobody is behind a session any more: the key, the account or the membership has ended.
var ErrGone = errors.New("the session opens nothing any more")

// KeyPrefix begins the id of who has signed in with an API key. No e-mail address begins with it.
const KeyPrefix = "api-key:"

// Person is who has signed in.
type Person struct {
	// ID under which consents are recorded: an e-mail address, or api-key: and the id of the key.
	ID string
	// Name as people know it. It is not unique.
	Name string
	// Account that they act for, and AccountName as people know it.
	Account, AccountName string
	// Scopes that they have, in their order.
	Scopes []v1alpha1.Scope
	// Workspaces that they are limited to; empty for all of the account.
	Workspaces []string
}

// Directory finds people. Its methods may be called from any goroutine.
type Directory struct {
	// Live reads from the API server.
	Live client.Reader
	// Namespace is the system namespace, in which API keys live.
	Namespace string
	Clock     clock.PassiveClock
}

// Find returns who is behind a session, or ErrGone.
func (d Directory) Find(ctx context.Context, s session.Session) (Person, error) {
	if s.KeyID != "" {
		return d.byKey(ctx, s.KeyID)
	}
	return d.byMembership(ctx, s)
}

func (d Directory) byKey(ctx context.Context, id string) (Person, error) {
	key := &v1alpha1.APIKey{}
	err := d.Live.Get(ctx, client.ObjectKey{Namespace: d.Namespace, Name: id}, key)
	if apierrors.IsNotFound(err) {
		return Person{}, ErrGone
	}
	if err != nil {
		return Person{}, fmt.Errorf("reading the API key: %w", err)
	}
	over := key.Spec.ExpiresAt != nil && !d.Clock.Now().Before(key.Spec.ExpiresAt.Time)
	if over || !key.DeletionTimestamp.IsZero() {
		return Person{}, ErrGone
	}
	account, err := d.account(ctx, key.Spec.AccountRef.Name)
	if err != nil {
		return Person{}, err
	}
	p := personOf(account)
	p.ID, p.Name, p.Workspaces = KeyPrefix+key.Name, key.Spec.DisplayName, key.Spec.Workspaces
	if p.Name == "" {
		p.Name = p.ID
	}
	p.Scopes = inOrder(key.Spec.Scopes)
	return p, nil
}

func (d Directory) byMembership(ctx context.Context, s session.Session) (Person, error) {
	if s.Account == "" {
		return Person{}, ErrGone
	}
	account, err := d.account(ctx, s.Account)
	if err != nil {
		return Person{}, err
	}
	scopes, _ := rights(account, s.Email, s.Groups)
	if len(scopes) == 0 {
		return Person{}, ErrGone
	}
	p := personOf(account)
	// One person, however the issuer writes the address today.
	p.ID, p.Name, p.Scopes = lower(s.Email), s.Email, scopes
	return p, nil
}

func (d Directory) account(ctx context.Context, name string) (*v1alpha1.Account, error) {
	account := &v1alpha1.Account{}
	err := d.Live.Get(ctx, client.ObjectKey{Name: name}, account)
	if apierrors.IsNotFound(err) {
		return nil, ErrGone
	}
	if err != nil {
		return nil, fmt.Errorf("reading the account: %w", err)
	}
	if !account.DeletionTimestamp.IsZero() {
		return nil, ErrGone
	}
	return account, nil
}

func personOf(account *v1alpha1.Account) Person {
	p := Person{Account: account.Name, AccountName: account.Spec.DisplayName}
	if p.AccountName == "" {
		p.AccountName = account.Name
	}
	return p
}

// inOrder returns the known scopes among some, from the least to the most.
func inOrder(scopes []v1alpha1.Scope) []v1alpha1.Scope {
	var sorted []v1alpha1.Scope
	for _, s := range []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove} {
		if slices.Contains(scopes, s) {
			sorted = append(sorted, s)
		}
	}
	return sorted
}
