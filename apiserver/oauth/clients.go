// Package oauth is the OAuth 2.0 authorization server: its clients, its grants, and the endpoints that apps call (RFC 6749,
// 7009, 7636, 7662, 8414 and 9728). The pages that people see are elsewhere. Nothing is kept but what is in OAuthClients
// and OAuthGrants, so any replica answers for any other.
package oauth

import (
	"context"
	"errors"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/lookup"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

var (
	// ErrUnknownClient says that there is no app of this id.
	ErrUnknownClient = errors.New("unknown client")
	// ErrPublic says that a public client has no secret.
	ErrPublic = errors.New("a public client has no secret")
	// ErrUnavailable says that nothing is known, because the API server could not be asked.
	ErrUnavailable = lookup.ErrUnavailable
)

// Store says where clients and grants are.
type Store struct {
	// Cache reads what the informers have seen.
	Cache client.Reader
	// Client reads from and writes to the API server, without a cache.
	Client client.Client
	// Namespace is the system namespace.
	Namespace string
	// Clock ends codes and tokens.
	Clock clock.PassiveClock
}

// Clients are the registered apps. Its methods may be called from any goroutine.
type Clients struct {
	namespace string
	lookup    *lookup.Lookup
}

// NewClients returns the apps of a store.
func NewClients(s Store) *Clients {
	return &Clients{namespace: s.Namespace, lookup: lookup.New(lookup.Options{Cache: s.Cache, Live: s.Client, Clock: s.Clock})}
}

// Get returns an app by its client id: from the cache, or live where the cache has not seen it yet. It returns
// ErrUnknownClient, or an error that ErrUnavailable is in. The object is shared: read it only.
func (c *Clients) Get(ctx context.Context, clientID string) (*v1alpha1.OAuthClient, error) {
	name, ok := ClientName(clientID)
	if !ok {
		return nil, ErrUnknownClient
	}
	found, err := c.lookup.Get(ctx, client.ObjectKey{Namespace: c.namespace, Name: name}, &v1alpha1.OAuthClient{})
	if err != nil {
		return nil, err
	}
	app, ok := found.(*v1alpha1.OAuthClient)
	if !ok || !app.DeletionTimestamp.IsZero() {
		return nil, ErrUnknownClient
	}
	return app, nil
}

// since returns an app whose secret is the one given, as the API server has it, where the cache has the app as it was before
// it got that secret. It returns ErrUnknownClient where the secret is none of the app's. What is made up is asked about
// only as often as ids that do not exist are.
func (c *Clients) since(ctx context.Context, seen *v1alpha1.OAuthClient, given string) (*v1alpha1.OAuthClient, error) {
	secret, err := credential.Parse(given)
	if seen == nil || err != nil || secret.Type != credential.ClientSecret {
		return nil, ErrUnknownClient
	}
	// Remembered by the secret, so that no made-up one hides the real one.
	found, err := c.lookup.Live(ctx, client.ObjectKeyFromObject(seen), &v1alpha1.OAuthClient{}, secret.Hash(),
		func(o client.Object) bool {
			app, ok := o.(*v1alpha1.OAuthClient)
			return ok && app.DeletionTimestamp.IsZero() && proven(app, given)
		})
	if err != nil {
		return nil, err
	}
	app, ok := found.(*v1alpha1.OAuthClient)
	if !ok {
		return nil, ErrUnknownClient
	}
	return app, nil
}

// hasAccount reports whether there is an account of this name, by the cache where it knows.
func (c *Clients) hasAccount(ctx context.Context, name string) (bool, error) {
	account := &metav1.PartialObjectMetadata{}
	account.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Account"))
	found, err := c.lookup.Get(ctx, client.ObjectKey{Name: name}, account)
	return found != nil && found.GetDeletionTimestamp().IsZero(), err
}

// ClientName returns the name of the object that a client id tells; false where no object can have it.
func ClientName(clientID string) (string, bool) {
	name, ok := strings.CutPrefix(clientID, v1alpha1.ClientIDPrefix)
	return name, ok && len(name) <= validation.DNS1123LabelMaxLength && len(validation.IsDNS1123Subdomain(name)) == 0
}
