// Package apiserver runs the facade: its cache, its index, its handlers and its listeners. It is stateless, so any number of
// replicas can run.
package apiserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/certwatcher"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	facade "github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/informers"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// drainTimeout bounds how long requests in progress may take at shutdown. It is longer than any of their requests to
// kube-apiserver.
const drainTimeout = 30 * time.Second

// Server is one replica of the facade.
type Server struct {
	options   Options
	cache     cache.Cache
	informers *informers.Health
	reporter  *informers.Reporter
	index     *index.Index
	lookup    *auth.Lookup
	keys      *auth.Authenticator
	listeners []*listener
	api       *listener
	used      *oauth.LastUsed
	// certificate is nil if the REST API is plain HTTP.
	certificate *certwatcher.CertWatcher
	draining    atomic.Bool
	// ending is closed when draining begins: streams end by themselves.
	ending chan struct{}
}

// New returns a Server and opens its listeners, so that an address in use is reported at once. Run must follow.
func New(o Options) (*Server, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	s := &Server{
		options: o, index: index.New(o.Clock), informers: informers.NewHealth(), ending: make(chan struct{}),
	}
	cached, live, err := connect(o, s.index, s.informers)
	if err != nil {
		return nil, err
	}
	s.cache = cached
	s.reporter = &informers.Reporter{Health: s.informers, Client: live, Pod: o.Pod, Clock: o.Clock, Log: o.Log}
	store := oauth.Store{
		Cache: cached, Client: live, Cell: o.Cell, Clock: o.Clock, Limits: s.limitsOf, Written: middleware.NewWritten(o.Clock),
	}
	s.used = oauth.NewLastUsed(store, o.Log)
	s.lookup = auth.NewLookup(cached, live, o.Clock)
	s.keys = &auth.Authenticator{Lookup: s.lookup, Clock: o.Clock, Used: s.used.Touch}
	grants, registry := oauth.NewGrants(store, s.clients(store)), prometheus.NewRegistry()
	registry.MustRegister(s.informers)
	deps := facade.Deps{
		Deps: operation.Deps{
			Authenticator: s.keys, Index: s.index, Accounts: s.lookup, Refused: s.lookup.Gone, Synced: s.synced, Client: live,
			SystemNamespace: o.SystemNamespace, Clock: o.Clock, Log: o.Log, Limits: o.Limits, Written: store.Written,
		},
		Ledger: ledger.NewCharger(live, o.Clock), Cell: o.Cell, Registry: registry,
		OAuth: oauthclient.Deps{
			Clients: oauth.NewRegistry(live, o.Cell, o.Clock), Grants: grants, Count: store.CountClients, Counts: store.CountsClient,
			NoRegistration: o.NoClientRegistration,
		},
		Local:  &operation.Local{},
		Mounts: []func(gin.IRouter){s.oauth(grants)},
	}
	deps.Mounts = append(deps.Mounts, s.agents(deps.Local))
	if err := s.addPages(&deps, store, grants); err != nil {
		return nil, err
	}
	if err := s.open(facade.New(deps), registry); err != nil {
		return nil, err
	}
	if !s.hasAddress() {
		o.Log.Info("the pages and the metadata of OAuth answer 503 until --base-url says under which address clients reach the REST API")
	}
	return s, nil
}

// limitsOf returns the limits of an account, from memory.
func (s *Server) limitsOf(ctx context.Context, name string) (v1alpha1.AccountLimits, error) {
	account, err := s.lookup.Account(ctx, name)
	if err != nil || account == nil {
		return v1alpha1.AccountLimits{}, err
	}
	return account.Spec.Limits, nil
}

// URL of the REST API, by the address of its listener.
func (s *Server) URL() string { return s.api.url() }

// Run serves until ctx ends, and then until the requests in progress are answered.
func (s *Server) Run(ctx context.Context) error {
	// The cache runs until the requests in progress are answered.
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	group, running := errgroup.WithContext(running)
	if err := s.watch(running); err != nil {
		s.close()
		return err
	}
	group.Go(func() error { return s.cache.Start(running) })
	group.Go(func() error { return s.used.Run(running) })
	if s.options.Pod.Name != "" {
		group.Go(func() error { return s.reporter.Start(running) })
	}
	if s.certificate != nil {
		group.Go(func() error { return s.certificate.Start(running) })
	}
	for _, l := range s.listeners {
		group.Go(l.serve)
	}
	group.Go(func() error {
		select {
		case <-ctx.Done():
		case <-running.Done():
		}
		defer stop()
		return s.drain(context.WithoutCancel(ctx))
	})
	return group.Wait()
}

// watch feeds the index, the keys and the pages from the cache.
func (s *Server) watch(ctx context.Context) error {
	if err := cmp.Or(s.index.Register(ctx, s.cache), s.lookup.Register(ctx, s.cache), oauth.IndexGrants(ctx, s.cache),
		oauth.IndexClients(ctx, s.cache), login.IndexMembers(ctx, s.cache)); err != nil {
		return fmt.Errorf("feeding the index, the keys and the pages: %w", err)
	}
	return nil
}

// synced reports whether the index, the keys and what else the cache has are complete.
func (s *Server) synced() bool {
	return s.informers.HasSynced() && s.index.HasSynced() && s.lookup.HasSynced()
}

// drain accepts no more requests and waits for those in progress. Metrics and health are served to the end.
func (s *Server) drain(ctx context.Context) error {
	s.draining.Store(true)
	close(s.ending)
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	err := s.api.server.Shutdown(ctx)
	for _, l := range s.listeners {
		err = errors.Join(err, l.server.Close())
	}
	if err != nil && !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("ending the server: %w", err)
	}
	return nil
}

// healthHandler serves /healthz, which succeeds while the process answers, and /readyz, which succeeds while the index is complete
// and the replica is not shutting down. Neither depends on kube-apiserver: lists are answered without it.
func (s *Server) healthHandler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		writeText(w, http.StatusOK, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		switch {
		case s.draining.Load():
			writeText(w, http.StatusServiceUnavailable, "shutting down")
		case !s.synced():
			writeText(w, http.StatusServiceUnavailable, "the index is not complete yet")
		default:
			writeText(w, http.StatusOK, "ok")
		}
	})
	return mux
}

func writeText(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	// A client that has disconnected gets no answer.
	_, _ = w.Write([]byte(text + "\n"))
}
