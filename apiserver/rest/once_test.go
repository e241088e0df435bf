package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// register is a request for a client, with an Idempotency-Key.
func register(key string) request {
	return request{method: "POST", path: appsPath, body: appBody, header: map[string]string{"Idempotency-Key": key}}
}

// wantReason checks the answer to a request that conflicts.
func wantReason(t *testing.T, got testkit.Answer, want problem.Reason) problem.Problem {
	t.Helper()
	wantFailure(t, got, http.StatusConflict, problem.CodeConflict)
	p := failureOf(t, got).Problem
	if p.Reason != want {
		t.Errorf("got the reason %q, want %q: %s", p.Reason, want, got.Raw)
	}
	return p
}

func TestASecretIsShownOnceUnderAKey(t *testing.T) {
	api := newAPI(t)
	clients := api.deps.OAuth.Clients.(*fakeClients)
	first := api.do(register("k"))
	app := appOf(t, first)
	if first.Status != http.StatusCreated || !strings.HasPrefix(app.ClientSecret, "pr_cs_") {
		t.Fatalf("got %d: %s", first.Status, first.Raw)
	}
	again := api.do(register("k"))
	p := wantReason(t, again, problem.ReasonSecretShown)
	if len(p.Details) != 1 || p.Details[0] != (problem.Detail{Field: "client_id", Code: problem.DetailInvalid, Message: app.ClientID}) || !strings.Contains(p.Message, app.ClientID) {
		t.Errorf("it does not name the client: %s", again.Raw)
	}
	if len(clients.apps) != 1 || clients.changes != 1 || len(api.objects.records) != 0 {
		t.Errorf("%d clients, %d changes and %d records, want 1, 1 and 0", len(clients.apps), clients.changes, len(api.objects.records))
	}
	other := register("k")
	other.body = strings.Replace(appBody, "Tool", "Other", 1)
	wantReason(t, api.do(other), problem.ReasonKeyReused)
	if another := appOf(t, api.do(register("another"))); another.ClientID == app.ClientID || another.ClientSecret == app.ClientSecret {
		t.Errorf("another key got %+v", another)
	}
}

func TestARepeatThatShowsNoSecretIsAnsweredLikeTheFirstTime(t *testing.T) {
	api, public := newAPI(t), register("k")
	public.body = `{"name":"T","redirect_uris":["https://a.example"],"client_type":"public"}`
	first := api.do(public)
	if again := api.do(public); first.Status != http.StatusCreated || again.Status != first.Status || again.Raw != first.Raw {
		t.Errorf("got %d: %s, want %s", again.Status, again.Raw, first.Raw)
	}
}

func TestASecretIsRotatedOnceUnderAKey(t *testing.T) {
	api := newAPI(t)
	clients := api.deps.OAuth.Clients.(*fakeClients)
	app := appOf(t, api.do(register("k")))
	rotate := request{method: "POST", path: appsPath + "/" + app.ClientID + "/rotate-secret", header: map[string]string{"Idempotency-Key": "k"}}
	if rotated := appOf(t, api.do(rotate)); rotated.ClientSecret == "" || rotated.ClientSecret == app.ClientSecret {
		t.Fatalf("got %+v, want another secret", rotated)
	}
	wantReason(t, api.do(rotate), problem.ReasonSecretShown)
	if clients.changes != 2 || len(api.objects.records) != 0 {
		t.Errorf("%d changes and %d records, want 2 and 0", clients.changes, len(api.objects.records))
	}
}

func TestARepeatNeedsNoRoomForAClient(t *testing.T) {
	api := newAPI(t)
	api.do(register("k"))
	api.clients = v1alpha1.AccountLimits{}.MostOAuthClients()
	wantReason(t, api.do(register("k")), problem.ReasonSecretShown)
	wantLimit(t, api.do(register("another")), "oauthClients", int(v1alpha1.AccountLimits{}.MostOAuthClients()))
}

func TestARefusedRotationMayBeRepeatedUnderItsKey(t *testing.T) {
	api := newAPI(t)
	public := &v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{
		AccountRef: &v1alpha1.AccountReference{Name: "acme"}, Type: v1alpha1.OAuthClientPublic,
	}}
	public.Name = "new"
	clients := api.deps.OAuth.Clients.(*fakeClients)
	clients.apps["new"] = public
	rotate := request{method: "POST", path: appsPath + "/pr_ci_new/rotate-secret", header: keyed}
	wantFailure(t, api.do(rotate), http.StatusConflict, problem.CodeConflict)
	public.Spec.Type = v1alpha1.OAuthClientConfidential
	if got := api.do(rotate); got.Status != http.StatusOK {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}

func TestAnEmptyKeyIsRefused(t *testing.T) {
	api := newAPI(t)
	for _, r := range []request{
		{method: "POST", path: appsPath, body: appBody}, {method: "POST", path: appsPath + "/pr_ci_new/rotate-secret"},
		{method: "POST", path: "/v1/api/event-subscriptions", body: `{"url":"https://example.com/","events":["*"]}`},
		{method: "POST", path: "/v1/api/event-subscriptions/" + anyUID + "/rotate-secret"},
	} {
		r.header = map[string]string{"Idempotency-Key": ""}
		wantFields(t, api.do(r), "Idempotency-Key")
	}
}
