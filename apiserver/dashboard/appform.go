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
	f := appForm{
		Name: v.form("name"), RedirectURIs: v.form("redirect_uris"), HomeURL: v.form("home_url"), Scopes: v.forms("scopes"),
		Public: v.form("client_type") == "public", AnyPort: v.form("loopback_port") == "any",
	}
	if len(f.Scopes) == 0 {
		// The operation takes no scopes for those that most apps have, which is not what an empty choice means.
		f.Problem, f.Problems = notDone, map[string]string{"scopes": "choose at least one"}
		return v.refusedApp(f), nil
	}
	made, err := call[rest.AppAnswer](v, rest.Request{Operation: "register-oauth-client", Header: v.once(), Body: f.request()})
	if refused, ok := refusal(err); ok && refused.GetStatus() < http.StatusInternalServerError {
		f.Problem, f.Problems = formProblem(refused), byField(fieldProblems(err))
		return v.refusedApp(f), nil
	}
	if err != nil {
		return nil, err
	}
	return v.showAppSecret(made.Data, "Registered"), nil
}

func (v *visit) refusedApp(f appForm) *answer {
	return v.page("appform.html", "Register an app", f).with(http.StatusUnprocessableEntity)
}

// request is the app as register-oauth-client takes it.
func (f appForm) request() rest.RegisterAppRequest {
	r := rest.RegisterAppRequest{
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
