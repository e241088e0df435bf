package rest_test

import (
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// register is a request for a client, with an Idempotency-Key.
func register(key string) request {
	return request{method: "POST", path: clientsPath, body: clientBody, header: map[string]string{"Idempotency-Key": key}}
}

// wantReason checks the answer to a request that conflicts.
func wantReason(t *testing.T, got testkit.Answer, want problem.Reason) {
	t.Helper()
	wantFailure(t, got, http.StatusConflict, problem.CodeConflict)
	if reason := failureOf(t, got).Problem.Reason; reason != want {
		t.Errorf("got the reason %q, want %q: %s", reason, want, got.Raw)
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
	clients.clients["new"] = public
	rotate := request{method: "POST", path: clientsPath + "/pr_ci_new/rotate-secret", header: keyed}
	wantFailure(t, api.do(rotate), http.StatusConflict, problem.CodeConflict)
	public.Spec.Type = v1alpha1.OAuthClientConfidential
	if got := api.do(rotate); got.Status != http.StatusOK {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}

func TestAnEmptyKeyIsRefused(t *testing.T) {
	api := newAPI(t)
	for _, r := range []request{
		{method: "POST", path: "/v1/api/generate", body: generateBody(nil)},
		{method: "POST", path: clientsPath, body: clientBody}, {method: "POST", path: clientsPath + "/pr_ci_new/rotate-secret"},
		{method: "POST", path: "/v1/api/event-subscriptions", body: `{"url":"https://example.com/","events":["*"]}`},
		{method: "POST", path: "/v1/api/event-subscriptions/" + anyUID + "/rotate-secret"},
	} {
		r.header = map[string]string{"Idempotency-Key": ""}
		wantFields(t, api.do(r), "Idempotency-Key")
	}
}
