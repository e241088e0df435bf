package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// register is a request for a client, with an Idempotency-Key.
func register(key string) request {
	return request{method: "POST", path: appsPath, body: appBody, header: map[string]string{"Idempotency-Key": key}}
}

// only is the record that there is.
func (api *restAPI) only() *internalv1alpha1.IdempotencyRecord {
	api.t.Helper()
	if len(api.objects.records) != 1 {
		api.t.Fatalf("there are %d records, want 1", len(api.objects.records))
	}
	for _, r := range api.objects.records {
		return r
	}
	return nil
}

func TestARepeatShowsTheSecretAgain(t *testing.T) {
	api := newAPI(t)
	clients := api.deps.Clients.(*fakeClients)
	first := api.do(register("k"))
	app := appOf(t, first)
	if first.Status != http.StatusCreated || !strings.HasPrefix(app.ClientSecret, "pr_cs_") {
		t.Fatalf("got %d: %s", first.Status, first.Raw)
	}
	if again := api.do(register("k")); again.Status != first.Status || again.Raw != first.Raw || clients.changes != 1 {
		t.Errorf("got %d %s after %d changes, want %s", again.Status, again.Raw, clients.changes, first.Raw)
	}
	r := api.only()
	if r.Namespace != "pressroom-system" || r.Spec.Object != strings.TrimPrefix(app.ClientID, "pr_ci_") || r.Spec.ObjectUID == "" || len(r.Spec.Salt) != 43 {
		t.Errorf("the record is %+v", r)
	}
	other := register("k")
	other.body = strings.Replace(appBody, "Tool", "Other", 1)
	wantFailure(t, api.do(other), http.StatusConflict, problem.CodeConflict)
	if another := appOf(t, api.do(register("another"))); another.ClientID == app.ClientID || another.ClientSecret == app.ClientSecret {
		t.Errorf("another key got %+v", another)
	}
	clear(clients.apps)
	wantFailure(t, api.do(register("k")), http.StatusConflict, problem.CodeConflict)
}

func TestTheSecretIsDerivedFromTheCredential(t *testing.T) {
	api := newAPI(t)
	rotate := request{method: "POST", path: appsPath + "/pr_ci_new/rotate", header: map[string]string{"Idempotency-Key": "k"}}
	api.do(request{method: "POST", path: appsPath, body: appBody})
	first := api.do(rotate)
	if secret := appOf(t, first).ClientSecret; !strings.HasPrefix(secret, "pr_cs_") || api.do(rotate).Raw != first.Raw {
		t.Errorf("got %s, and then another answer", first.Raw)
	}
	// Another key of the same account, with the same id and other bytes.
	rotate.key = rightKey + "-again"
	wantFailure(t, api.do(rotate), http.StatusConflict, problem.CodeConflict)
	stored, err := json.Marshal(api.only())
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{appOf(t, first).ClientSecret, rightKey + "-"} {
		if strings.Contains(string(stored), secret) {
			t.Errorf("the record reveals %s: %s", secret, stored)
		}
	}
}

func TestARepeatNeedsNoRoomForAClient(t *testing.T) {
	api := newAPI(t)
	first := api.do(register("k"))
	api.clients = v1alpha1.DefaultOAuthClients
	if again := api.do(register("k")); again.Raw != first.Raw {
		t.Errorf("got %d: %s", again.Status, again.Raw)
	}
	wantLimit(t, api.do(register("another")), "oauthClients", v1alpha1.DefaultOAuthClients)
	if len(api.objects.records) != 1 {
		t.Errorf("%d records, want 1: what is refused is not remembered", len(api.objects.records))
	}
}

func TestARefusedRotationMayBeRepeatedUnderItsKey(t *testing.T) {
	api := newAPI(t)
	public := &v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{
		AccountRef: &v1alpha1.AccountReference{Name: "acme"}, Type: v1alpha1.OAuthClientPublic,
	}}
	public.Name = "new"
	api.deps.Clients.(*fakeClients).apps["new"] = public
	wantFailure(t, api.do(request{method: "POST", path: appsPath + "/pr_ci_new/rotate", header: keyed}), http.StatusConflict, problem.CodeConflict)
	if len(api.objects.records) != 0 {
		t.Errorf("%d records, want 0", len(api.objects.records))
	}
}

func TestAnEmptyKeyIsRefused(t *testing.T) {
	api := newAPI(t)
	for _, r := range []request{
		{method: "POST", path: appsPath, body: appBody}, {method: "POST", path: appsPath + "/pr_ci_new/rotate"},
		{method: "POST", path: "/v1/api/event-subscriptions", body: `{"url":"https://example.com/","events":["*"]}`},
		{method: "POST", path: "/v1/api/event-subscriptions/" + anyUID + "/rotate-secret"},
	} {
		r.header = map[string]string{"Idempotency-Key": ""}
		wantFields(t, api.do(r), "Idempotency-Key")
	}
}

// The first of two requests with one key was refused and forgotten, and a third one has begun anew, while the second was held up.
func TestWhatAForgottenRequestHasCreatedIsRemoved(t *testing.T) {
	api := newAPI(t)
	clients := api.deps.Clients.(*fakeClients)
	clients.before = func() {
		clients.before = nil
		r := api.only().DeepCopy()
		r.Spec.Salt, r.ResourceVersion = strings.Repeat("s", 43), "2"
		api.objects.records[client.ObjectKeyFromObject(r)] = r
	}
	wantFailure(t, api.do(register("k")), http.StatusServiceUnavailable, problem.CodeUnavailable)
	if len(clients.apps) != 0 {
		t.Errorf("%d clients are left, want none: nobody knows their secrets", len(clients.apps))
	}
	if got := api.do(register("k")); got.Status != http.StatusCreated || len(clients.apps) != 1 {
		t.Errorf("the repeat got %d with %d clients: %s", got.Status, len(clients.apps), got.Raw)
	}
}
