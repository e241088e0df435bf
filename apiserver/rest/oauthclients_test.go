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
	"github.com/pressroom-dev/pressroom/test/testkit"
)

const (
	clientsPath = "/v1/api/oauth/clients"
	clientBody  = `{"name":"Tool","redirect_uris":["https://tool.example/cb"],"scopes":["approve","read"],"loopback_port":"any","home_url":"https://tool.example"}`
)

// fakeClients is a registry in memory. The registry itself is tested on a real kube-apiserver.
type fakeClients struct {
	clients map[string]*v1alpha1.OAuthClient
	// err is the answer of kube-apiserver to a change of a client.
	err error
	// changes counts the clients that were created and the secrets that were changed.
	changes int
}

func (*fakeClients) Prepare(name string, spec v1alpha1.OAuthClientSpec) (*v1alpha1.OAuthClient, string, error) {
	return oauth.NewRegistry(nil, credential.DefaultCell, nil).Prepare(name, spec)
}

func (f *fakeClients) Store(_ context.Context, client *v1alpha1.OAuthClient) error {
	if f.err != nil {
		return f.err
	}
	if f.clients[client.Name] != nil {
		return apierrors.NewAlreadyExists(schema.GroupResource{Resource: "oauthclients"}, client.Name)
	}
	client.UID, client.CreationTimestamp = types.UID(client.Name), metav1.NewTime(began)
	f.changes++
	f.clients[client.Name] = client
	return nil
}

func (f *fakeClients) RotateOnce(_ context.Context, name string, _ time.Duration, request string) (*v1alpha1.OAuthClient, string, error) {
	client := f.clients[name]
	switch {
	case f.err != nil:
		return nil, "", f.err
	case client.Spec.Type == v1alpha1.OAuthClientPublic:
		return nil, "", oauth.ErrPublic
	case rotation.Repeated(client, request):
		return nil, "", rotation.ErrRepeated
	}
	f.changes++
	rotation.Remember(client, request)
	return client, "secret-" + strconv.Itoa(f.changes), nil
}

func (f *fakeClients) List(_ context.Context, account string) ([]v1alpha1.OAuthClient, error) {
	var own []v1alpha1.OAuthClient
	for _, client := range f.clients {
		if client.Spec.AccountRef.Name == account {
			own = append(own, *client)
		}
	}
	return own, nil
}

func (f *fakeClients) Find(_ context.Context, account, clientID string) (*v1alpha1.OAuthClient, error) {
	client := f.clients[strings.TrimPrefix(clientID, v1alpha1.ClientIDPrefix)]
	if client == nil || client.Spec.AccountRef.Name != account {
		return nil, oauth.ErrUnknownClient
	}
	return client, nil
}

func (f *fakeClients) Delete(_ context.Context, name string) error {
	delete(f.clients, name)
	return f.err
}

func clientOf(t *testing.T, a testkit.Answer) oauthclient.OAuthClient {
	t.Helper()
	var got oauthclient.OAuthClientAnswer
	if err := json.Unmarshal([]byte(a.Raw), &got); err != nil || !got.Success {
		t.Fatalf("%v: %s", err, a.Raw)
	}
	return got.OAuthClient
}

func TestAnAppIsRegisteredAndItsSecretIsShownOnce(t *testing.T) {
	v, api := openAPIValidator(t), newAPI(t)
	got := api.do(request{method: "POST", path: clientsPath, body: clientBody})
	client := clientOf(t, got)
	if got.Status != http.StatusCreated || got.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %d with Cache-Control %q", got.Status, got.Header.Get("Cache-Control"))
	}
	if !strings.HasPrefix(client.ClientSecret, "pr_cs_") || client.ClientType != "confidential" || client.LoopbackPort != "any" ||
		!slices.Equal(client.Scopes, []string{"read", "approve"}) || !slices.Equal(client.RedirectURIs, []string{"https://tool.example/cb"}) {
		t.Errorf("got %+v", client)
	}
	one := clientsPath + "/" + client.ClientID
	if again := api.do(request{path: one}); clientOf(t, again).ClientSecret != "" || strings.Contains(again.Raw, client.ClientSecret) {
		t.Errorf("the secret is shown again: %s", again.Raw)
	}
	if rotated := clientOf(t, api.do(request{method: "POST", path: one + "/rotate-secret"})); rotated.ClientSecret != "secret-2" {
		t.Errorf("got %+v, want a new secret", rotated)
	}
	api.checkAgainst(v, request{method: "POST", path: clientsPath, body: clientBody}, 201, true)
	api.checkAgainst(v, request{path: clientsPath}, 200, true)
	api.checkAgainst(v, request{path: one}, 200, true)
	api.checkAgainst(v, request{method: "POST", path: one + "/rotate-secret"}, 200, true)
	api.checkAgainst(v, request{method: "DELETE", path: one}, 204, true)
	api.checkAgainst(v, request{path: one}, 404, true)
}

func TestAppsAreRegisteredByTheOperatorAloneIfTheInstallationSaysSo(t *testing.T) {
	api := newAPI(t)
	one := clientsPath + "/" + clientOf(t, api.do(request{method: "POST", path: clientsPath, body: clientBody})).ClientID
	clients := api.deps.OAuth.Clients
	api = newAPI(t)
	api.deps.OAuth.Clients, api.deps.OAuth.NoRegistration = clients, true
	// Before the request is looked at, and after the credential.
	wantFailure(t, api.do(request{method: "POST", path: clientsPath, body: "{"}), http.StatusForbidden, problem.CodeForbidden)
	wantFailure(t, api.do(request{method: "POST", path: clientsPath, body: clientBody, key: "unknown"}), http.StatusUnauthorized, problem.CodeUnauthorized)
	wantFailure(t, api.do(request{method: "POST", path: clientsPath, body: clientBody, key: appToken}), http.StatusForbidden, problem.CodeInsufficientScope)
	for _, r := range []request{{path: clientsPath}, {method: "POST", path: one + "/rotate-secret"}, {method: "DELETE", path: one}} {
		if got := api.do(r); got.Status >= 300 {
			t.Errorf("%s %s: got %d: %s", r.method, r.path, got.Status, got.Raw)
		}
	}
}

func TestAnAppReadsAndWritesWhereNothingIsSaid(t *testing.T) {
	client := clientOf(t, newAPI(t).do(request{method: "POST", path: clientsPath, body: `{"name":"T","redirect_uris":["https://a.example"],"client_type":"public"}`}))
	if client.ClientType != "public" || client.ClientSecret != "" || !slices.Equal(client.Scopes, []string{"read", "write"}) {
		t.Errorf("got %+v", client)
	}
}

func TestAnAppOfAnotherAccountIsNotThere(t *testing.T) {
	api := newAPI(t)
	api.deps.OAuth.Clients.(*fakeClients).clients["theirs"] = &v1alpha1.OAuthClient{
		ObjectMeta: metav1.ObjectMeta{Name: "theirs"},
		Spec:       v1alpha1.OAuthClientSpec{AccountRef: &v1alpha1.AccountReference{Name: "rival"}},
	}
	if list := api.do(request{path: clientsPath}); list.Status != http.StatusOK || strings.Contains(list.Raw, "theirs") {
		t.Errorf("got %d: %s", list.Status, list.Raw)
	}
	path := clientsPath + "/pr_ci_theirs"
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
		wantFields(t, api.do(request{method: "POST", path: clientsPath, body: body}), want)
	}
	api.deps.OAuth.Clients.(*fakeClients).clients["new"] = &v1alpha1.OAuthClient{
		ObjectMeta: metav1.ObjectMeta{Name: "new"},
		Spec:       v1alpha1.OAuthClientSpec{AccountRef: &v1alpha1.AccountReference{Name: "acme"}, Type: v1alpha1.OAuthClientPublic},
	}
	wantFailure(t, api.do(request{method: "POST", path: clientsPath + "/pr_ci_new/rotate-secret"}), 409, problem.CodeConflict)
}
