package operation_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestSubscriptionsAndClientsHaveALimitByDefault(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Index = operationtest.Full{Index: api.Index, Has: index.Usage{Subscriptions: v1alpha1.AccountLimits{}.MostEventSubscriptions()}}
	api.Clients = v1alpha1.AccountLimits{}.MostOAuthClients()
	operationtest.WantLimit(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/event-subscriptions", Body: `{"url":"https://example.com/","events":["*"]}`}),
		"eventSubscriptions", 100)
	client := operationtest.Request{Method: "POST", Path: "/v1/api/oauth/clients", Body: `{"name":"n","redirect_uris":["https://example.com/"]}`}
	operationtest.WantLimit(t, api.Do(client), "oauthClients", 50)
	api.Account.Spec.Limits.OAuthClients = new(int32(51))
	if got := api.Do(client); got.Status != http.StatusCreated {
		t.Errorf("with another limit: got %d: %s", got.Status, got.Raw)
	}
}

func TestNothingIsCreatedWhileTheLimitsAreUnknown(t *testing.T) {
	api := operationtest.New(t)
	api.Account.Err = errors.New("no route to host")
	operationtest.WantFailure(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}), http.StatusServiceUnavailable, problem.CodeUnavailable)
	if len(api.Ledger.Charges) > 0 || len(api.Objects.Articles) > 0 {
		t.Error("something was charged or created")
	}
}
