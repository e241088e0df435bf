package dashboard

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// appForm is the data of the form that registers an app.
type appForm struct {
	Name, RedirectURIs, HomeURL string
	Public, AnyPort             bool
	Scopes                      []string
	Problem                     string
	Problems                    map[string]string
}

// Choices are the scopes that an app may ask for.
func (appForm) Choices() []string { return []string{"read", "write", "approve"} }

// Has reports whether the app may ask for a scope.
func (f appForm) Has(scope string) bool { return slices.Contains(f.Scopes, scope) }

func newApp(v *visit) (*answer, error) {
	if !v.wholeAccount() {
		return showApps(v)
	}
	return v.page("appform.html", "Register an app", appForm{Scopes: []string{"read", "write"}}), nil
}

func registerApp(v *visit) (*answer, error) {
	body := rest.RegisterAppRequest{
		Name: v.form("name"), RedirectURIs: strings.Fields(v.form("redirect_uris")), Scopes: v.forms("scopes"), HomeURL: v.form("home_url"),
		ClientType: "confidential", LoopbackPort: "registered",
	}
	if v.form("client_type") == "public" {
		body.ClientType = "public"
	}
	if v.form("loopback_port") == "any" {
		body.LoopbackPort = "any"
	}
	made, err := call[rest.AppAnswer](v, rest.Request{Operation: "register-oauth-client", Header: v.once(), Body: body})
	if refused, ok := refusal(err); ok && refused.GetStatus() < http.StatusInternalServerError {
		return v.page("appform.html", "Register an app", appForm{
			Name: body.Name, RedirectURIs: v.form("redirect_uris"), HomeURL: body.HomeURL, Public: body.ClientType == "public",
			AnyPort: body.LoopbackPort == "any", Scopes: body.Scopes, Problem: sentence(refused.Problem.Message),
			Problems: byField(fieldProblems(err)),
		}).with(http.StatusUnprocessableEntity), nil
	}
	if err != nil {
		return nil, err
	}
	return v.showAppSecret(made.Data, "Registered"), nil
}

func (v *visit) showAppSecret(app rest.App, heading string) *answer {
	view := secretView{
		Heading: heading, Lead: "A public app has no secret: it proves with PKCE that a code is its own.", Label: "Client secret",
		Secret: app.ClientSecret, Next: Root + appsPath + "/app/" + app.ClientID,
		Fields: []secretField{{"App", app.Name}, {"Client ID", app.ClientID}},
	}
	if view.Secret != "" {
		view.Lead = "The app exchanges codes for tokens with this secret."
	}
	return v.showSecret(view)
}
