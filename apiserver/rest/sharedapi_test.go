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

// worldsOfAnAPI is how many worlds share a REST API. They share what an account may look up of unknown articles, too.
const worldsOfAnAPI = 20

// sharedAPI is a REST API of many worlds: its OpenAPI document takes longer to make than most tests run. The fakes behind it are those of
// the world that was asked last.
type sharedAPI struct {
	mu      sync.Mutex
	handler http.Handler
	// w is the world that was asked last, and worlds how many there were before it.
	w      *world
	worlds int

	authenticator struct{ rest.Authenticator }
	index         struct{ rest.Index }
	ledger        struct{ rest.Ledger }
	client        struct{ client.Client }
	clients       struct{ rest.Clients }
	limits        struct{ rest.AccountLimits }
	clock         struct{ clock.Clock }
}

var shared sharedAPI

// of returns the handler with a world's fakes behind it. No other world has a request in progress.
func (s *sharedAPI) of(w *world) (handler http.Handler, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.w == w {
		return s.handler, nil
	}
	d := &w.deps
	s.w, s.authenticator.Authenticator, s.index.Index, s.ledger.Ledger = w, d.Authenticator, d.Index, d.Ledger
	s.client.Client, s.clients.Clients, s.limits.AccountLimits, s.clock.Clock = d.Client, d.Clients, d.AccountLimits, d.Clock
	if s.worlds%worldsOfAnAPI == 0 {
		s.handler, err = rest.New(rest.Deps{
			Authenticator: &s.authenticator, Index: &s.index, Synced: func() bool { return s.w.synced }, Ledger: &s.ledger, Client: &s.client,
			SystemNamespace: systemNamespace, Clock: &s.clock, Registry: prometheus.NewRegistry(), Clients: &s.clients, AccountLimits: &s.limits,
			CountClients: func(context.Context, string) (int64, error) { return s.w.clients, nil },
			Limits:       rest.Limits{RequestsPerSecond: 1e9, RequestBurst: 1e9},
		})
	}
	s.worlds++
	return s.handler, err
}

// shares reports whether the shared API answers as one of the world's own would: all that the world has changed is behind it.
func (w *world) shares() bool {
	return !w.alone && w.deps.Limits == rest.Limits{} && w.deps.Registry == nil && w.deps.Log.GetSink() == nil && w.deps.Local == nil &&
		!w.deps.NoClientRegistration
}

// ServeHTTP has the REST API answer a request.
func (w *world) ServeHTTP(rw http.ResponseWriter, q *http.Request) {
	if w.shares() {
		handler, err := shared.of(w)
		if err != nil {
			w.t.Error(err)
			return
		}
		handler.ServeHTTP(rw, q)
		return
	}
	w.once.Do(w.build)
	w.own.ServeHTTP(rw, q)
}

// build makes a REST API of the world's own.
func (w *world) build() {
	if w.deps.Registry == nil {
		w.deps.Registry = prometheus.NewRegistry()
	}
	own, err := rest.New(w.deps)
	if err != nil {
		w.t.Fatal(err)
	}
	w.own = own
}
