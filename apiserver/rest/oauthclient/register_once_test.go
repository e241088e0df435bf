package oauthclient_test

import (
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// register is a request for a client, with an Idempotency-Key.
func register(key string) operationtest.Request {
	return operationtest.Request{Method: "POST", Path: operationtest.ClientsPath, Body: operationtest.ClientBody, Header: map[string]string{"Idempotency-Key": key}}
}

func TestARepeatThatShowsNoSecretIsAnsweredLikeTheFirstTime(t *testing.T) {
	api, public := operationtest.New(t), register("k")
	public.Body = `{"name":"T","redirect_uris":["https://a.example"],"client_type":"public"}`
	first := api.Do(public)
	if again := api.Do(public); first.Status != http.StatusCreated || again.Status != first.Status || again.Raw != first.Raw {
		t.Errorf("got %d: %s, want %s", again.Status, again.Raw, first.Raw)
	}
}

func TestARepeatNeedsNoRoomForAClient(t *testing.T) {
	api := operationtest.New(t)
	api.Do(register("k"))
	api.Clients = v1alpha1.AccountLimits{}.MostOAuthClients()
	operationtest.WantReason(t, api.Do(register("k")), problem.ReasonSecretShown)
	operationtest.WantLimit(t, api.Do(register("another")), "oauthClients", int(v1alpha1.AccountLimits{}.MostOAuthClients()))
}

func TestARefusedRotationMayBeRepeatedUnderItsKey(t *testing.T) {
	api := operationtest.New(t)
	public := &v1alpha1.OAuthClient{Spec: v1alpha1.OAuthClientSpec{
		AccountRef: &v1alpha1.AccountReference{Name: "acme"}, Type: v1alpha1.OAuthClientPublic,
	}}
	public.Name = "new"
	clients := api.Deps.OAuth.Clients.(*operationtest.FakeClients)
	clients.Clients["new"] = public
	rotate := operationtest.Request{Method: "POST", Path: operationtest.ClientsPath + "/pr_ci_new/rotate-secret", Header: operationtest.Keyed}
	operationtest.WantFailure(t, api.Do(rotate), http.StatusConflict, problem.CodeConflict)
	public.Spec.Type = v1alpha1.OAuthClientConfidential
	if got := api.Do(rotate); got.Status != http.StatusOK {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}

// If-Match is about the app as it was read. A repeat is about the first request.
func TestARotationIsOfTheAppThatWasRead(t *testing.T) {
	api := operationtest.New(t)
	api.Into(operationtest.Request{Method: "POST", Path: operationtest.ClientsPath, Body: operationtest.ClientBody}, nil)
	clients := api.Deps.OAuth.Clients.(*operationtest.FakeClients)
	for _, client := range clients.Clients {
		client.Generation = 2
		path := operationtest.ClientsPath + "/" + client.ClientID()
		tag := api.Do(operationtest.Request{Path: path}).Header.Get("ETag")
		rotate := func(tag, key string) operationtest.Request {
			return operationtest.Request{Method: "POST", Path: path + "/rotate-secret", Header: map[string]string{"If-Match": tag, "Idempotency-Key": key}}
		}
		operationtest.WantFailure(t, api.Do(rotate(`"nope"`, "a")), http.StatusPreconditionFailed, problem.CodePreconditionFailed)
		if got := api.Do(rotate(tag, "a")); got.Status != http.StatusOK {
			t.Errorf("got %d: %s", got.Status, got.Raw)
		}
		client.Generation = 3
		operationtest.WantReason(t, api.Do(rotate(tag, "a")), problem.ReasonSecretShown)
		operationtest.WantFailure(t, api.Do(rotate(tag, "b")), http.StatusPreconditionFailed, problem.CodePreconditionFailed)
	}
}
