package article

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	testclock "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/related"
	"github.com/pressroom-dev/pressroom/internal/sitegenerator"
)

// crowd is a controller of one account whose cache has one site with many articles, most of which wait for a run.
type crowd struct {
	client.Client
	*Reconciler

	clock    *testclock.FakeClock
	articles map[types.NamespacedName]*v1alpha1.Article
	site     *v1alpha1.Site
	account  *v1alpha1.Account
	ledger   *v1alpha1.AccountLedger
	// notified are the articles that may find what they wait for.
	notified []types.NamespacedName
	// lists of the cache and of kube-apiserver, writes of status, and runs for which the backend was looked up.
	lists, writes, backends int
}

// newCrowd returns a controller with published articles, and others that wait for a run. The account has no credit left.
func newCrowd(published, waiting int) *crowd {
	c := &crowd{
		clock: testclock.NewFakeClock(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)), articles: map[types.NamespacedName]*v1alpha1.Article{},
		site:    &v1alpha1.Site{ObjectMeta: metav1.ObjectMeta{Namespace: "w", Name: "acme"}},
		account: &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: "acme"}, Spec: v1alpha1.AccountSpec{Credits: new(int64(10_000))}},
		ledger:  &v1alpha1.AccountLedger{ObjectMeta: metav1.ObjectMeta{Name: "acme"}},
	}
	c.ledger.Spec.CreditsUsed = 10_000
	for i := range published + waiting {
		a := &v1alpha1.Article{ObjectMeta: metav1.ObjectMeta{
			Namespace: "w", Name: fmt.Sprintf("article-%06d", i), UID: types.UID(strconv.Itoa(i)), Generation: 1,
			CreationTimestamp: metav1.NewTime(c.clock.Now()),
		}}
		a.Spec.SiteRef.Name = "acme"
		a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: fmt.Sprintf("trail running shoes %d", i)}
		c.articles[client.ObjectKeyFromObject(a)] = a
	}
	b := base.Base{Client: c, Live: c, Clock: c.clock, Health: &base.Health{}, Holder: "process", Random: func() float64 { return 0.5 }}
	index := related.NewIndex()
	limits, none := inflight.Limits{Total: 16}, attempt.Metrics{}
	generation := &Generation{
		Base: &b, Related: index, Backends: c, Engine: attempt.NewEngine(limits, RunResults(), b.Holder, b.Clock, none),
	}
	publication := &Publication{
		Base: &b, Engine: attempt.NewEngine(limits, base.DeliveryResults(base.KindPublication), b.Holder, b.Clock, none),
	}
	images := &Images{Base: &b, Engine: attempt.NewEngine(limits, ImageResults(b.Clock), b.Holder, b.Clock, none)}
	c.Reconciler = NewReconciler(b, &Content{Base: &b, Related: index, Images: images}, generation, publication, &post.Store{Base: &b})
	return c
}

// Get reads the cache: the objects are copied, as that of the manager copies them.
func (c *crowd) Get(_ context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	switch o := obj.(type) {
	case *v1alpha1.Article:
		c.articles[key].DeepCopyInto(o)
	case *v1alpha1.Site:
		c.site.DeepCopyInto(o)
	case *v1alpha1.Account:
		*o = *c.account
	case *v1alpha1.AccountLedger:
		*o = *c.ledger
	case *metav1.PartialObjectMetadata:
		o.Labels = map[string]string{v1alpha1.AccountLabel: "acme"}
	default:
		panic(fmt.Sprintf("%T is not cached", obj))
	}
	return nil
}

// List reads the index of the articles that wait for credits, up to a limit, in any order.
func (c *crowd) List(_ context.Context, list client.ObjectList, opts ...client.ListOption) error {
	limit := (&client.ListOptions{}).ApplyOptions(opts).Limit
	switch l := list.(type) {
	case *metav1.PartialObjectMetadataList:
		l.Items = []metav1.PartialObjectMetadata{{ObjectMeta: metav1.ObjectMeta{Name: "w"}}}
	case *v1alpha1.ArticleList:
		for _, a := range c.articles {
			if lacksCredits(a) && int64(len(l.Items)) < limit {
				l.Items = append(l.Items, *a)
			}
		}
	default:
		c.lists++
	}
	return nil
}

func (c *crowd) Status() client.SubResourceWriter { return crowdStatus{crowd: c} }

// crowdStatus stores the status of articles.
type crowdStatus struct {
	client.SubResourceWriter
	crowd *crowd
}

func (s crowdStatus) Update(_ context.Context, obj client.Object, _ ...client.SubResourceUpdateOption) error {
	s.crowd.writes++
	a, _ := obj.(*v1alpha1.Article)
	s.crowd.articles[client.ObjectKeyFromObject(a)] = a.DeepCopy()
	return nil
}

// For counts the runs that reach the look-up of their backend, which may read a Secret. They are blocked there.
func (c *crowd) For(context.Context, *v1alpha1.Site) (sitegenerator.Backend, error) {
	c.backends++
	return sitegenerator.Backend{}, &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "there is no key"}
}

// reconcileAll reconciles all articles, as a start of the controller does, and returns how many have a timer.
func (c *crowd) reconcileAll(tb testing.TB) (timers int) {
	tb.Helper()
	for _, key := range slices.SortedFunc(maps.Keys(c.articles), compareNames) {
		result, err := c.Reconcile(tb.Context(), ctrl.Request{NamespacedName: key})
		if err != nil {
			tb.Fatal(err)
		}
		if result.RequeueAfter > 0 {
			timers++
		}
	}
	return timers
}

func compareNames(a, b types.NamespacedName) int {
	if a.Name < b.Name {
		return -1
	}
	return 1
}

// reconcileNotified reconciles what is notified until nothing is, and returns how many reconciles that were.
func (c *crowd) reconcileNotified(tb testing.TB) int {
	tb.Helper()
	n := 0
	for ; len(c.notified) > 0; n++ {
		key := c.notified[0]
		c.notified = c.notified[1:]
		if _, err := c.Reconcile(tb.Context(), ctrl.Request{NamespacedName: key}); err != nil {
			tb.Fatal(err)
		}
	}
	return n
}

// change has the watch of the ledger notify articles.
func (c *crowd) change(tb testing.TB) {
	tb.Helper()
	for _, request := range c.lackingCredits(tb.Context(), c.ledger) {
		c.notified = append(c.notified, request.NamespacedName)
	}
}

func TestArticlesThatWaitForCreditsCostNothing(t *testing.T) {
	const waiting = 2000
	c := newCrowd(0, waiting)
	if timers := c.reconcileAll(t); timers != waiting || c.writes != waiting {
		t.Fatalf("%d timers and %d writes of status, want one for each of %d", timers, c.writes, waiting)
	}
	lists := c.lists
	c.reconcileAll(t)
	if c.change(t); c.writes != waiting || c.lists != lists || c.backends+len(c.notified) != 0 {
		t.Errorf("they still wait: %d further writes, %d lists, %d look-ups of backends, %d notified",
			c.writes-waiting, c.lists-lists, c.backends, len(c.notified))
	}
	// A refund. Those that are notified find that there is no Secret for them, and wait for that, so that the next ones are notified.
	c.ledger.Spec.CreditsUsed--
	for range waiting / creditsAtOnce {
		if c.change(t); len(c.notified) != creditsAtOnce {
			t.Fatalf("%d are notified of one credit", len(c.notified))
		}
		c.reconcileNotified(t)
	}
	if c.change(t); len(c.notified) != waiting%creditsAtOnce || c.backends != waiting-waiting%creditsAtOnce {
		t.Errorf("%d are left, after %d look-ups", len(c.notified), c.backends)
	}
}

func TestTheOldestOfThoseThatWaitForCreditsBegins(t *testing.T) {
	c := newCrowd(0, 200)
	for i, key := range slices.SortedFunc(maps.Keys(c.articles), compareNames) {
		c.articles[key].CreationTimestamp = metav1.NewTime(c.clock.Now().Add(-time.Duration(i) * time.Minute))
	}
	c.reconcileAll(t)
	c.ledger.Spec.CreditsUsed--
	if c.change(t); len(c.notified) != creditsAtOnce || c.notified[0].Name != "article-000199" {
		t.Errorf("%d are notified, the first is %s", len(c.notified), c.notified[0])
	}
}

// One that begins to wait looks again soon, because the ledger may have changed meanwhile, and seldom after that.
func TestArticlesThatWaitForCreditsHaveASafetyNet(t *testing.T) {
	c := newCrowd(0, 1)
	for _, want := range []time.Duration{lifecycle.BlockedPoll, creditPoll} {
		if result, err := c.Reconcile(t.Context(), ctrl.Request{NamespacedName: types.NamespacedName{Namespace: "w", Name: "article-000000"}}); err != nil ||
			result.RequeueAfter != want {
			t.Errorf("%v, %v, want %s", result, err, want)
		}
	}
}

// BenchmarkCrowd is a site of 100,000 articles of which 90,000 wait for a run: the CPU time that a start of the controller, a refund and
// midnight take, and the memory of the index that runs compare articles with.
func BenchmarkCrowd(b *testing.B) {
	c := newCrowd(10_000, 90_000)
	measure := func(name string, do func()) {
		began := cpu(b)
		do()
		b.ReportMetric((cpu(b) - began).Seconds(), name+"-cpu-s")
	}
	for b.Loop() {
		measure("first-start", func() { c.reconcileAll(b) })
		measure("start", func() { c.reconcileAll(b) })
		measure("refund", func() {
			c.ledger.Spec.CreditsUsed--
			c.change(b)
			c.ledger.Spec.CreditsUsed++
			if n := c.reconcileNotified(b); n != creditsAtOnce {
				b.Fatalf("%d reconciles", n)
			}
		})
		c.ledger.Spec.CreditsUsed, c.ledger.Spec.Day = 0, "2026-11-20"
		c.ledger.Spec.Sites = []v1alpha1.SiteUsage{{Workspace: "w", Site: "acme", Count: 50}}
		c.reconcileAll(b)
		// Each has a timer for the next day. Of those that look, as many as the day has room for begin.
		c.clock.Step(12 * time.Hour)
		c.ledger.Spec.Day, c.ledger.Spec.Sites[0].Count = "2026-11-21", 50
		measure("midnight", func() { c.reconcileAll(b) })
		before := heap()
		var index *related.Site
		measure("index", func() { index = indexOf(c) })
		b.ReportMetric(float64(heap()-before)/(1<<20), "index-MiB")
		runtime.KeepAlive(index)
	}
}

// indexOf makes the index of all articles, of which every tenth is published.
func indexOf(c *crowd) *related.Site {
	random, all := rand.New(rand.NewPCG(1, 1)), make([]related.Article, 0, len(c.articles))
	for _, a := range c.articles {
		about := aboutOf(a)
		about.Language = "en"
		if len(all)%10 == 0 {
			about.Title, about.Terms, about.Published = "The best "+about.Keyword, benchTerms(random), true
			about.URL, about.Fingerprint = "https://acme.example/"+about.Name, related.Fingerprint(random.Uint64()).String()
		}
		all = append(all, about)
	}
	return related.NewSite("en", all)
}

// cpu is the CPU time that this process has used.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// heap returns the size of all objects that are in use.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
