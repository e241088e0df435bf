package rest_test

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/rotation"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

const (
	appsPath = "/v1/api/oauth/clients"
	appBody  = `{"name":"Tool","redirect_uris":["https://tool.example/cb"],"scopes":["approve","read"],"loopback_port":"any","home_url":"https://tool.example"}`
)

// fakeClients is a registry in memory. The registry itself is tested on a real kube-apiserver.
type fakeClients struct {
	apps map[string]*v1alpha1.OAuthClient
	// err is the answer of kube-apiserver to a change of a client.
	err error
	// changes counts the clients that were created and the secrets that were changed.
	changes int
}

func (*fakeClients) Prepare(name string, spec v1alpha1.OAuthClientSpec) (*v1alpha1.OAuthClient, string, error) {
	return oauth.NewRegistry(nil, credential.DefaultCell, nil).Prepare(name, spec)
}

func (f *fakeClients) Store(_ context.Context, app *v1alpha1.OAuthClient) error {
	if f.err != nil {
		return f.err
	}
	if f.apps[app.Name] != nil {
		return apierrors.NewAlreadyExists(schema.GroupResource{Resource: "oauthclients"}, app.Name)
	}
	app.UID, app.CreationTimestamp = types.UID(app.Name), metav1.NewTime(began)
	f.changes++
	f.apps[app.Name] = app
	return nil
}

func (f *fakeClients) RotateOnce(_ context.Context, name string, _ time.Duration, request string) (*v1alpha1.OAuthClient, string, error) {
	app := f.apps[name]
	switch {
	case f.err != nil:
		return nil, "", f.err
	case app.Spec.Type == v1alpha1.OAuthClientPublic:
		return nil, "", oauth.ErrPublic
	case rotation.Repeated(app, request):
		return nil, "", rotation.ErrRepeated
	}
	f.changes++
	rotation.Remember(app, request)
	return app, "secret-" + strconv.Itoa(f.changes), nil
}

func (f *fakeClients) List(_ context.Context, account string) ([]v1alpha1.OAuthClient, error) {
	var own []v1alpha1.OAuthClient
	for _, app := range f.apps {
		if app.Spec.AccountRef.Name == account {
			own = append(own, *app)
		}
	}
	return own, nil
}

func (f *fakeClients) Find(_ context.Context, account, clientID string) (*v1alpha1.OAuthClient, error) {
	app := f.apps[strings.TrimPrefix(clientID, v1alpha1.ClientIDPrefix)]
	if app == nil || app.Spec.AccountRef.Name != account {
		return nil, oauth.ErrUnknownClient
	}
	return app, nil
}

func (f *fakeClients) Delete(_ context.Context, name string) error {
	delete(f.apps, name)
	return f.err
}

func appOf(t *testing.T, a testkit.Answer) oauthclient.App {
	t.Helper()
	var got oauthclient.AppAnswer
	if err := json.Unmarshal([]byte(a.Raw), &got); err != nil || !got.Success {
		t.Fatalf("%v: %s", err, a.Raw)
	}
	return got.App
}

func TestAnAppIsRegisteredAndItsSecretIsShownOnce(t *testing.T) {
	v, api := openAPIValidator(t), newAPI(t)
	got := api.do(request{method: "POST", path: appsPath, body: appBody})
	app := appOf(t, got)
	if got.Status != http.StatusCreated || got.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %d with Cache-Control %q", got.Status, got.Header.Get("Cache-Control"))
	}
	if !strings.HasPrefix(app.ClientSecret, "pr_cs_") || app.ClientType != "confidential" || app.LoopbackPort != "any" ||
		!slices.Equal(app.Scopes, []string{"read", "approve"}) || !slices.Equal(app.RedirectURIs, []string{"https://tool.example/cb"}) {
		t.Errorf("got %+v", app)
	}
	one := appsPath + "/" + app.ClientID
	if again := api.do(request{path: one}); appOf(t, again).ClientSecret != "" || strings.Contains(again.Raw, app.ClientSecret) {
		t.Errorf("the secret is shown again: %s", again.Raw)
	}
	if rotated := appOf(t, api.do(request{method: "POST", path: one + "/rotate-secret"})); rotated.ClientSecret != "secret-2" {
		t.Errorf("got %+v, want a new secret", rotated)
	}
	api.checkAgainst(v, request{method: "POST", path: appsPath, body: appBody}, 201, true)
	api.checkAgainst(v, request{path: appsPath}, 200, true)
	api.checkAgainst(v, request{path: one}, 200, true)
	api.checkAgainst(v, request{method: "POST", path: one + "/rotate-secret"}, 200, true)
	api.checkAgainst(v, request{method: "DELETE", path: one}, 204, true)
	api.checkAgainst(v, request{path: one}, 404, true)
}

func TestAppsAreRegisteredByTheOperatorAloneIfTheInstallationSaysSo(t *testing.T) {
	api := newAPI(t)
	one := appsPath + "/" + appOf(t, api.do(request{method: "POST", path: appsPath, body: appBody})).ClientID
	clients := api.deps.OAuth.Clients
	api = newAPI(t)
	api.deps.OAuth.Clients, api.deps.OAuth.NoRegistration = clients, true
	// Before the request is looked at, and after the credential.
	wantFailure(t, api.do(request{method: "POST", path: appsPath, body: "{"}), http.StatusForbidden, problem.CodeForbidden)
	wantFailure(t, api.do(request{method: "POST", path: appsPath, body: appBody, key: "unknown"}), http.StatusUnauthorized, problem.CodeUnauthorized)
	wantFailure(t, api.do(request{method: "POST", path: appsPath, body: appBody, key: appToken}), http.StatusForbidden, problem.CodeInsufficientScope)
	for _, r := range []request{{path: appsPath}, {method: "POST", path: one + "/rotate-secret"}, {method: "DELETE", path: one}} {
		if got := api.do(r); got.Status >= 300 {
			t.Errorf("%s %s: got %d: %s", r.method, r.path, got.Status, got.Raw)
		}
	}
}

func TestAnAppReadsAndWritesWhereNothingIsSaid(t *testing.T) {
	app := appOf(t, newAPI(t).do(request{method: "POST", path: appsPath, body: `{"name":"T","redirect_uris":["https://a.example"],"client_type":"public"}`}))
	if app.ClientType != "public" || app.ClientSecret != "" || !slices.Equal(app.Scopes, []string{"read", "write"}) {
		t.Errorf("got %+v", app)
	}
}

func TestAnAppOfAnotherAccountIsNotThere(t *testing.T) {
	api := newAPI(t)
	api.deps.OAuth.Clients.(*fakeClients).apps["theirs"] = &v1alpha1.OAuthClient{
		ObjectMeta: metav1.ObjectMeta{Name: "theirs"},
		Spec:       v1alpha1.OAuthClientSpec{AccountRef: &v1alpha1.AccountReference{Name: "rival"}},
	}
	if list := api.do(request{path: appsPath}); list.Status != http.StatusOK || strings.Contains(list.Raw, "theirs") {
		t.Errorf("got %d: %s", list.Status, list.Raw)
	}
	path := appsPath + "/pr_ci_theirs"
	for _, r := range []request{{path: path}, {method: "DELETE", path: path}, {method: "POST", path: path + "/rotate-secret"}} {
		wantFailure(t, api.do(r), 404, problem.CodeNotFound)
	}
}

func TestAnAppThatCannotBeIsRefused(t *testing.T) {
	api := newAPI(t)
	for body, want := range map[string]string{
		`{"redirect_uris":["https://a.example"]}`: "name",
		`{"name":"T"}`:                    "redirect_uris",
		`{"name":"T","redirect_uris":[]}`: "redirect_uris",
		`{"name":"T","redirect_uris":["javascript:alert(1)"]}`:                        "redirect_uris[0]",
		`{"name":"T","redirect_uris":["https://a.example/#x"]}`:                       "redirect_uris[0]",
		`{"name":"T","redirect_uris":["https://a.example"],"scopes":["all"]}`:         "scopes[0]",
		`{"name":"T","redirect_uris":["https://a.example"],"scopes":["manage"]}`:      "scopes[0]",
		`{"name":"T","redirect_uris":["https://a.example"],"logo_url":"http"}`:        "logo_url",
		`{"name":"T","redirect_uris":["https://a.example"],"contacts":["a@b","abc"]}`: "contacts[1]",
		`{"name":"T","redirect_uris":["https://a.example"],"contacts":["a b@c"]}`:     "contacts[0]",
	} {
		wantFields(t, api.do(request{method: "POST", path: appsPath, body: body}), want)
	}
	api.deps.OAuth.Clients.(*fakeClients).apps["new"] = &v1alpha1.OAuthClient{
		ObjectMeta: metav1.ObjectMeta{Name: "new"},
		Spec:       v1alpha1.OAuthClientSpec{AccountRef: &v1alpha1.AccountReference{Name: "acme"}, Type: v1alpha1.OAuthClientPublic},
	}
	wantFailure(t, api.do(request{method: "POST", path: appsPath + "/pr_ci_new/rotate-secret"}), 409, problem.CodeConflict)
}
