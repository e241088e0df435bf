package oauthclients

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
)

// clientForm is the data of the form that registers a client.
type clientForm struct {
	page.FormProblems
	entered
}

// entered is what can be entered into the form.
type entered struct {
	Name string
	// RedirectURIs are separated by blanks.
	RedirectURIs string   `json:"redirect_uris"`
	HomeURL      string   `json:"home_url"`
	ClientType   string   `json:"client_type"`
	LoopbackPort string   `json:"loopback_port"`
	Scopes       []string `json:"scopes"`
}

// Choices returns the scopes that a client may ask for.
func (clientForm) Choices() []string { return []string{"read", "write", "approve"} }

// Has reports whether the client may ask for a scope.
func (e entered) Has(scope string) bool { return slices.Contains(e.Scopes, scope) }

func newClient(v *page.Visit) (*page.Answer, error) {
	// Only people with access to the whole account may register clients.
	if len(v.Person.Workspaces) > 0 {
		return showClients(v)
	}
	return v.Page("form.html", "Register an app", clientForm{entered: entered{Scopes: []string{"read", "write"}}}), nil
}

func registerClient(v *page.Visit, e entered) (*page.Answer, error) {
	f := clientForm{entered: e}
	if len(f.Scopes) == 0 {
		// Without scopes, the operation would give the client the default ones, which an empty choice does not mean.
		f.Problem, f.Problems = page.NotDone, map[string]string{"scopes": "choose at least one"}
		return refusedClient(v, f), nil
	}
	made, err := page.Call(v, oauthclient.Create, oauthclient.CreateInput{Idempotent: v.Once(), Body: f.request()})
	if f.Refused(err) {
		return refusedClient(v, f), nil
	}
	if err != nil {
		return v.ShownBefore(err, clientPath)
	}
	return showClientSecret(v, made.Body.OAuthClient, "Registered"), nil
}

func refusedClient(v *page.Visit, f clientForm) *page.Answer {
	return v.Page("form.html", "Register an app", f).With(http.StatusUnprocessableEntity)
}

// request returns the body of create-oauth-client.
func (e entered) request() oauthclient.CreateOAuthClientRequest {
	return oauthclient.CreateOAuthClientRequest{
		Name: e.Name, RedirectURIs: strings.Fields(e.RedirectURIs), Scopes: e.Scopes, HomeURL: e.HomeURL,
		ClientType: e.ClientType, LoopbackPort: e.LoopbackPort,
	}
}

func showClientSecret(v *page.Visit, client oauthclient.OAuthClient, heading string) *page.Answer {
	view := page.SecretView{
		Heading: heading, Lead: "A public app has no secret: it proves with PKCE that a code is its own.", Label: "Client secret",
		Secret: client.ClientSecret, Next: clientPath(client.ClientID),
		Fields: []page.SecretField{{Label: "App", Value: client.Name}, {Label: "Client ID", Value: client.ClientID}},
	}
	if view.Secret != "" {
		view.Lead = "The app exchanges codes for tokens with this secret."
	}
	return v.ShowSecret(view)
}
