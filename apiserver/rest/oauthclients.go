package rest

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
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
	Envelope
	Data App `json:"data"`
}

// AppList has the clients of an account.
type AppList struct {
	Envelope
	Data []App `json:"data"`
}

// Inputs and outputs of the operations on OAuth clients.
type (
	// ListClientsInput is the input of list-oauth-clients: none.
	ListClientsInput struct{}
	// OnClient is the input of the operations on one client.
	OnClient struct {
		ClientID string `path:"client_id" maxLength:"100" doc:"The app's client id." example:"pr_ci_aa3kq2vxw5ntb6ha"`
	}
	// ClientOutput is the answer of operations that register or show a client. It may contain a secret, so it is never cached.
	ClientOutput struct {
		CacheControl string `header:"Cache-Control"`
		Body         AppAnswer
	}
	// ClientsOutput is the answer of list-oauth-clients.
	ClientsOutput struct{ Body AppList }
)

const (
	// subjectClient is what answers call a client.
	subjectClient = "app"

	clientsPath = "/v1/api/oauth/clients"
	clientPath  = clientsPath + "/{client_id}"
)

func (s *service) registerOAuthClients() {
	// A client acts on the whole account, and in the name of many people.
	read, write := s.group(tagOAuth, v1alpha1.ScopeRead).wholeAccount(), s.group(tagOAuth, v1alpha1.ScopeWrite).wholeAccount()

	op := s.operation(http.MethodGet, clientsPath, "list-oauth-clients")
	op.Summary = "List apps"
	op.Description = "The apps that the account has registered, the oldest first."
	handle(read, op, s.listClients)

	op = s.operation(http.MethodGet, clientPath, "get-oauth-client", inWorkspace...)
	op.Summary = "Get an app"
	op.Description = "One app that the account has registered, without its secret."
	handle(read, op, s.getClient)

	op = s.operation(http.MethodDelete, clientPath, "delete-oauth-client", inWorkspace...)
	op.Summary = "Delete an app"
	op.Description = "Deletes the app and ends all its tokens."
	op.DefaultStatus = http.StatusNoContent
	handle(write, op, s.deleteClient)
}

func (s *service) listClients(ctx context.Context, c *call, _ *ListClientsInput) (*ClientsOutput, error) {
	clients, err := s.Clients.List(ctx, c.principal.Account)
	if err != nil {
		return nil, clientProblem(err)
	}
	out := &ClientsOutput{Body: AppList{Envelope: succeeded, Data: []App{}}}
	for i := range clients {
		out.Body.Data = append(out.Body.Data, presentClient(&clients[i], ""))
	}
	return out, nil
}

func (s *service) getClient(ctx context.Context, c *call, in *OnClient) (*ClientOutput, error) {
	client, err := s.findClient(ctx, c, in)
	if err != nil {
		return nil, err
	}
	return clientOutput(client, ""), nil
}

func (s *service) deleteClient(ctx context.Context, c *call, in *OnClient) (*DeleteOutput, error) {
	client, err := s.findClient(ctx, c, in)
	if err != nil {
		return nil, err
	}
	if err := s.Clients.Delete(ctx, client.Name); err != nil {
		return nil, clientProblem(err)
	}
	return &DeleteOutput{}, nil
}

// findClient returns the client that a request names, if it belongs to the account.
func (s *service) findClient(ctx context.Context, c *call, in *OnClient) (*v1alpha1.OAuthClient, error) {
	client, err := s.Clients.Find(ctx, c.principal.Account, in.ClientID)
	if err != nil {
		return nil, clientProblem(err)
	}
	return client, nil
}

func clientProblem(err error) error {
	switch {
	case errors.Is(err, oauth.ErrUnknownClient):
		return problem.NotFound(subjectClient)
	case errors.Is(err, oauth.ErrPublic):
		return problem.Conflict("a public app has no secret")
	}
	return problem.WithResource(subjectClient, problem.MarkUnreachable(err))
}

func clientOutput(client *v1alpha1.OAuthClient, secret string) *ClientOutput {
	return &ClientOutput{CacheControl: "no-store", Body: AppAnswer{Envelope: succeeded, Data: presentClient(client, secret)}}
}

func presentClient(client *v1alpha1.OAuthClient, secret string) App {
	spec := client.Spec
	return App{
		ClientID: client.ClientID(), ClientSecret: secret, Name: spec.DisplayName, ClientType: strings.ToLower(string(spec.Type)),
		RedirectURIs: spec.RedirectURIs, Scopes: scopeNames(spec.Scopes),
		LoopbackPort: strings.ToLower(string(spec.LoopbackPort)), LogoURL: spec.LogoURL, HomeURL: spec.HomeURL,
		PolicyURL: spec.PolicyURL, TermsURL: spec.TermsURL, Contacts: append([]string{}, spec.Contacts...),
		CreatedAt: milliseconds(client.CreationTimestamp.Time),
	}
}
