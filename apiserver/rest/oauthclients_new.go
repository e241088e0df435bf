package rest

import (
	"context"
	"fmt"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
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

// RegisterClientInput is the input of register-oauth-client.
type RegisterClientInput struct {
	Idempotent
	Body RegisterAppRequest
}

// Resolve checks what the schema cannot express.
func (in *RegisterClientInput) Resolve(ctx huma.Context) []error {
	errs := emptyKey(ctx)
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

// RotateClientInput is the input of rotate-oauth-client.
type RotateClientInput struct {
	OnClient
	Idempotent
}

// Resolve checks what the schema cannot express.
func (in *RotateClientInput) Resolve(ctx huma.Context) []error { return emptyKey(ctx) }

// registerOAuthClientSecrets adds the operations that make a client's secret.
func (s *service) registerOAuthClientSecrets() {
	g := s.group(tagOAuth, v1alpha1.ScopeWrite).wholeAccount()
	op := s.operation(http.MethodPost, clientsPath, "register-oauth-client", creating...)
	op.Summary = "Register an app"
	op.Description = "Registers an app that may ask people for access over OAuth 2.0. " +
		"Its secret is shown in this answer and never again. 403 FORBIDDEN if only the operator of the installation registers apps."
	op.DefaultStatus = http.StatusCreated
	op.Middlewares = append(huma.Middlewares{s.refuseRegistration}, op.Middlewares...)
	handle(g, op, s.registerClient)

	op = s.operation(http.MethodPost, clientPath+"/rotate", "rotate-oauth-client", creating...)
	op.Summary = "Change an app's secret"
	op.Description = "Makes a new secret, shown in this answer and never again. The previous one works for 7 days more, or until " +
		"the next change."
	handle(g, op, s.rotateClient)
}

// refuseRegistration refuses to register a client where only the operator of the installation does that.
func (s *service) refuseRegistration(ctx huma.Context, next func(huma.Context)) {
	if s.NoClientRegistration {
		s.refuse(ctx, problem.New(http.StatusForbidden, problem.CodeForbidden,
			"apps are registered by the operator of this installation alone"))
		return
	}
	next(ctx)
}

func (s *service) registerClient(ctx context.Context, c *call, in *RegisterClientInput) (*ClientOutput, error) {
	account := c.principal.Account
	request, err := in.secretRequest(c, s.SystemNamespace, account, "register-oauth-client", in.Body)
	if err != nil {
		return nil, err
	}
	return secretOperation[*ClientOutput]{
		request: request,
		room:    func(ctx context.Context) error { return s.roomForClient(ctx, c) },
		object: func(random io.Reader) (string, error) {
			secret, err := oauth.NewSecret(s.Cell, random)
			return secret.ID, err
		},
		do: func(ctx context.Context, random io.Reader) (*ClientOutput, types.UID, error) {
			made, secret, err := s.Clients.CreateFrom(ctx, in.Body.spec(c.principal), random)
			if err != nil {
				return nil, "", clientProblem(err)
			}
			return clientOutput(made, secret), made.UID, nil
		},
		again: func(ctx context.Context, random io.Reader) (*ClientOutput, error) {
			secret, err := oauth.NewSecret(s.Cell, random)
			if err != nil {
				return nil, err
			}
			found, err := s.Clients.Find(ctx, account, v1alpha1.ClientIDPrefix+secret.ID)
			if err != nil {
				return nil, goneProblem(clientProblem(err), subjectClient)
			}
			if found.Spec.Type == v1alpha1.OAuthClientPublic {
				return clientOutput(found, ""), nil
			}
			return clientOutput(found, secret.Reveal()), nil
		},
		undo: func(ctx context.Context, out *ClientOutput) error {
			name, _ := oauth.ClientName(out.Body.Data.ClientID)
			return s.Clients.Delete(ctx, name)
		},
	}.run(ctx, s)
}

func (s *service) rotateClient(ctx context.Context, c *call, in *RotateClientInput) (*ClientOutput, error) {
	request, err := in.secretRequest(c, s.SystemNamespace, c.principal.Account, "rotate-oauth-client", in.ClientID)
	if err != nil {
		return nil, err
	}
	found, err := s.findClient(ctx, c, &in.OnClient)
	if err != nil {
		return nil, err
	}
	return secretOperation[*ClientOutput]{
		request: request,
		object:  func(io.Reader) (string, error) { return found.Name, nil },
		do: func(ctx context.Context, random io.Reader) (*ClientOutput, types.UID, error) {
			rotated, secret, err := s.Clients.RotateFrom(ctx, found.Name, random)
			if err != nil {
				return nil, "", clientProblem(err)
			}
			return clientOutput(rotated, secret), rotated.UID, nil
		},
		again: func(_ context.Context, random io.Reader) (*ClientOutput, error) {
			secret, err := oauth.NewSecret(s.Cell, random)
			return clientOutput(found, secret.Reveal()), err
		},
	}.run(ctx, s)
}

// spec returns the spec of the client that an account registers.
func (r *RegisterAppRequest) spec(by auth.Principal) v1alpha1.OAuthClientSpec {
	spec := v1alpha1.OAuthClientSpec{
		DisplayName: r.Name, AccountRef: &v1alpha1.AccountReference{Name: by.Account}, CreatedByRef: by.Creator(),
		RedirectURIs: r.RedirectURIs,
		Type:         v1alpha1.OAuthClientConfidential, LoopbackPort: v1alpha1.LoopbackPortRegistered, Contacts: r.Contacts,
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
