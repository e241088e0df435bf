// Package oauthclient is the operations of the REST API on OAuth clients, which the API calls apps, and on the access that people have
// given to them.
package oauthclient

import (
	"context"
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// Clients registers OAuth clients, and returns the secret of each once.
type Clients interface {
	// PrepareNamed makes a client with a name that is a function of another one, and its secret, which is empty for a public one.
	PrepareNamed(name string, spec v1alpha1.OAuthClientSpec) (c *v1alpha1.OAuthClient, secret string, err error)
	// Store registers a client that was prepared.
	Store(ctx context.Context, c *v1alpha1.OAuthClient) error
	// RotateOnce makes a new secret of a client. The previous one works for the overlap more. It returns rotation.ErrRepeated if the
	// client remembers the request.
	RotateOnce(
		ctx context.Context, name string, overlap time.Duration, request string,
	) (c *v1alpha1.OAuthClient, secret string, err error)
	// List returns the clients of an account by age.
	List(ctx context.Context, account string) ([]v1alpha1.OAuthClient, error)
	// Find returns a client of an account; oauth.ErrUnknownClient if the account has none with this client id.
	Find(ctx context.Context, account, clientID string) (*v1alpha1.OAuthClient, error)
	// Delete removes a client and ends all its tokens.
	Delete(ctx context.Context, name string) error
}

// Grants are the access that people have given to OAuth clients.
type Grants interface {
	// List returns the grants of an account that have not ended, newest first: those of a person, or all if person is empty.
	List(ctx context.Context, account, person string) ([]v1alpha1.OAuthGrant, error)
	// Client returns a client by its client id, or oauth.ErrUnknownClient or oauth.ErrSuspended.
	Client(ctx context.Context, clientID string) (*v1alpha1.OAuthClient, error)
	// RevokeOf ends a grant of an account; oauth.ErrUnknownGrant if the account has none with this name.
	RevokeOf(ctx context.Context, account, name string) error
}

// Deps are the dependencies of the operations.
type Deps struct {
	Clients Clients
	Grants  Grants
	// Count returns how many clients an account has registered, from memory.
	Count func(ctx context.Context, account string) (int64, error)
	// NoRegistration means that accounts may not register clients.
	NoRegistration bool
}

// service has what the operations share.
type service struct {
	*operation.Core
	Deps
}

// Register adds the operations.
func Register(core *operation.Core, d Deps) {
	s := &service{Core: core, Deps: d}
	// A client acts on the whole account, and in the name of many people.
	read := s.Group(operation.TagOAuth, v1alpha1.ScopeRead).WholeAccount()
	write := s.Group(operation.TagOAuth, v1alpha1.ScopeWrite).WholeAccount()
	operation.Handle(read, http.MethodGet, clientsPath, "list-oauth-clients", s.listClients)
	operation.Handle(write.Require(s.checkRegistration), http.MethodPost, clientsPath, "create-oauth-client", s.registerClient,
		operation.CreateErrors...)
	operation.Handle(read, http.MethodGet, clientPath, "get-oauth-client", s.getClient, operation.ReadErrors...)
	operation.Handle(write.Require(s.checkRegistration), http.MethodPatch, clientPath, "update-oauth-client", s.update,
		operation.EditErrors...)
	operation.Handle(write, http.MethodDelete, clientPath, "delete-oauth-client", s.deleteClient, operation.DeleteErrors...)
	operation.Handle(write, http.MethodPost, clientPath+"/rotate-secret", "rotate-oauth-client-secret", s.rotateClient,
		operation.CreateErrors...)
	operation.Handle(read, http.MethodGet, grantsPath, "list-oauth-grants", s.listGrants)
	operation.Handle(write, http.MethodDelete, grantsPath+"/{grant_id}", "revoke-oauth-grant", s.revokeGrant, operation.ReadErrors...)
}
