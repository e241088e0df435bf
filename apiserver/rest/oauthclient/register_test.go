package oauthclient_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func clientOf(t *testing.T, a testkit.Answer) oauthclient.OAuthClient {
	t.Helper()
	var got oauthclient.OAuthClientAnswer
	if err := json.Unmarshal([]byte(a.Raw), &got); err != nil || !got.Success {
		t.Fatalf("%v: %s", err, a.Raw)
	}
	return got.OAuthClient
}

func TestAnAppIsRegisteredAndItsSecretIsShownOnce(t *testing.T) {
	api := operationtest.New(t)
	got := api.Do(operationtest.Request{Method: "POST", Path: operationtest.ClientsPath, Body: operationtest.ClientBody})
	client := clientOf(t, got)
	if got.Status != http.StatusCreated || got.Header.Get("Cache-Control") != "no-store" {
		t.Errorf("got %d with Cache-Control %q", got.Status, got.Header.Get("Cache-Control"))
	}
	if !strings.HasPrefix(client.ClientSecret, "pr_cs_") || client.ClientType != "confidential" || client.LoopbackPort != "any" ||
		!slices.Equal(client.Scopes, []string{"read", "approve"}) || !slices.Equal(client.RedirectURIs, []string{"https://tool.example/cb"}) {
		t.Errorf("got %+v", client)
	}
	one := operationtest.ClientsPath + "/" + client.ClientID
	if again := api.Do(operationtest.Request{Path: one}); clientOf(t, again).ClientSecret != "" || strings.Contains(again.Raw, client.ClientSecret) {
		t.Errorf("the secret is shown again: %s", again.Raw)
	}
	if rotated := clientOf(t, api.Do(operationtest.Request{Method: "POST", Path: one + "/rotate-secret"})); rotated.ClientSecret != "secret-2" {
		t.Errorf("got %+v, want a new secret", rotated)
	}
	if got := api.Do(operationtest.Request{Method: "DELETE", Path: one}); got.Status != http.StatusNoContent {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
	operationtest.WantFailure(t, api.Do(operationtest.Request{Path: one}), http.StatusNotFound, problem.CodeNotFound)
}

func TestAppsAreRegisteredByTheOperatorAloneIfTheInstallationSaysSo(t *testing.T) {
	api := operationtest.New(t)
	one := operationtest.ClientsPath + "/" + clientOf(t, api.Do(operationtest.Request{Method: "POST", Path: operationtest.ClientsPath, Body: operationtest.ClientBody})).ClientID
	clients := api.Deps.OAuth.Clients
	api = operationtest.New(t)
	api.Deps.OAuth.Clients, api.Deps.OAuth.NoRegistration = clients, true
	// Before the request is looked at, and after the credential.
	operationtest.WantFailure(t, api.Do(operationtest.Request{Method: "POST", Path: operationtest.ClientsPath, Body: "{"}), http.StatusForbidden, problem.CodeForbidden)
	operationtest.WantFailure(t, api.Do(operationtest.Request{Method: "POST", Path: operationtest.ClientsPath, Body: operationtest.ClientBody, Key: "unknown"}), http.StatusUnauthorized, problem.CodeUnauthorized)
	operationtest.WantFailure(t, api.Do(operationtest.Request{Method: "POST", Path: operationtest.ClientsPath, Body: operationtest.ClientBody, Key: operationtest.AppToken}), http.StatusForbidden, problem.CodeInsufficientScope)
	for _, r := range []operationtest.Request{{Path: operationtest.ClientsPath}, {Method: "POST", Path: one + "/rotate-secret"}, {Method: "DELETE", Path: one}} {
		if got := api.Do(r); got.Status >= 300 {
			t.Errorf("%s %s: got %d: %s", r.Method, r.Path, got.Status, got.Raw)
		}
	}
}

func TestAnAppReadsAndWritesWhereNothingIsSaid(t *testing.T) {
	client := clientOf(t, operationtest.New(t).Do(operationtest.Request{Method: "POST", Path: operationtest.ClientsPath, Body: `{"name":"T","redirect_uris":["https://a.example"],"client_type":"public"}`}))
	if client.ClientType != "public" || client.ClientSecret != "" || !slices.Equal(client.Scopes, []string{"read", "write"}) {
		t.Errorf("got %+v", client)
	}
}

func TestAnAppThatCannotBeIsRefused(t *testing.T) {
	api := operationtest.New(t)
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
		operationtest.WantFields(t, api.Do(operationtest.Request{Method: "POST", Path: operationtest.ClientsPath, Body: body}), want)
	}
	api.Deps.OAuth.Clients.(*operationtest.FakeClients).Clients["new"] = &v1alpha1.OAuthClient{
		ObjectMeta: metav1.ObjectMeta{Name: "new"},
		Spec:       v1alpha1.OAuthClientSpec{AccountRef: &v1alpha1.AccountReference{Name: "acme"}, Type: v1alpha1.OAuthClientPublic},
	}
	operationtest.WantFailure(t, api.Do(operationtest.Request{Method: "POST", Path: operationtest.ClientsPath + "/pr_ci_new/rotate-secret"}), 409, problem.CodeConflict)
}
