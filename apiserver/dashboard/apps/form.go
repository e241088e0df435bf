package apps

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
)

// appForm is the data of the form that registers an app.
type appForm struct {
	page.FormProblems

	Name, RedirectURIs, HomeURL string
	Public, AnyPort             bool
	Scopes                      []string
}

// Choices are the scopes that an app may ask for.
func (appForm) Choices() []string { return []string{"read", "write", "approve"} }

// Has reports whether the app may ask for a scope.
func (f appForm) Has(scope string) bool { return slices.Contains(f.Scopes, scope) }

func newApp(v *page.Visit) (*page.Answer, error) {
	// Who manages apps belongs to the account, and not to a workspace.
	if len(v.Person.Workspaces) > 0 {
		return showApps(v)
	}
	return v.Page("form.html", "Register an app", appForm{Scopes: []string{"read", "write"}}), nil
}

func registerApp(v *page.Visit) (*page.Answer, error) {
	f := appForm{
		Name: v.Form("name"), RedirectURIs: v.Form("redirect_uris"), HomeURL: v.Form("home_url"), Scopes: v.Forms("scopes"),
		Public: v.Form("client_type") == "public", AnyPort: v.Form("loopback_port") == "any",
	}
	if len(f.Scopes) == 0 {
		// The operation takes no scopes for those that most apps have, which is not what an empty choice means.
		f.Problem, f.Problems = page.NotDone, map[string]string{"scopes": "choose at least one"}
		return refusedApp(v, f), nil
	}
	made, err := page.Call[oauthclient.AppAnswer](v, rest.Request{Operation: "create-oauth-client", Header: v.Once(), Body: f.request()})
	if f.Refused(err) {
		return refusedApp(v, f), nil
	}
	if err != nil {
		return v.ShownBefore(err, appPath)
	}
	return showAppSecret(v, made.App, "Registered"), nil
}

func refusedApp(v *page.Visit, f appForm) *page.Answer {
	return v.Page("form.html", "Register an app", f).With(http.StatusUnprocessableEntity)
}

// request is the app as create-oauth-client takes it.
func (f appForm) request() oauthclient.RegisterAppRequest {
	r := oauthclient.RegisterAppRequest{
		Name: f.Name, RedirectURIs: strings.Fields(f.RedirectURIs), Scopes: f.Scopes, HomeURL: f.HomeURL,
		ClientType: "confidential", LoopbackPort: "registered",
	}
	if f.Public {
		r.ClientType = "public"
	}
	if f.AnyPort {
		r.LoopbackPort = "any"
	}
	return r
}

func showAppSecret(v *page.Visit, app oauthclient.App, heading string) *page.Answer {
	view := page.SecretView{
		Heading: heading, Lead: "A public app has no secret: it proves with PKCE that a code is its own.", Label: "Client secret",
		Secret: app.ClientSecret, Next: appPath(app.ClientID),
		Fields: []page.SecretField{{Label: "App", Value: app.Name}, {Label: "Client ID", Value: app.ClientID}},
	}
	if view.Secret != "" {
		view.Lead = "The app exchanges codes for tokens with this secret."
	}
	return v.ShowSecret(view)
}
