package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// RegisterAppRequest is an OAuth client to register. The types whose names are in the OpenAPI document say app.
type RegisterAppRequest struct {
	Name         string   `json:"name" minLength:"1" maxLength:"200" doc:"The app's name as people know it: the consent page shows it." example:"Acme newsletter"`
	RedirectURIs []string `json:"redirect_uris" minItems:"1" maxItems:"20" uniqueItems:"true" minLength:"1" maxLength:"2048" doc:"https, or http on 127.0.0.1 or [::1]; no fragment. Compared byte for byte."`
	ClientType   string   `json:"client_type,omitempty" enum:"confidential,public" default:"confidential" doc:"public for an app that cannot keep a secret: it must use PKCE."`
	Scopes       []string `json:"scopes,omitempty" maxItems:"3" uniqueItems:"true" enum:"read,write,approve" doc:"What the app may ask for: read and write if absent."`
	LoopbackPort string   `json:"loopback_port,omitempty" enum:"registered,any" default:"registered" doc:"any if redirect URIs on the loopback interface may have any port."`
	LogoURL      string   `json:"logo_url,omitempty" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address"`
	HomeURL      string   `json:"home_url,omitempty" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address"`
	PolicyURL    string   `json:"policy_url,omitempty" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address"`
	TermsURL     string   `json:"terms_url,omitempty" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address"`
	Contacts     []string `json:"contacts,omitempty" maxItems:"10" uniqueItems:"true" minLength:"3" maxLength:"254" pattern:"^[^@\\s]+@[^@\\s]+$" patternDescription:"an e-mail address" doc:"E-mail addresses of those who run the app."`
}

// Resolve checks what the schema cannot express.
func (in *RegisterClientInput) Resolve(huma.Context) []error {
	var errs []error
	for i, uri := range in.Body.RedirectURIs {
		same := &v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{RedirectURIs: []string{uri}}}
		if oauth.CheckRedirect(same, uri) != nil {
			errs = append(errs, &huma.ErrorDetail{
				Location: fmt.Sprintf("body.redirect_uris[%d]", i),
				Message:  "must be https, or http on 127.0.0.1 or [::1], and may not have a fragment, user information or blanks",
			})
		}
	}
	return errs
}

// App is a registered client.
type App struct {
	ClientID     string   `json:"client_id" example:"pr_ci_7m3kq2vxw5ntb6ha"`
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
	// RegisterClientInput is the input of register-oauth-client.
	RegisterClientInput struct{ Body RegisterAppRequest }
	// ListClientsInput is the input of list-oauth-clients: none.
	ListClientsInput struct{}
	// OnClient is the input of the operations on one client.
	OnClient struct {
		ClientID string `path:"client_id" maxLength:"100" doc:"The app's client id." example:"pr_ci_7m3kq2vxw5ntb6ha"`
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
	clientsPath = "/v1/api/oauth/clients"
	clientPath  = clientsPath + "/{client_id}"
)

func (s *service) registerOAuthClients() {
	// A client acts on the whole account, and in the name of many people.
	read, write := s.group(tagOAuth, v1alpha1.ScopeRead).wholeAccount(), s.group(tagOAuth, v1alpha1.ScopeWrite).wholeAccount()

	op := s.operation(http.MethodPost, clientsPath, "register-oauth-client", creating...)
	op.Summary = "Register an app"
	op.Description = "Registers an app that may ask people for access over OAuth 2.0. Its secret is shown in this answer and never again."
	op.DefaultStatus = http.StatusCreated
	handle(write, op, s.registerClient)

	op = s.operation(http.MethodGet, clientsPath, "list-oauth-clients")
	op.Summary = "List apps"
	op.Description = "The apps that the account has registered, the oldest first."
	handle(read, op, s.listClients)

	op = s.operation(http.MethodGet, clientPath, "get-oauth-client", inWorkspace...)
	op.Summary = "Get an app"
	op.Description = "One app that the account has registered, without its secret."
	handle(read, op, s.getClient)

	op = s.operation(http.MethodPost, clientPath+"/rotate", "rotate-oauth-client", creating...)
	op.Summary = "Change an app's secret"
	op.Description = "Makes a new secret, shown in this answer and never again. The previous one works until the next change."
	handle(write, op, s.rotateClient)

	op = s.operation(http.MethodDelete, clientPath, "delete-oauth-client", inWorkspace...)
	op.Summary = "Delete an app"
	op.Description = "Deletes the app and ends all its tokens."
	op.DefaultStatus = http.StatusNoContent
	handle(write, op, s.deleteClient)
}

func (s *service) registerClient(ctx context.Context, c *call, in *RegisterClientInput) (*ClientOutput, error) {
	if err := s.roomForClient(ctx, c); err != nil {
		return nil, err
	}
	client, secret, err := s.Clients.Create(ctx, in.Body.spec(c.principal.Account))
	if err != nil {
		return nil, clientProblem(err)
	}
	return clientOutput(client, secret), nil
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

func (s *service) rotateClient(ctx context.Context, c *call, in *OnClient) (*ClientOutput, error) {
	client, err := s.findClient(ctx, c, in)
	if err != nil {
		return nil, err
	}
	client, secret, err := s.Clients.Rotate(ctx, client.Name)
	if err != nil {
		return nil, clientProblem(err)
	}
	return clientOutput(client, secret), nil
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
		return problem.NotFound("app")
	case errors.Is(err, oauth.ErrPublic):
		return problem.Conflict("a public app has no secret")
	}
	return problem.WithResource("app", problem.MarkUnreachable(err))
}

// spec returns the spec of the client that an account registers.
func (r *RegisterAppRequest) spec(account string) v1alpha1.OAuthClientSpec {
	spec := v1alpha1.OAuthClientSpec{
		DisplayName: r.Name, AccountRef: &v1alpha1.AccountReference{Name: account}, RedirectURIs: r.RedirectURIs,
		Type: v1alpha1.OAuthClientConfidential, LoopbackPort: v1alpha1.LoopbackPortRegistered, Contacts: r.Contacts,
		LogoURL: r.LogoURL, HomeURL: r.HomeURL, PolicyURL: r.PolicyURL, TermsURL: r.TermsURL,
	}
	if r.ClientType == "public" {
		spec.Type = v1alpha1.OAuthClientPublic
	}
	if r.LoopbackPort == "any" {
		spec.LoopbackPort = v1alpha1.LoopbackPortAny
	}
	spec.Scopes, _ = oauth.ScopesOf(r.Scopes)
	if len(spec.Scopes) == 0 {
		spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}
	}
	return spec
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
