// Package moneywalk_test walks at random through the lives of articles that cost credits: several replicas of the facade, a
// controller that is killed, and people with kubectl, on an API server in memory. Each request of a program waits until the walk
// lets it go on, so that they interleave in every order. Time is that of a synctest bubble.
package moneywalk_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/go-logr/logr"
	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	corev1 "k8s.io/api/core/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/controllers/controllertest"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

const (
	workspace = "acme-blog"
	account   = "acme"
	siteName  = "0198f0a1-0000-7000-8000-000000000001"
	// steps of one history.
	steps    = 250
	replicas = 3
)

// TestMoneyIsExactInEveryHistory makes 150 histories, or as many as PRESSROOM_WALKS says, from the seed PRESSROOM_WALK_SEED and the
// number PRESSROOM_WALK_FIRST on.
func TestMoneyIsExactInEveryHistory(t *testing.T) {
	histories, seed := number(t, "PRESSROOM_WALKS", 150), number(t, "PRESSROOM_WALK_SEED", 1)
	fleet := newFleet(t)
	total := map[string]int{}
	first := number(t, "PRESSROOM_WALK_FIRST", 0)
	for n := first; n < first+histories; n++ {
		synctest.Test(t, func(t *testing.T) {
			w := newWalk(t, fleet, uint64(seed), uint64(n))
			defer w.end()
			w.run()
			for what, times := range w.counts {
				total[what] += times
			}
			total["credits"] += len(w.books.credits)
			total["runs"] += len(w.books.begun)
		})
		if t.Failed() {
			t.Fatalf("PRESSROOM_WALK_SEED=%d PRESSROOM_WALK_FIRST=%d PRESSROOM_WALKS=1", seed, n)
		}
	}
	t.Logf("%d histories: %v", histories, total)
}

func number(t *testing.T, variable string, otherwise int) int {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// walk is one history.
type walk struct {
	t      *testing.T
	fleet  *fleet
	random *rand.Rand
	store  *store
	books  *books
	counts map[string]int
	log    []string

	mu      sync.Mutex
	waiting []*op
	models  []*model
	// busy are the objects that the controller reconciles, and the replicas that answer.
	busy map[string]bool

	controller *controllertest.Process
	views      []*view
	process    *view
	blocked    error
	failed     bool
	// names of articles so far, and answers by key and body.
	names   []string
	answers map[string]string
	bodies  map[string]string
	broken  map[string]bool
	keys    int
}

// model is a call of the model that waits for its outcome.
type model struct {
	of      *view
	outcome chan error
}

// fleet holds the replicas of the facade, which all histories share: what they work with is changed for each.
type fleet struct {
	handlers [replicas]http.Handler
	deps     [replicas]*deps
}

// deps are what a replica works with. The REST API has pointers to them, so that a history can replace what is behind.
type deps struct {
	client lateClient
	index  lateIndex
	ledger lateLedger
}

type (
	lateClient struct{ client.Client }
	lateIndex  struct{ *index.Index }
	lateLedger struct{ *ledger.Charger }
)

type anyKey struct{}

func (anyKey) Authenticate(context.Context, string) (auth.Principal, error) {
	return auth.Principal{ID: "k", Account: account, Name: "Mara", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead, v1alpha1.ScopeWrite}}, nil
}

// noLimits are the default limits of every account.
type noLimits struct{}

func (noLimits) Of(context.Context, string) (v1alpha1.AccountLimits, error) {
	return v1alpha1.AccountLimits{}, nil
}

func newFleet(t *testing.T) *fleet {
	t.Helper()
	f := &fleet{}
	for i := range replicas {
		d := &deps{}
		handler, err := rest.New(rest.Deps{
			Authenticator: anyKey{}, Index: &d.index, Synced: func() bool { return true }, Ledger: &d.ledger, Client: &d.client,
			Clock: clock.RealClock{}, Log: logr.Discard(), Registry: prometheus.NewRegistry(), AccountLimits: noLimits{},
			Limits: rest.Limits{RequestsPerSecond: 1e6, RequestBurst: 1e6},
		})
		if err != nil {
			t.Fatal(err)
		}
		f.deps[i], f.handlers[i] = d, handler
	}
	return f
}

func newWalk(t *testing.T, f *fleet, seed, n uint64) *walk {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := errors.Join(v1alpha1.AddToScheme(scheme), corev1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	w := &walk{
		t: t, fleet: f, random: rand.New(rand.NewPCG(seed, n)), counts: map[string]int{}, busy: map[string]bool{},
		answers: map[string]string{}, bodies: map[string]string{}, broken: map[string]bool{}, names: []string{"boots", "shoes"},
	}
	w.store = &store{scheme: scheme, objects: map[string]client.Object{}, now: func() metav1.Time { return metav1.NewTime(time.Now().Truncate(time.Second)) }}
	w.store.wrote = func(client.Object, client.Object) {}
	w.books = newBooks(w)
	w.must(w.store.create(testkit.NewWorkspace(workspace, account)))
	w.must(w.store.create(&v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: account}, Spec: v1alpha1.AccountSpec{Credits: new(int64(3 + w.random.IntN(20)))}}))
	w.must(w.store.create(newSite()))
	w.store.wrote = w.books.wrote
	for i := range replicas {
		w.startReplica(i)
	}
	w.startController()
	return w
}

func newSite() *v1alpha1.Site {
	return &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: siteName},
		Spec:       v1alpha1.SiteSpec{Domain: "acme.example", CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}},
	}
}

func (w *walk) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *walk) now() time.Time { return time.Now() }

func (w *walk) failf(format string, args ...any) {
	if !w.failed {
		w.t.Errorf(format+"\n%s", append(args, strings.Join(w.log, "\n"))...)
	}
	w.failed = true
}

// locked makes a request: one at a time, as etcd does.
func (w *walk) locked(do func() error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return do()
}

// lags reports whether a cache is behind. It is called with the lock.
func (w *walk) lags() bool { return w.random.IntN(4) == 0 }

func (w *walk) add(o *op) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = append(w.waiting, o)
}

func (w *walk) drop(o *op) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.waiting = slices.DeleteFunc(w.waiting, func(other *op) bool { return other == o })
}

func (w *walk) newView(direct bool) *view {
	return &view{w: w, direct: direct, seen: map[string]client.Object{}}
}

func (w *walk) startReplica(i int) {
	v, d := w.newView(true), w.fleet.deps[i]
	for len(w.views) <= i {
		w.views = append(w.views, nil)
	}
	w.views[i], d.client.Client, d.ledger.Charger = v, v, ledger.NewCharger(v, clock.RealClock{})
	w.refresh(i)
}

// refresh has a replica's memory show the objects that exist.
func (w *walk) refresh(i int) {
	x := index.New(index.Options{Phase: lifecycle.Phase, Clock: clock.RealClock{}})
	n := index.NamespaceMetadata()
	n.Name, n.Labels = workspace, map[string]string{v1alpha1.AccountLabel: account}
	x.NamespaceHandler().OnAdd(n, true)
	site := &v1alpha1.Site{}
	if w.store.get(client.ObjectKey{Namespace: workspace, Name: siteName}, site) == nil {
		x.SiteHandler().OnAdd(site, true)
	}
	for _, a := range w.store.articles() {
		cached, err := x.Transform()(a)
		w.must(err)
		x.ArticleHandler().OnAdd(cached, true)
	}
	w.fleet.deps[i].index.Index = x
}

func (w *walk) startController() {
	cached, direct := w.newView(false), w.newView(true)
	indexes := testkit.Indexes{}
	w.must(controllers.IndexArticles(w.t.Context(), indexes))
	w.must(controllers.IndexEvents(w.t.Context(), indexes))
	p := controllertest.NewProcess(controllertest.Options{
		Client: testkit.IndexedClient{Client: cached, Indexes: indexes}, Live: direct, Clock: clock.RealClock{},
		Generator: controllertest.NewGenerator(nil), Limits: inflight.Limits{Total: 2, PerHost: 2},
	})
	charger := ledger.NewCharger(direct, clock.RealClock{})
	p.Generation.Charger, p.Accounts.Ledger, p.Generation.Backends = charger, charger, modelOf{w: w, v: cached}
	w.controller, w.process = p, cached
	w.views = append(w.views[:replicas], cached, direct)
}

// modelOf is the model as one controller process reaches it.
type modelOf struct {
	w *walk
	v *view
}

func (m modelOf) For(context.Context, *v1alpha1.Site) (controllers.Backend, error) {
	return controllers.Backend{Generator: m, Type: v1alpha1.GeneratorOpenAI, Model: "small", Host: "model"}, m.w.blocked
}

func (m modelOf) Generate(ctx context.Context, r generate.Request, _ generate.Progress) (generate.Result, error) {
	c := &model{of: m.v, outcome: make(chan error, 1)}
	m.w.mu.Lock()
	m.w.models = append(m.w.models, c)
	m.w.mu.Unlock()
	select {
	case err := <-c.outcome:
		return written(r), err
	case <-ctx.Done():
		return generate.Result{}, ctx.Err()
	}
}

func (w *walk) notef(format string, args ...any) {
	w.log = append(w.log, time.Now().Format(time.TimeOnly)+" "+fmt.Sprintf(format, args...))
}

// spawn does something beside the walk, unless who is busy.
func (w *walk) spawn(who string, do func()) {
	if w.busy[who] {
		return
	}
	w.busy[who] = true
	go func() {
		do()
		w.mu.Lock()
		defer w.mu.Unlock()
		delete(w.busy, who)
	}()
}

// ask sends a request to a replica, and checks its answer.
func (w *walk) ask(i int, method, path, key, body string) {
	v := w.views[i]
	w.spawn(fmt.Sprintf("replica %d", i), func() {
		q := httptest.NewRequestWithContext(w.t.Context(), method, path, strings.NewReader(body))
		q.Header.Set("x-api-key", "k")
		q.Header.Set("x-workspace-id", workspace)
		if body != "" {
			q.Header.Set("Content-Type", "application/json")
		}
		if key != "" {
			q.Header.Set("Idempotency-Key", key)
		}
		answer := httptest.NewRecorder()
		w.fleet.handlers[i].ServeHTTP(answer, q)
		w.mu.Lock()
		defer w.mu.Unlock()
		if v.dead {
			w.broken[key] = true
			return
		}
		w.answered(i, key, body, answer)
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

func (w *walk) reconcile(name string) {
	p := w.controller
	w.spawn("article "+name, func() {
		_, _ = p.Articles.Reconcile(w.t.Context(), ctrl.Request{NamespacedName: client.ObjectKey{Namespace: workspace, Name: name}})
	})
}

func (w *walk) reconcileAccount() {
	p := w.controller
	w.spawn("account", func() {
		_, _ = p.Accounts.Reconcile(w.t.Context(), ctrl.Request{NamespacedName: client.ObjectKey{Name: account}})
	})
}

// letGo lets one waiting request go on.
func (w *walk) letGo(how verdict) {
	if len(w.waiting) == 0 {
		return
	}
	n := w.random.IntN(len(w.waiting))
	o := w.waiting[n]
	w.waiting = slices.Delete(w.waiting, n, n+1)
	w.notef("  %s", o.what)
	o.let <- how
}

// kill ends the process of some views: one of its requests may just have been made.
func (w *walk) kill(views ...*view) {
	for _, v := range views {
		v.dead = true
	}
	for _, o := range slices.Clone(w.waiting) {
		if o.of.dead {
			o.let <- endBefore + verdict(w.random.IntN(2))
			w.waiting = slices.DeleteFunc(w.waiting, func(other *op) bool { return other == o })
		}
	}
	for _, c := range w.models {
		if c.of.dead {
			c.outcome <- errCutOff
		}
	}
	w.models = slices.DeleteFunc(w.models, func(c *model) bool { return c.of.dead })
	synctest.Wait()
}

// pass lets time pass.
func (w *walk) pass(d time.Duration) {
	synctest.Wait()
	// What the walk wrote without the lock happens before whatever a timer wakes: a timer alone does not order them.
	w.must(w.locked(func() error { return nil }))
	<-time.After(d)
	synctest.Wait()
}

func (w *walk) end() {
	w.kill(w.views...)
	for i := range replicas {
		*w.fleet.deps[i] = deps{}
	}
}
