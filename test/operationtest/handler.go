package operationtest

import (
	"context"
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// usersOfAHandler is how many APIs share a handler. They also share what an account may look up of unknown articles.
const usersOfAHandler = 20

// sharedHandler is the handler of many APIs: its OpenAPI document takes longer to make than most tests run. The fakes behind it are those
// of the API that was asked last.
type sharedHandler struct {
	mu      sync.Mutex
	handler http.Handler
	// api was asked last, after so many others.
	api  *API
	used int

	authenticator struct{ operation.Authenticator }
	index         struct{ operation.Index }
	ledger        struct{ generation.Ledger }
	client        struct{ client.Client }
	clients       struct{ oauthclient.Clients }
	accounts      struct{ operation.Accounts }
	clock         struct{ clock.Clock }
}

var shared sharedHandler

// of returns the handler with an API's fakes behind it. No other API has a request in progress.
func (s *sharedHandler) of(api *API) http.Handler {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.api == api {
		return s.handler
	}
	d := &api.Deps
	s.api, s.authenticator.Authenticator, s.index.Index, s.ledger.Ledger = api, d.Authenticator, d.Index, d.Ledger
	s.client.Client, s.clients.Clients, s.accounts.Accounts, s.clock.Clock = d.Client, d.OAuth.Clients, d.Accounts, d.Clock
	if s.used%usersOfAHandler == 0 {
		s.handler = rest.New(rest.Deps{
			Deps: operation.Deps{
				Authenticator: &s.authenticator, Index: &s.index, Accounts: &s.accounts, Synced: func() bool { return s.api.Synced },
				Client: kube.NewClient(&s.client, 0), SystemNamespace: systemNamespace, Clock: &s.clock,
				Limits: operation.Limits{RequestsPerSecond: 1e9, RequestBurst: 1e9},
			},
			Ledger: &s.ledger, Registry: prometheus.NewRegistry(),
			OAuth: oauthclient.Deps{
				Clients: &s.clients,
				Count:   func(context.Context, string) (int64, error) { return s.api.Clients, nil },
				Counts:  func(context.Context, string) bool { return true },
			},
		})
	}
	s.used++
	return s.handler
}

// usesShared reports whether all that the test has changed is behind the handler.
func (api *API) usesShared() bool {
	d := &api.Deps
	return !api.alone && !d.OAuth.NoRegistration && d.Limits == operation.Limits{} &&
		d.Registry == nil && d.Log.GetSink() == nil && d.Local == nil && d.Share.Keys == nil
}

// ServeHTTP has the REST API answer a request.
func (api *API) ServeHTTP(rw http.ResponseWriter, q *http.Request) {
	api.handler().ServeHTTP(rw, q)
}

// handler returns the shared handler, or else one of the API's own, which the first request makes.
func (api *API) handler() http.Handler {
	api.mu.Lock()
	defer api.mu.Unlock()
	switch {
	case api.own != nil:
		return api.own
	case api.usesShared():
		return shared.of(api)
	}
	if api.Deps.Registry == nil {
		api.Deps.Registry = prometheus.NewRegistry()
	}
	deps := api.Deps
	deps.Client = kube.NewClient(deps.Client, 0)
	api.own = rest.New(deps)
	return api.own
}
