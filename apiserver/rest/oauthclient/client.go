package oauthclient

import (
	"context"
	"errors"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// App is a registered client.
type App struct {
	ClientID     string   `json:"client_id" example:"pr_ci_aa3kq2vxw5ntb6ha"`
	ClientSecret string   `json:"client_secret,omitempty" doc:"Shown once: when it is made."`
	Name         string   `json:"name"`
	ClientType   string   `json:"client_type" enum:"confidential,public"`
	RedirectURIs []string `json:"redirect_uris"`
	Scopes       []string `json:"scopes"`
	LoopbackPort string   `json:"loopback_port" enum:"registered,any"`
	LogoURL      string   `json:"logo_url"`
	HomeURL      string   `json:"home_url"`
	PolicyURL    string   `json:"policy_url"`
	TermsURL     string   `json:"terms_url"`
	Contacts     []string `json:"contacts"`
	CreatedAt    string   `json:"created_at" format:"date-time"`
}

// AppAnswer is the answer about one client.
type AppAnswer struct {
	operation.Envelope
	App
}

// AppList has the clients of an account.
type AppList struct {
	operation.Envelope
	Data []App `json:"data"`
}

// Inputs and outputs of the operations on OAuth clients.
type (
	// OnClient is embedded in the input of every operation on one client.
	OnClient struct {
		ClientID string `path:"client_id" maxLength:"100" doc:"The app's client id." example:"pr_ci_aa3kq2vxw5ntb6ha"`
	}
	// DeleteClientInput is the input of delete-oauth-client.
	DeleteClientInput struct {
		OnClient
		operation.IfMatch
	}
	// ClientOutput is the answer of the operations on one client. It may contain a secret, so it is never cached.
	ClientOutput struct {
		ETag         string `header:"ETag" doc:"Names this state of the app, for If-Match."`
		CacheControl string `header:"Cache-Control"`
		Body         AppAnswer
	}
)

const (
	// subject is what answers call a client.
	subject = "app"

	clientsPath = "/v1/api/oauth/clients"
	clientPath  = clientsPath + "/{client_id}"
)

func (s *service) listClients(ctx context.Context, c *operation.Call, _ *struct{}) (*operation.Output[AppList], error) {
	clients, err := s.Clients.List(ctx, c.Principal.Account)
	if err != nil {
		return nil, clientProblem(err)
	}
	out := operation.Answer(AppList{Envelope: operation.Succeeded, Data: []App{}})
	for i := range clients {
		out.Body.Data = append(out.Body.Data, presentClient(&clients[i]))
	}
	return out, nil
}

func (s *service) getClient(ctx context.Context, c *operation.Call, in *OnClient) (*ClientOutput, error) {
	client, err := s.findClient(ctx, c, in.ClientID)
	if err != nil {
		return nil, err
	}
	return clientOutput(client, "")
}

func (s *service) deleteClient(ctx context.Context, c *operation.Call, in *DeleteClientInput) (*operation.DeleteOutput, error) {
	client, err := s.findClient(ctx, c, in.ClientID)
	if err != nil {
		return nil, err
	}
	if err := in.IfMatch.Check(operation.Written(client)); err != nil {
		return nil, err
	}
	return &operation.DeleteOutput{}, clientProblem(s.Clients.Delete(ctx, client.Name))
}

// findClient returns the client with this client id, if it belongs to the account.
func (s *service) findClient(ctx context.Context, c *operation.Call, clientID string) (*v1alpha1.OAuthClient, error) {
	client, err := s.Clients.Find(ctx, c.Principal.Account, clientID)
	return client, clientProblem(err)
}

// clientProblem is an error about a client as answers have it.
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
func clientOutput(client *v1alpha1.OAuthClient, secret string) (*ClientOutput, error) {
	body := AppAnswer{Envelope: operation.Succeeded, App: presentClient(client)}
	tag, err := operation.Tag(operation.Written(client), body)
	body.ClientSecret = secret
	return &ClientOutput{ETag: tag, CacheControl: "no-store", Body: body}, err
}

func presentClient(client *v1alpha1.OAuthClient) App {
	spec := client.Spec
	return App{
		ClientID: client.ClientID(), Name: spec.DisplayName, ClientType: strings.ToLower(string(spec.Type)),
		RedirectURIs: spec.RedirectURIs, Scopes: operation.ScopeNames(spec.Scopes),
		LoopbackPort: strings.ToLower(string(spec.LoopbackPort)), LogoURL: spec.LogoURL, HomeURL: spec.HomeURL,
		PolicyURL: spec.PolicyURL, TermsURL: spec.TermsURL, Contacts: append([]string{}, spec.Contacts...),
		CreatedAt: operation.Milliseconds(client.CreationTimestamp.Time),
	}
}
