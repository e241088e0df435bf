package rest_test

import (
	"context"
	"net/http"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// usersOfAHandler is how many APIs share a handler. They also share what an account may look up of unknown articles.
const usersOfAHandler = 20

// sharedHandler is the handler of many APIs: its OpenAPI document takes longer to make than most tests run. The fakes behind it are those
// of the API that was asked last.
type sharedHandler struct {
	mu      sync.Mutex
	handler http.Handler
	// api was asked last, after so many others.
	api  *restAPI
	used int

	authenticator struct{ rest.Authenticator }
	index         struct{ rest.Index }
	ledger        struct{ rest.Ledger }
	client        struct{ client.Client }
	clients       struct{ rest.Clients }
	accounts      struct{ rest.Accounts }
	clock         struct{ clock.Clock }
}

var shared sharedHandler

// of returns the handler with an API's fakes behind it. No other API has a request in progress.
func (s *sharedHandler) of(api *restAPI) (handler http.Handler, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.api == api {
		return s.handler, nil
	}
	d := &api.deps
	s.api, s.authenticator.Authenticator, s.index.Index, s.ledger.Ledger = api, d.Authenticator, d.Index, d.Ledger
	s.client.Client, s.clients.Clients, s.accounts.Accounts, s.clock.Clock = d.Client, d.Clients, d.Accounts, d.Clock
	if s.used%usersOfAHandler == 0 {
		s.handler, err = rest.New(rest.Deps{
			Authenticator: &s.authenticator, Index: &s.index, Synced: func() bool { return s.api.synced }, Ledger: &s.ledger, Client: &s.client,
			SystemNamespace: systemNamespace, Clock: &s.clock, Registry: prometheus.NewRegistry(), Clients: &s.clients, Accounts: &s.accounts,
			CountClients: func(context.Context, string) (int64, error) { return s.api.clients, nil },
			Limits:       rest.Limits{RequestsPerSecond: 1e9, RequestBurst: 1e9},
		})
	}
	s.used++
	return s.handler, err
}

// usesShared reports whether all that the test has changed is behind the handler.
func (api *restAPI) usesShared() bool {
	return !api.alone && api.deps.Limits == rest.Limits{} && api.deps.Registry == nil && api.deps.Log.GetSink() == nil && api.deps.Local == nil &&
		!api.deps.NoClientRegistration
}

// ServeHTTP has the REST API answer a request.
func (api *restAPI) ServeHTTP(rw http.ResponseWriter, q *http.Request) {
	if api.usesShared() {
		handler, err := shared.of(api)
		if err != nil {
			api.t.Error(err)
			return
		}
		handler.ServeHTTP(rw, q)
		return
	}
	api.once.Do(api.build)
	api.own.ServeHTTP(rw, q)
}

// build makes a handler of the API's own.
func (api *restAPI) build() {
	if api.deps.Registry == nil {
		api.deps.Registry = prometheus.NewRegistry()
	}
	own, err := rest.New(api.deps)
	if err != nil {
		api.t.Fatal(err)
	}
	api.own = own
}
