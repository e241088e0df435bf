package oauthclient

import (
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
)

// UpdateOAuthClientRequest changes the members that it names and leaves the others as they are. Null clears.
type UpdateOAuthClientRequest struct {
	Name         *string                `json:"name,omitempty" minLength:"1" maxLength:"200" doc:"The app's name as people know it: the consent page shows it." example:"Acme newsletter"`
	RedirectURIs []string               `json:"redirect_uris,omitempty" minItems:"1" maxItems:"20" uniqueItems:"true" minLength:"1" maxLength:"2048" doc:"Replaces them all."`
	Scopes       []string               `json:"scopes,omitempty" minItems:"1" maxItems:"3" uniqueItems:"true" enum:"read,write,approve" doc:"What the app may ask for from now on. Access that people have given stays."`
	LoopbackPort *string                `json:"loopback_port,omitempty" enum:"registered,any" doc:"any if redirect URIs on the loopback interface may have any port."`
	LogoURL      patch.Member[string]   `json:"logo_url,omitzero" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address" doc:"Logo of the app; empty if there is none."`
	HomeURL      patch.Member[string]   `json:"home_url,omitzero" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address" doc:"Home page of the app; empty if there is none."`
	PolicyURL    patch.Member[string]   `json:"policy_url,omitzero" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address" doc:"Privacy policy of the app; empty if there is none."`
	TermsURL     patch.Member[string]   `json:"terms_url,omitzero" maxLength:"2048" pattern:"^https://[!-~]+$" patternDescription:"an https address" doc:"Terms of use of the app; empty if there are none."`
	Contacts     patch.Member[[]string] `json:"contacts,omitzero" maxItems:"10" uniqueItems:"true" minLength:"3" maxLength:"254" pattern:"^[^@\\s]+@[^@\\s]+$" patternDescription:"an e-mail address" doc:"E-mail addresses of those who run the app."`
}

// UpdateInput is the input of update-oauth-client.
type UpdateInput struct {
	OnClient
	operation.IfMatch
	Body UpdateOAuthClientRequest
}

// Resolve checks what the schema cannot express.
func (in *UpdateInput) Resolve(huma.Context) []error {
	return checkRedirects(in.Body.RedirectURIs)
}

// Update changes an OAuth client.
var Update = operation.Operation[UpdateInput, Output]{
	ID: "update-oauth-client", Method: http.MethodPatch, Path: clientPath, Tag: operation.TagOAuth, Scope: v1alpha1.ScopeWrite,
	WholeAccount: true, Errors: operation.EditErrors,
}

func (s *service) update(ctx context.Context, c *operation.Call, in *UpdateInput) (*Output, error) {
	found, err := s.findClient(ctx, c, in.ClientID)
	if err != nil {
		return nil, err
	}
	changed, err := kube.Change(ctx, s.Client, client.ObjectKeyFromObject(found), func(registered *v1alpha1.OAuthClient) error {
		if err := in.IfMatch.Check(operation.Written(registered)); err != nil {
			return err
		}
		in.Body.apply(&registered.Spec)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return clientOutput(changed, "")
}

func (r *UpdateOAuthClientRequest) apply(spec *v1alpha1.OAuthClientSpec) {
	spec.DisplayName = ptr.Deref(r.Name, spec.DisplayName)
	if r.RedirectURIs != nil {
		spec.RedirectURIs = r.RedirectURIs
	}
	if r.Scopes != nil {
		spec.Scopes, _ = oauth.ScopesOf(r.Scopes)
	}
	if r.LoopbackPort != nil {
		spec.LoopbackPort = loopbackPort(*r.LoopbackPort)
	}
	r.LogoURL.Change(&spec.LogoURL)
	r.HomeURL.Change(&spec.HomeURL)
	r.PolicyURL.Change(&spec.PolicyURL)
	r.TermsURL.Change(&spec.TermsURL)
	r.Contacts.Change(&spec.Contacts)
}
