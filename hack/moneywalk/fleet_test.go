package moneywalk_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/apiserver/pages"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/apiserver/rest/oauthclient"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// fleet holds the replicas of the facade. All histories share them; each history exchanges their dependencies.
type fleet struct {
	handlers [replicas]http.Handler
	pages    [replicas]http.Handler
	// frame seals forms that every replica takes.
	frame *pages.Frame
	deps  [replicas]*deps
}

// deps are what a replica works with. The REST API has pointers to them, so that a history can replace what is behind.
type deps struct {
	client   lateClient
	index    lateIndex
	ledger   lateLedger
	accounts storedAccounts
	keys     lateKeys
}

type (
	lateClient struct{ client.Client }
	lateIndex  struct{ *index.Index }
	lateLedger struct{ *ledger.Charger }
)

// lateKeys are the API keys of the store of a history. Walks that are not about keys have one of them all, which is in no store.
type lateKeys struct{ *auth.Authenticator }

const oneKey = "k"

func (k *lateKeys) Authenticate(ctx context.Context, given string) (auth.Principal, error) {
	if given != oneKey {
		return k.Authenticator.Authenticate(ctx, given)
	}
	return auth.Principal{ID: "k", Account: account, Name: "Mara", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}}, nil
}

// storedAccounts are the accounts in the store of a history.
type storedAccounts struct{ w *walk }

func (s *storedAccounts) Account(_ context.Context, name string) (*v1alpha1.Account, error) {
	a := &v1alpha1.Account{}
	err := s.w.locked(func() error { return s.w.store.get(client.ObjectKey{Name: name}, a) })
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	return a, err
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	f, keys := &fleet{}, newSealer(t)
	for i := range replicas {
		d, local := &deps{}, &operation.Local{}
		f.deps[i], f.handlers[i] = d, rest.New(rest.Deps{
			Deps: operation.Deps{
				Authenticator: &d.keys, Index: &d.index, Accounts: &d.accounts, Synced: func() bool { return true }, Client: &d.client,
				Clock: clock.RealClock{}, Log: logr.Discard(), Limits: operation.Limits{RequestsPerSecond: 1e6, RequestBurst: 1e6},
			},
			Ledger: &d.ledger, Registry: prometheus.NewRegistry(), Local: local, Cell: credential.DefaultCell,
			OAuth: oauthclient.Deps{
				Clients: oauth.NewRegistry(&d.client, credential.DefaultCell, clock.RealClock{}),
				Count:   func(context.Context, string) (int64, error) { return 0, nil },
				Counts:  func(context.Context, string) bool { return true },
			},
		})
		f.pages[i], f.frame = newPages(t, keys, local)
	}
	return f
}

func (w *walk) startReplica(i int) {
	v, d := w.newView(true), w.fleet.deps[i]
	for len(w.views) <= i {
		w.views = append(w.views, nil)
	}
	d.accounts.w = w
	d.keys.Authenticator = &auth.Authenticator{
		Clock: clock.RealClock{}, Lookup: auth.NewLookup(w.newView(false), v, clock.RealClock{}),
	}
	w.views[i], d.client.Client, d.ledger.Charger = v, v, ledger.NewCharger(v, clock.RealClock{})
	w.refresh(i)
}

// refresh has a replica's memory show the objects that exist.
func (w *walk) refresh(i int) {
	x := index.New(clock.RealClock{})
	n := index.NamespaceMetadata()
	n.Name, n.Labels = workspace, map[string]string{v1alpha1.AccountLabel: account}
	x.Handlers().Namespaces.OnAdd(n, true)
	site := &v1alpha1.Site{}
	if w.store.get(siteKey, site) == nil {
		x.Handlers().Sites.OnAdd(site, true)
	}
	for _, a := range w.store.articles() {
		cached, err := x.Transform()(a)
		w.must(err)
		x.Handlers().Articles.OnAdd(cached, true)
	}
	w.fleet.deps[i].index.Index = x
}

func (w *walk) refreshAll() {
	for i := range replicas {
		w.refresh(i)
	}
}

// generate sends a request to generate an article, with an Idempotency-Key unless key is empty.
func (w *walk) generate(key string) {
	keyword := "shoes"
	if key != "" && w.random.IntN(8) == 0 {
		keyword = "other shoes"
	}
	w.ask(w.random.IntN(replicas), "POST", "/v1/api/generate", key, fmt.Sprintf(`{"site_uid":%q,"keyword":%q}`, siteKey.Name, keyword))
}

// generateTwice has two replicas get one request at the same time.
func (w *walk) generateTwice(key string) {
	first := w.random.IntN(replicas)
	for _, i := range []int{first, (first + 1) % replicas} {
		w.ask(i, "POST", "/v1/api/generate", key, fmt.Sprintf(`{"site_uid":%q,"keyword":"shoes"}`, siteKey.Name))
	}
}

// deleteBefore deletes an article with kubectl while another request with its Idempotency-Key is about to create it.
func (w *walk) deleteBefore() {
	for _, o := range w.waiting {
		name, creates := strings.CutPrefix(o.what, "create Article/"+workspace+"/")
		a := &v1alpha1.Article{}
		if creates && w.store.get(client.ObjectKey{Namespace: workspace, Name: name}, a) == nil {
			w.notef("  %s, uid %s", a.Name, a.UID)
			w.must(w.store.delete(a))
			return
		}
	}
}

// restartReplica kills a replica, whatever it is about to do, and starts it again.
func (w *walk) restartReplica(i int) {
	w.kill(w.views[i])
	w.startReplica(i)
}

// ask sends a request to a replica, and checks its answer.
func (w *walk) ask(i int, method, path, key, body string) {
	v := w.views[i]
	w.spawn(fmt.Sprintf("replica %d", i), func() {
		q := httptest.NewRequestWithContext(w.t.Context(), method, path, strings.NewReader(body))
		q.Header.Set("x-api-key", oneKey)
		q.Header.Set("x-workspace-id", workspace)
		if body != "" {
			q.Header.Set("Content-Type", "application/json")
		}
		if key != "" {
			q.Header.Set("Idempotency-Key", key)
		}
		w.mu.Lock()
		v.recorded = maps.Clone(w.books.recorded)
		w.mu.Unlock()
		answer := httptest.NewRecorder()
		w.fleet.handlers[i].ServeHTTP(answer, q)
		w.mu.Lock()
		defer w.mu.Unlock()
		if !v.dead {
			w.answered(i, key, body, answer)
		}
	})
}

// answered checks an answer. It is called with the lock.
func (w *walk) answered(i int, key, body string, answer *httptest.ResponseRecorder) {
	w.notef("replica %d answered %d %s", i, answer.Code, strings.TrimSpace(answer.Body.String()))
	w.counts[fmt.Sprintf("answer %d", answer.Code)]++
	if answer.Code == http.StatusInternalServerError {
		w.failf("an internal error")
	}
	if key == "" || body == "" {
		return
	}
	first, known := w.answers[key]
	switch {
	case answer.Code == http.StatusAccepted && known && first != answer.Body.String():
		w.failf("the key %s was answered %s, and then %s", key, first, answer.Body.String())
	case answer.Code == http.StatusAccepted && known && w.bodies[key] != body:
		w.failf("the key %s was accepted with another body", key)
	case answer.Code == http.StatusAccepted && !known:
		w.answers[key], w.bodies[key] = answer.Body.String(), body
	case known && w.bodies[key] == body && answer.Code != http.StatusServiceUnavailable && answer.Code != http.StatusAccepted && answer.Code != http.StatusBadRequest:
		w.failf("the repeat of %s was answered %d", key, answer.Code)
	}
}
