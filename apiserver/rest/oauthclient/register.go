package oauthclient

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/rotation"
)

// CreateOAuthClientRequest is an OAuth client to register.
type CreateOAuthClientRequest struct {
	Name         string   `json:"name" minLength:"1" maxLength:"200" doc:"The app's name as people know it: the consent page shows it." example:"Acme newsletter"`
	RedirectURIs []string `json:"redirect_uris" minItems:"1" maxItems:"20" uniqueItems:"true" minLength:"1" maxLength:"2048" doc:"https, or http on 127.0.0.1 or [::1]; no fragment. Compared byte for byte."`
	ClientType   string   `json:"client_type,omitempty" enum:"confidential,public" default:"confidential" doc:"public for an app that cannot keep a secret: it must use PKCE."`
	Scopes       []string `json:"scopes,omitempty" maxItems:"3" uniqueItems:"true" enum:"read,write,approve" doc:"What the app may ask for: read and write if absent."`
	LoopbackPort string   `json:"loopback_port,omitempty" enum:"registered,any" default:"registered" doc:"any if redirect URIs on the loopback interface may have any port."`
	LogoURL      string   `json:"logo_url,omitempty" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address" doc:"Logo of the app; empty if there is none."`
	HomeURL      string   `json:"home_url,omitempty" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address" doc:"Home page of the app; empty if there is none."`
	PolicyURL    string   `json:"policy_url,omitempty" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address" doc:"Privacy policy of the app; empty if there is none."`
	TermsURL     string   `json:"terms_url,omitempty" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address" doc:"Terms of use of the app; empty if there are none."`
	Contacts     []string `json:"contacts,omitempty" maxItems:"10" uniqueItems:"true" minLength:"3" maxLength:"254" pattern:"^[^@\\s]+@[^@\\s]+$" patternDescription:"an e-mail address" doc:"E-mail addresses of those who run the app."`
}

// CreateInput is the input of create-oauth-client.
type CreateInput struct {
	operation.Idempotent
	Body CreateOAuthClientRequest
}

// Resolve checks what the schema cannot express.
func (in *CreateInput) Resolve(huma.Context) []error {
	return checkRedirects(in.Body.RedirectURIs)
}

func checkRedirects(uris []string) (errs []error) {
	for i, uri := range uris {
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

// RotateSecretInput is the input of rotate-oauth-client-secret.
type RotateSecretInput struct {
	OnClient
	operation.IfMatch
	operation.Idempotent
}

// checkRegistration refuses to register a client where only the operator of the installation does that.
func (s *service) checkRegistration(*operation.Call) *problem.APIError {
	if s.NoRegistration {
		return problem.New(http.StatusForbidden, problem.CodeForbidden,
			"apps are registered by the operator of this installation alone")
	}
	return nil
}

// Create registers an OAuth client.
var Create = operation.Operation[CreateInput, Output]{
	ID: "create-oauth-client", Method: http.MethodPost, Path: clientsPath, Tag: operation.TagOAuth, Scope: v1alpha1.ScopeWrite,
	Status: http.StatusCreated, WholeAccount: true, Errors: operation.CreateErrors,
}

func (s *service) registerClient(ctx context.Context, c *operation.Call, in *CreateInput) (*Output, error) {
	account := c.Principal.Account
	request, err := in.Request(account, Create.ID, in.Body)
	if err != nil {
		return nil, err
	}
	made, secret, err := s.Clients.Prepare(request.Name, in.Body.spec(c.Principal))
	if err != nil {
		return nil, err
	}
	request.Mark(&made.ObjectMeta)
	var earlier *v1alpha1.OAuthClient
	err = request.CreateSecret(ctx,
		func(ctx context.Context) (metav1.Object, error) {
			earlier, err = s.Clients.Find(ctx, account, made.ClientID())
			return earlier, clientProblem(err)
		},
		clientSecretShown(made),
		func(ctx context.Context) (operation.Place, error) {
			return c.Room(ctx, operation.Limit{
				Name: "oauthClients", Of: "apps", Most: v1alpha1.AccountLimits.MostOAuthClients,
				Count: func(ctx context.Context) (int64, error) { return s.Count(ctx, account) },
				Seen:  func() bool { return s.Counts(ctx, made.Name) },
			}, 1)
		},
		func(ctx context.Context) error { return clientProblem(s.Clients.Store(ctx, made)) })
	if problem.IsSecretShown(err) && made.Spec.Type == v1alpha1.OAuthClientPublic {
		return clientOutput(earlier, "")
	}
	if err != nil {
		return nil, err
	}
	return clientOutput(made, secret)
}

func clientSecretShown(made *v1alpha1.OAuthClient) error {
	return problem.SecretShown(subject, "client_id", made.ClientID(), "rotate it")
}

// RotateSecret makes a new client secret.
var RotateSecret = operation.Operation[RotateSecretInput, Output]{
	ID: "rotate-oauth-client-secret", Method: http.MethodPost, Path: clientPath + "/rotate-secret", Tag: operation.TagOAuth,
	Scope: v1alpha1.ScopeWrite, WholeAccount: true, Errors: operation.EditErrors,
}

func (s *service) rotateClient(ctx context.Context, c *operation.Call, in *RotateSecretInput) (*Output, error) {
	found, err := s.findClient(ctx, c, in.ClientID)
	if err != nil {
		return nil, err
	}
	rotated, secret, err := s.Clients.RotateOnce(ctx, found.Name, oauth.DefaultOverlap, in.Rotation(found.Name),
		func(client *v1alpha1.OAuthClient) error { return in.IfMatch.Check(operation.Written(client)) })
	if errors.Is(err, rotation.ErrRepeated) {
		return nil, clientSecretShown(found)
	}
	if err != nil {
		return nil, clientProblem(err)
	}
	return clientOutput(rotated, secret)
}

func (r *CreateOAuthClientRequest) spec(by auth.Principal) v1alpha1.OAuthClientSpec {
	spec := v1alpha1.OAuthClientSpec{
		DisplayName: r.Name, AccountRef: &v1alpha1.AccountReference{Name: by.Account}, CreatedByRef: by.Creator(),
		RedirectURIs: r.RedirectURIs,
		Type:         cmp.Or(operation.ParseEnum(r.ClientType, v1alpha1.OAuthClientPublic), v1alpha1.OAuthClientConfidential),
		LoopbackPort: loopbackPort(r.LoopbackPort), Contacts: r.Contacts,
		LogoURL: r.LogoURL, HomeURL: r.HomeURL, PolicyURL: r.PolicyURL, TermsURL: r.TermsURL,
	}
	spec.Scopes, _ = oauth.ScopesOf(r.Scopes)
	if len(spec.Scopes) == 0 {
		spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}
	}
	return spec
}

func loopbackPort(name string) v1alpha1.LoopbackPort {
	return cmp.Or(operation.ParseEnum(name, v1alpha1.LoopbackPortAny), v1alpha1.LoopbackPortRegistered)
}
