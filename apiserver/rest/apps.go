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

// RegisterAppRequest is an app to register.
type RegisterAppRequest struct {
	Name         string   `json:"name" minLength:"1" maxLength:"200" doc:"The app's name as people know it: the consent page shows it." example:"Acme newsletter"`
	RedirectURIs []string `json:"redirect_uris" nullable:"false" minItems:"1" maxItems:"20" uniqueItems:"true" minLength:"1" maxLength:"2048" doc:"https, or http on 127.0.0.1 or [::1]; no fragment. Compared byte for byte."`
	ClientType   string   `json:"client_type,omitempty" enum:"confidential,public" default:"confidential" doc:"public for an app that cannot keep a secret: it must use PKCE."`
	Scopes       []string `json:"scopes,omitempty" nullable:"false" maxItems:"3" uniqueItems:"true" enum:"read,write,approve" doc:"What the app may ask for: read and write where there is none."`
	LoopbackPort string   `json:"loopback_port,omitempty" enum:"registered,any" default:"registered" doc:"any where redirect URIs on the loopback interface may have any port."`
	LogoURL      string   `json:"logo_url,omitempty" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address"`
	HomeURL      string   `json:"home_url,omitempty" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address"`
	PolicyURL    string   `json:"policy_url,omitempty" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address"`
	TermsURL     string   `json:"terms_url,omitempty" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address"`
	Contacts     []string `json:"contacts,omitempty" nullable:"false" maxItems:"10" uniqueItems:"true" minLength:"3" maxLength:"254" pattern:"^[^@\\s]+@[^@\\s]+$" patternDescription:"an e-mail address" doc:"E-mail addresses of those who run the app."`
}

// Resolve checks what the schema cannot say.
func (in *RegisterAppInput) Resolve(huma.Context) []error {
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

// App is a registered app.
type App struct {
	ClientID     string   `json:"client_id" example:"pr_ci_7m3kq2vxw5ntb6ha"`
	ClientSecret string   `json:"client_secret,omitempty" doc:"Shown once: when it is made."`
	Name         string   `json:"name"`
	ClientType   string   `json:"client_type" enum:"confidential,public"`
	RedirectURIs []string `json:"redirect_uris" nullable:"false"`
	Scopes       []string `json:"scopes" nullable:"false"`
	LoopbackPort string   `json:"loopback_port" enum:"registered,any"`
	LogoURL      string   `json:"logo_url"`
	HomeURL      string   `json:"home_url"`
	PolicyURL    string   `json:"policy_url"`
	TermsURL     string   `json:"terms_url"`
	Contacts     []string `json:"contacts" nullable:"false"`
	CreatedAt    string   `json:"created_at" format:"date-time"`
}

// AppAnswer is one app.
type AppAnswer struct {
	Envelope
	Data App `json:"data"`
}

// AppList is the apps of an account.
type AppList struct {
	Envelope
	Data []App `json:"data" nullable:"false"`
}

// Inputs and outputs of the operations on apps.
type (
	// RegisterAppInput is the input of register-oauth-client.
	RegisterAppInput struct{ Body RegisterAppRequest }
	// ListAppsInput is the input of list-oauth-clients: none.
	ListAppsInput struct{}
	// OnApp is the input of the operations on one app.
	OnApp struct {
		ClientID string `path:"client_id" maxLength:"100" doc:"The app's client id." example:"pr_ci_7m3kq2vxw5ntb6ha"`
	}
	// AppOutput is the answer of operations that make or show an app. It may hold a secret, so nobody stores it.
	AppOutput struct {
		CacheControl string `header:"Cache-Control"`
		Body         AppAnswer
	}
	// AppsOutput is the answer of list-oauth-clients.
	AppsOutput struct{ Body AppList }
)

const (
	appsPath = "/v1/api/oauth/clients"
	appPath  = appsPath + "/{client_id}"
)

func (s *service) registerApps() {
	read, write := s.group(tagOAuth, v1alpha1.ScopeRead), s.group(tagOAuth, v1alpha1.ScopeWrite)

	op := s.operation(http.MethodPost, appsPath, "register-oauth-client", creating...)
	op.Summary = "Register an app"
	op.Description = "Registers an app that may ask people for access over OAuth 2.0. Its secret is shown in this answer and never again."
	op.DefaultStatus = http.StatusCreated
	handle(write, op, s.registerApp)

	op = s.operation(http.MethodGet, appsPath, "list-oauth-clients")
	op.Summary = "List apps"
	op.Description = "The apps that the account has registered, the oldest first."
	handle(read, op, s.listApps)

	op = s.operation(http.MethodGet, appPath, "get-oauth-client", inWorkspace...)
	op.Summary = "Get an app"
	op.Description = "One app that the account has registered, without its secret."
	handle(read, op, s.getApp)

	op = s.operation(http.MethodPost, appPath+"/rotate", "rotate-oauth-client", creating...)
	op.Summary = "Change an app's secret"
	op.Description = "Makes a new secret, shown in this answer and never again. The one before it works until the next time."
	handle(write, op, s.rotateApp)

	op = s.operation(http.MethodDelete, appPath, "delete-oauth-client", inWorkspace...)
	op.Summary = "Delete an app"
	op.Description = "Deletes the app and ends every token that it got."
	op.DefaultStatus = http.StatusNoContent
	handle(write, op, s.deleteApp)
}

// mayManageApps: an app acts on all of an account and in the name of many, so neither another app nor a key that is limited
// to some workspaces may touch it.
func (c *call) mayManageApps() error {
	if c.principal.Client != "" || len(c.principal.Workspaces) > 0 {
		return problem.New(http.StatusForbidden, problem.CodeInsufficientScope, "apps are managed with an API key of the whole account")
	}
	return nil
}

func (s *service) registerApp(ctx context.Context, c *call, in *RegisterAppInput) (*AppOutput, error) {
	if err := c.mayManageApps(); err != nil {
		return nil, err
	}
	app, secret, err := s.Clients.Create(ctx, in.Body.spec(c.principal.Account))
	if err != nil {
		return nil, appProblem(err)
	}
	return appOutput(app, secret), nil
}

func (s *service) listApps(ctx context.Context, c *call, _ *ListAppsInput) (*AppsOutput, error) {
	if err := c.mayManageApps(); err != nil {
		return nil, err
	}
	apps, err := s.Clients.List(ctx, c.principal.Account)
	if err != nil {
		return nil, appProblem(err)
	}
	out := &AppsOutput{Body: AppList{Envelope: succeeded, Data: []App{}}}
	for i := range apps {
		out.Body.Data = append(out.Body.Data, presentApp(&apps[i], ""))
	}
	return out, nil
}

func (s *service) getApp(ctx context.Context, c *call, in *OnApp) (*AppOutput, error) {
	app, err := s.app(ctx, c, in)
	if err != nil {
		return nil, err
	}
	return appOutput(app, ""), nil
}

func (s *service) rotateApp(ctx context.Context, c *call, in *OnApp) (*AppOutput, error) {
	app, err := s.app(ctx, c, in)
	if err != nil {
		return nil, err
	}
	app, secret, err := s.Clients.Rotate(ctx, app.Name)
	if err != nil {
		return nil, appProblem(err)
	}
	return appOutput(app, secret), nil
}

func (s *service) deleteApp(ctx context.Context, c *call, in *OnApp) (*DeleteOutput, error) {
	app, err := s.app(ctx, c, in)
	if err != nil {
		return nil, err
	}
	if err := s.Clients.Delete(ctx, app.Name); err != nil {
		return nil, appProblem(err)
	}
	return &DeleteOutput{}, nil
}

// app returns the app that a request names, if it is the account's.
func (s *service) app(ctx context.Context, c *call, in *OnApp) (*v1alpha1.OAuthClient, error) {
	if err := c.mayManageApps(); err != nil {
		return nil, err
	}
	app, err := s.Clients.Find(ctx, c.principal.Account, in.ClientID)
	if err != nil {
		return nil, appProblem(err)
	}
	return app, nil
}

func appProblem(err error) error {
	switch {
	case errors.Is(err, oauth.ErrUnknownClient):
		return problem.NotFound("app")
	case errors.Is(err, oauth.ErrPublic):
		return problem.Conflict("a public app has no secret")
	}
	return problem.WithResource("app", problem.MarkUnreachable(err))
}

// spec is the app as an account registers it.
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

func appOutput(app *v1alpha1.OAuthClient, secret string) *AppOutput {
	return &AppOutput{CacheControl: "no-store", Body: AppAnswer{Envelope: succeeded, Data: presentApp(app, secret)}}
}

func presentApp(app *v1alpha1.OAuthClient, secret string) App {
	spec := app.Spec
	return App{
		ClientID: app.ClientID(), ClientSecret: secret, Name: spec.DisplayName, ClientType: strings.ToLower(string(spec.Type)),
		RedirectURIs: spec.RedirectURIs, Scopes: strings.Fields(oauth.ScopeText(spec.Scopes)),
		LoopbackPort: strings.ToLower(string(spec.LoopbackPort)), LogoURL: spec.LogoURL, HomeURL: spec.HomeURL,
		PolicyURL: spec.PolicyURL, TermsURL: spec.TermsURL, Contacts: append([]string{}, spec.Contacts...),
		CreatedAt: app.CreationTimestamp.UTC().Format("2006-01-02T15:04:05.000Z"),
	}
}
