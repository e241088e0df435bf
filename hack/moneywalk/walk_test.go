// Package moneywalk_test walks at random through the lives of articles that cost credits: several replicas of the facade, a
// controller that is killed, and people with kubectl, on an API server in memory. Each request of a program waits until the walk
// lets it go on, so that they interleave in every order. Time is that of a synctest bubble.
package moneywalk_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

const (
	workspace = "acme-blog"
	account   = "acme"
	// steps of one history.
	steps    = 250
	replicas = 3
)

var siteKey = client.ObjectKey{Namespace: workspace, Name: "0198f0a1-0000-7000-8000-000000000001"}

// defaultHistories is how many histories each test makes. `make walk` makes 10,000.
const defaultHistories = 50

// TestMoneyIsExactInEveryHistory makes defaultHistories, or as many as PRESSROOM_WALKS says, from the seed PRESSROOM_WALK_SEED and the
// number PRESSROOM_WALK_FIRST on.
func TestMoneyIsExactInEveryHistory(t *testing.T) {
	walkAll(t, "PRESSROOM_WALKS", defaultHistories, ofMoney)
}

// kind is what a walk is about: money, updates of posts that are sent by a webhook, the posts of a WordPress, what is made with API keys, or
// budgets.
type kind int

const (
	ofMoney kind = iota
	ofUpdates
	ofWordPress
	ofKeys
	ofBudgets
)

// walkAll makes as many histories of a kind as a variable says.
func walkAll(t *testing.T, variable string, otherwise int, of kind) {
	t.Helper()
	histories, seed := number(t, variable, otherwise), number(t, "PRESSROOM_WALK_SEED", 1)
	fleet := newFleet(t)
	total := map[string]int{}
	first := number(t, "PRESSROOM_WALK_FIRST", 0)
	for n := first; n < first+histories; n++ {
		synctest.Test(t, func(t *testing.T) {
			w := newWalk(t, fleet, uint64(seed), uint64(n), of)
			defer w.end()
			w.run()
			for what, times := range w.counts {
				total[what] += times
			}
			total["credits"] += len(w.books.credits)
			total["runs"] += len(w.books.begun)
		})
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
	t     *testing.T
	fleet *fleet
	// which history it is, as the environment of a test that makes it again.
	which  string
	random *rand.Rand
	store  *store
	books  *books
	counts map[string]int
	log    []string

	mu       sync.Mutex
	waiting  []*op
	models   calls
	requests calls
	posts    posts
	blog     *blog
	// spending is what a budget is spent for; nil in a history without one.
	spending *spending
	// busy are the objects that the controller reconciles, and the replicas that answer.
	busy map[string]bool
	// suspension is what the controller was shown last, and seen what it had been shown when it last began to reconcile an object.
	suspension suspension
	seen       map[string]suspension

	controller *controllertest.Process
	// running is what the controller reconciles with, until it is asked to stop.
	running context.Context
	stop    context.CancelFunc
	views   []*view
	process *view
	blocked error
	failed  bool
	// updates means that the site updates its posts, and that a person approves each text.
	updates bool
	// stepsOf is how many steps the history has, if its kind says so.
	stepsOf int
	// listsLag means that lists of a cache lag too.
	listsLag bool
	// newsLag means that a cache may lack what was created.
	newsLag bool
	// draining means that everything is to end: caches catch up.
	draining bool
	// cut are the delivery cycles, by slug, during an attempt of which their articles were deleted.
	cut map[string]*v1alpha1.DeliveryCycle
	// names of articles so far, and answers and bodies by Idempotency-Key.
	names   []string
	answers map[string]string
	bodies  map[string]string
	keys    int
	// forms that were sent, and the view that writes.
	forms  []form
	writer *view
}

func newWalk(t *testing.T, f *fleet, seed, n uint64, of kind) *walk {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := errors.Join(v1alpha1.AddToScheme(scheme), internalv1alpha1.AddToScheme(scheme), corev1.AddToScheme(scheme)); err != nil {
		t.Fatal(err)
	}
	w := &walk{
		t: t, fleet: f, which: fmt.Sprintf("PRESSROOM_WALK_SEED=%d PRESSROOM_WALK_FIRST=%d PRESSROOM_WALKS=1", seed, n), random: rand.New(rand.NewPCG(seed, n)), counts: map[string]int{}, busy: map[string]bool{},
		seen: map[string]suspension{}, answers: map[string]string{}, bodies: map[string]string{}, cut: map[string]*v1alpha1.DeliveryCycle{}, names: []string{"boots", "shoes"},
	}
	w.store = &store{scheme: scheme, objects: map[string]client.Object{}, now: func() metav1.Time { return metav1.NewTime(time.Now().Truncate(time.Second)) }}
	w.store.wrote = func(client.Object, client.Object) {}
	w.updates = of == ofUpdates || of == ofWordPress
	if of == ofBudgets {
		w.spending, w.stepsOf = newSpending(w), stepsOfBudget
	}
	w.books, w.posts = newBooks(w), posts{w: w, approved: map[string]bool{}, shown: map[string]string{}}
	w.must(w.store.create(testkit.NewWorkspace(workspace, account)))
	spec := v1alpha1.AccountSpec{
		Credits: new(int64(3 + w.random.IntN(20))),
		// The replicas of all histories are the same.
		Limits: v1alpha1.AccountLimits{WrittenBytesPerMinute: new(int64(1e12))},
	}
	if w.spending != nil {
		budgeted(&spec)
	}
	w.must(w.store.create(&v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: account}, Spec: spec}))
	if w.random.IntN(4) > 0 { // the controller has seen the account
		w.must(w.store.create(&v1alpha1.AccountLedger{ObjectMeta: metav1.ObjectMeta{Name: account}}))
	}
	if of == ofWordPress {
		w.blog = newBlog(w, blogPassword(n))
	}
	w.must(w.store.create(w.newSite()))
	w.must(w.store.create(&corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: workspace, Name: signing.Name}, Data: map[string][]byte{signing.Key: []byte(secret)},
	}))
	w.must(w.store.create(newSubscription()))
	w.store.wrote = w.books.wrote
	for i := range replicas {
		w.startReplica(i)
	}
	w.startController()
	return w
}

// signing names the signing secret of the site and of the subscription.
var signing = v1alpha1.SecretKeyReference{Name: "webhook", Key: "secret"}

// secret is whsec_ and the base64 of 32 bytes.
const secret = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE="

// newSite returns a site that is sent its articles as soon as they are written and their stage says so.
func (w *walk) newSite() *v1alpha1.Site {
	site := newSite()
	if w.updates {
		site.Spec.Review.Policy, site.Spec.Publishing.Updates = v1alpha1.ReviewManual, v1alpha1.UpdatesReviewed
		site.Spec.CMS.Headless.Updates = v1alpha1.HeadlessUpdatesRepublish
	}
	if w.blog != nil {
		w.blog.connection(site)
	}
	if w.spending != nil {
		site.Spec.Limits.TokensPerArticle = new(int64(maxTurns * turnTokens))
	}
	return site
}

func newSite() *v1alpha1.Site {
	return &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: siteKey.Namespace, Name: siteKey.Name},
		Spec: v1alpha1.SiteSpec{
			Domain: "acme.example", Review: v1alpha1.SiteReview{Policy: v1alpha1.ReviewAutomatic},
			CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
				URL: "https://acme.example/hook", SigningSecretRef: signing, PayloadFormat: v1alpha1.PayloadJSON,
			}},
		},
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
		w.t.Errorf(format+"\n%s\n%s", append(args, w.which, strings.Join(w.log, "\n"))...)
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
func (w *walk) lags() bool { return !w.draining && w.random.IntN(4) == 0 }

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

func (w *walk) notef(format string, args ...any) {
	w.log = append(w.log, time.Now().Format(time.TimeOnly)+" "+fmt.Sprintf(format, args...))
}

// letGo lets one waiting request go on, of a process that is not held up.
func (w *walk) letGo(how verdict) {
	able := slices.DeleteFunc(slices.Clone(w.waiting), func(o *op) bool { return o.of.frozen != nil })
	if len(able) == 0 {
		return
	}
	o := able[w.random.IntN(len(able))]
	w.waiting = slices.DeleteFunc(w.waiting, func(other *op) bool { return other == o })
	w.notef("  %s", o.what)
	o.let <- how
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
