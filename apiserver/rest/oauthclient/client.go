// Package oauthclient has the operations of the REST API on OAuth clients, which answers and docs call apps, and on the access that people
// have given to them.
package oauthclient

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// OAuthClient is a registered client.
type OAuthClient struct {
	ClientID     string   `json:"client_id" doc:"Client id of the app. It is no secret." example:"pr_ci_aa3kq2vxw5ntb6ha"`
	ClientSecret string   `json:"client_secret,omitempty" doc:"Shown once: when it is made."`
	Name         string   `json:"name" doc:"Name, by which people know it."`
	ClientType   string   `json:"client_type" enum:"confidential,public"`
	RedirectURIs []string `json:"redirect_uris" doc:"Where people may be sent back to, byte for byte."`
	Scopes       []string `json:"scopes" doc:"What it allows."`
	LoopbackPort string   `json:"loopback_port" enum:"registered,any"`
	LogoURL      string   `json:"logo_url" doc:"Logo of the app; empty if there is none."`
	HomeURL      string   `json:"home_url" doc:"Home page of the app; empty if there is none."`
	PolicyURL    string   `json:"policy_url" doc:"Privacy policy of the app; empty if there is none."`
	TermsURL     string   `json:"terms_url" doc:"Terms of use of the app; empty if there are none."`
	Contacts     []string `json:"contacts" doc:"E-mail addresses of those who run the app."`
	CreatedAt    string   `json:"created_at" format:"date-time" doc:"When it was created."`
}

// OAuthClientAnswer is the answer about one client.
type OAuthClientAnswer struct {
	operation.Envelope
	OAuthClient
}

// OAuthClientList has the clients of an account.
type OAuthClientList struct {
	operation.Envelope
	Data []OAuthClient `json:"data" doc:"What the answer is about."`
}

// Inputs and outputs of the operations on OAuth clients.
type (
	// OnClient is embedded in the input of every operation on one client.
	OnClient struct {
		ClientID string `path:"client_id" maxLength:"100" doc:"The app's client id." example:"pr_ci_aa3kq2vxw5ntb6ha"`
	}
	// DeleteInput is the input of delete-oauth-client.
	DeleteInput struct {
		OnClient
		operation.IfMatch
	}
	// Output is the answer of the operations on one client. It may contain a secret, so it is never cached.
	Output struct {
		ETag         string `header:"ETag" doc:"Names this state of the app, for If-Match."`
		CacheControl string `header:"Cache-Control"`
		Body         OAuthClientAnswer
	}
)

const (
	// subject is what answers call a client.
	subject = "app"

	clientsPath = "/v1/api/oauth/clients"
	clientPath  = clientsPath + "/{client_id}"
)

// List lists OAuth clients.
var List = operation.Operation[struct{}, operation.Output[OAuthClientList]]{
	ID: "list-oauth-clients", Method: http.MethodGet, Path: clientsPath, Tag: operation.TagOAuth, Scope: v1alpha1.ScopeRead,
	WholeAccount: true,
}

func (s *service) listClients(ctx context.Context, c *operation.Call, _ *struct{}) (*operation.Output[OAuthClientList], error) {
	clients, err := s.Clients.List(ctx, c.Principal.Account)
	if err != nil {
		return nil, clientProblem(err)
	}
	out := operation.Answer(OAuthClientList{Envelope: operation.Succeeded, Data: []OAuthClient{}})
	for i := range clients {
		out.Body.Data = append(out.Body.Data, presentClient(&clients[i]))
	}
	return out, nil
}

// Get returns an OAuth client.
var Get = operation.Operation[OnClient, Output]{
	ID: "get-oauth-client", Method: http.MethodGet, Path: clientPath, Tag: operation.TagOAuth, Scope: v1alpha1.ScopeRead,
	WholeAccount: true, Errors: operation.ReadErrors,
}

func (s *service) getClient(ctx context.Context, c *operation.Call, in *OnClient) (*Output, error) {
	client, err := s.findClient(ctx, c, in.ClientID)
	if err != nil {
		return nil, err
	}
	return clientOutput(client, "")
}

// Delete deletes an OAuth client.
var Delete = operation.Operation[DeleteInput, operation.DeleteOutput]{
	ID: "delete-oauth-client", Method: http.MethodDelete, Path: clientPath, Tag: operation.TagOAuth, Scope: v1alpha1.ScopeWrite,
	Status: http.StatusNoContent, WholeAccount: true, Errors: operation.DeleteErrors,
}

func (s *service) deleteClient(ctx context.Context, c *operation.Call, in *DeleteInput) (*operation.DeleteOutput, error) {
	client, err := s.findClient(ctx, c, in.ClientID)
	if err != nil {
		return nil, err
	}
	if err := in.IfMatch.Check(operation.Written(client)); err != nil {
		return nil, err
	}
	if err := s.Clients.Delete(ctx, client.Name); err != nil {
		return nil, clientProblem(err)
	}
	s.AwaitGone(ctx, client)
	return &operation.DeleteOutput{}, nil
}

// findClient returns the client with this client id, if it belongs to the account.
func (s *service) findClient(ctx context.Context, c *operation.Call, clientID string) (*v1alpha1.OAuthClient, error) {
	client, err := s.Clients.Find(ctx, c.Principal.Account, clientID)
	return client, clientProblem(err)
}

// clientProblem returns an error about a client as an API error.
func clientProblem(err error) error {
	switch {
	case errors.Is(err, oauth.ErrUnknownClient):
		return problem.NotFound(subject)
	case errors.Is(err, oauth.ErrPublic):
		return problem.Conflict(problem.ReasonNotSupported, "a public app has no secret")
	}
	return err
}

// clientOutput returns a client as an answer, with its entity tag and the secret that was made for it.
func clientOutput(client *v1alpha1.OAuthClient, secret string) (*Output, error) {
	body := OAuthClientAnswer{Envelope: operation.Succeeded, OAuthClient: presentClient(client)}
	tag, err := operation.Tag(operation.Written(client), body)
	body.ClientSecret = secret
	return &Output{ETag: tag, CacheControl: "no-store", Body: body}, err
}

func presentClient(client *v1alpha1.OAuthClient) OAuthClient {
	spec := client.Spec
	return OAuthClient{
		ClientID: client.ClientID(), Name: content.Label(spec.DisplayName), ClientType: strings.ToLower(string(spec.Type)),
		RedirectURIs: spec.RedirectURIs, Scopes: operation.ScopeNames(spec.Scopes),
		LoopbackPort: strings.ToLower(string(spec.LoopbackPort)), LogoURL: spec.LogoURL, HomeURL: spec.HomeURL,
		PolicyURL: spec.PolicyURL, TermsURL: spec.TermsURL, Contacts: append([]string{}, spec.Contacts...),
		CreatedAt: operation.Milliseconds(client.CreationTimestamp.Time),
	}
}

// Clients registers OAuth clients, as oauth.Registry does.
type Clients interface {
	Prepare(name string, spec v1alpha1.OAuthClientSpec) (c *v1alpha1.OAuthClient, secret string, err error)
	Store(ctx context.Context, c *v1alpha1.OAuthClient) error
	RotateOnce(
		ctx context.Context, name string, overlap time.Duration, request string, check func(*v1alpha1.OAuthClient) error,
	) (c *v1alpha1.OAuthClient, secret string, err error)
	List(ctx context.Context, account string) ([]v1alpha1.OAuthClient, error)
	Find(ctx context.Context, account, clientID string) (*v1alpha1.OAuthClient, error)
	Delete(ctx context.Context, name string) error
}

// Deps are the dependencies of the operations.
type Deps struct {
	Clients Clients
	Grants  *oauth.Grants
	// Count returns how many clients an account has registered, from memory.
	Count func(ctx context.Context, account string) (int64, error)
	// Counts reports whether Count has a client.
	Counts func(ctx context.Context, name string) bool
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
	List.Handle(core, s.listClients)
	Create.Handle(core, s.registerClient, s.checkRegistration)
	Get.Handle(core, s.getClient)
	Update.Handle(core, s.update, s.checkRegistration)
	Delete.Handle(core, s.deleteClient)
	RotateSecret.Handle(core, s.rotateClient)
	ListGrants.Handle(core, s.listGrants)
	RevokeGrant.Handle(core, s.revokeGrant)
}
