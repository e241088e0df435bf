// Package oauth is the OAuth 2.0 authorization server: its clients, its grants, and the endpoints that clients call (RFC 6749,
// 7009, 7636, 7662, 8414, 8707 and 9728). The pages that people see are in package consent. All state is in OAuthClients and
// OAuthGrants, so any replica can answer any request.
package oauth

import (
	"context"
	"errors"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/oauth/clientdocument"
	"github.com/pressroom-dev/pressroom/internal/credential"
)

var (
	// ErrUnknownClient means that no client has this id.
	ErrUnknownClient = errors.New("unknown client")
	// ErrSuspended means that a client is turned off, or that the account that registered it does not exist any more.
	ErrSuspended = errors.New("the client is suspended")
	// ErrPublic means that a public client has no secret.
	ErrPublic = errors.New("a public client has no secret")
	// ErrUnavailable means that kube-apiserver could not be asked.
	ErrUnavailable = auth.ErrUnavailable
)

// Store holds clients and grants.
type Store struct {
	// Cache reads what the informers have seen.
	Cache client.Reader
	// Client reads from and writes to kube-apiserver, without a cache, each time in a bounded time.
	Client client.Client
	// Cell is the code of the installation, with which codes and tokens begin.
	Cell credential.Cell
	// Clock ends codes and tokens.
	Clock clock.PassiveClock
	// Limits returns the limits of an account; nil if there are none.
	Limits func(ctx context.Context, account string) (v1alpha1.AccountLimits, error)
	// Written counts the bytes that accounts write; one of its own if it is nil.
	Written *middleware.Written
}

// Clients are the registered clients, and those that have a metadata document. Its methods may be called from any goroutine.
type Clients struct {
	// Documents makes clients of metadata documents; without it only registered clients are known. It is set before the first call.
	Documents *Documents

	lookup *auth.Lookup
}

// NewClients returns the clients that a lookup reads.
func NewClients(l *auth.Lookup) *Clients { return &Clients{lookup: l} }

// Get returns a client by its client id: from the cache, or live if the cache has not seen it yet. It returns ErrUnknownClient, also for
// a document that nobody has let in, ErrSuspended, or an error that wraps ErrUnavailable. It reads no document. The object is shared: read
// it only.
func (c *Clients) Get(ctx context.Context, clientID string) (*v1alpha1.OAuthClient, error) {
	name, ok := ClientName(clientID)
	if c.HasDocument(clientID) {
		name, ok = DocumentClientName(clientID), true
	}
	if !ok {
		return nil, ErrUnknownClient
	}
	found, err := c.Named(ctx, name)
	if err == nil && found.ClientID() != clientID {
		// A client with a document has the URL as its only id.
		return nil, ErrUnknownClient
	}
	return found, err
}

// HasDocument reports whether a client id is the URL of a metadata document, and such documents are read at all.
func (c *Clients) HasDocument(clientID string) bool {
	return c.Documents != nil && clientdocument.IsURL(clientID)
}

// Open is Get for a client with a metadata document that asks somebody of an account who is signed in for access. The document is read if
// it is not known or is too old. A client that nobody has let in yet has no uid. Besides the errors of Get it returns a
// *clientdocument.Error that says why the document cannot be used, or ErrTooManyDocuments.
func (c *Clients) Open(ctx context.Context, clientID, account, person string) (*v1alpha1.OAuthClient, error) {
	if !c.HasDocument(clientID) {
		return nil, ErrUnknownClient
	}
	return c.Documents.open(ctx, clientID, account, person)
}

// Named is Get for a client by the name of its object.
func (c *Clients) Named(ctx context.Context, name string) (*v1alpha1.OAuthClient, error) {
	found, err := c.lookup.Client(ctx, name)
	if err != nil {
		return nil, err
	}
	if found == nil || !found.DeletionTimestamp.IsZero() {
		return nil, ErrUnknownClient
	}
	usable, err := c.lookup.Usable(ctx, found)
	if err != nil {
		return nil, err
	}
	if !usable {
		return nil, ErrSuspended
	}
	return found, nil
}

// refreshForSecret re-reads a client from kube-apiserver if the cached copy may predate the rotation that created this secret. It
// returns ErrUnknownClient if the secret is not the client's. Made-up secrets take from the flood budget as made-up ids do.
func (c *Clients) refreshForSecret(
	ctx context.Context, cached *v1alpha1.OAuthClient, given string, now time.Time,
) (*v1alpha1.OAuthClient, error) {
	secret, err := credential.Parse(given)
	if cached == nil || err != nil || secret.Type != credential.ClientSecret {
		return nil, ErrUnknownClient
	}
	// The version is the secret's own, so that a made-up secret never hides the real one.
	found, err := auth.Refresh(ctx, c.lookup, cached.Name, secret.Hash(), func(live *v1alpha1.OAuthClient) bool {
		return live.DeletionTimestamp.IsZero() && proven(live, given, now)
	})
	if err != nil {
		return nil, err
	}
	if found == nil {
		return nil, ErrUnknownClient
	}
	return found, nil
}

// ClientName returns the name of the OAuthClient with a client id, and false if no object can have it.
func ClientName(clientID string) (string, bool) {
	name, ok := strings.CutPrefix(clientID, v1alpha1.ClientIDPrefix)
	return name, ok && len(validation.IsDNS1123Label(name)) == 0
}
