package apiserver_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	testingclock "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/internal/delivery"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// controller is the real controller of articles. It does nothing until a spec calls it.
type controller struct {
	articles    *controllers.ArticleReconciler
	generation  *controllers.Generation
	publication *controllers.Publication
	clock       *testingclock.FakeClock
	model       *scriptedModel
	// notified holds the articles whose call has ended.
	notified chan types.NamespacedName
}

func newController() *controller {
	GinkgoHelper()
	c := &controller{
		clock: testingclock.NewFakeClock(time.Now()), model: &scriptedModel{}, notified: make(chan types.NamespacedName, 1000),
	}
	cached := indexedClient{Client: api, indexes: indexes{}}
	Expect(controllers.IndexArticles(ctx, cached.indexes)).To(Succeed())
	base := controllers.Base{
		Client: cached, Live: api, Clock: c.clock, Recorder: &events.FakeRecorder{}, Holder: "controller",
		Random: func() float64 { return 0.5 },
	}
	limits := inflight.Limits{Total: 10, PerHost: 10}
	slugs := controllers.NewSlugs(cached)
	loopback := egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}
	c.generation = &controllers.Generation{
		Base: &base, Slugs: slugs, Encoding: v1alpha1.EncodingPlain, Backends: c.model, Charger: ledger.NewCharger(api, c.clock),
		Runs: inflight.New[controllers.RunResult](limits),
	}
	c.publication = &controllers.Publication{
		Base: &base, HTTP: egress.NewClient(loopback, 0), RetryDelays: lifecycle.DefaultRetryDelays(),
		Engine: &delivery.Engine{Calls: inflight.New[publish.Outcome](limits), Holder: base.Holder, Clock: c.clock, Metrics: delivery.Metrics{
			Attempts: prometheus.NewCounterVec(prometheus.CounterOpts{Name: "attempts_total", Help: "Attempts."}, []string{"outcome"}),
			Seconds:  prometheus.NewHistogram(prometheus.HistogramOpts{Name: "attempt_seconds", Help: "Time of attempts."}),
			Lateness: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "lateness_seconds", Help: "Lateness of attempts."}),
		}},
	}
	content := &controllers.Content{Base: &base, Slugs: slugs, Encoding: v1alpha1.EncodingPlain}
	c.articles = controllers.NewArticleReconciler(base, content, c.generation, c.publication)
	notify := func(key types.NamespacedName) { c.notified <- key }
	c.generation.Runs.Notify(notify)
	c.publication.Engine.Calls.Notify(notify)
	return c
}

// reconcileUntilStable reconciles an article until a reconcile changes nothing and no call is in progress.
func (c *controller) reconcileUntilStable(t *tenant, name string) *v1alpha1.Article {
	GinkgoHelper()
	key := client.ObjectKey{Namespace: t.workspace, Name: name}
	for range 100 {
		before := t.article(name).ResourceVersion
		_, err := c.articles.Reconcile(ctx, ctrl.Request{NamespacedName: key})
		Expect(err).NotTo(HaveOccurred())
		after := t.article(name)
		step := lifecycle.Next(after, nil, lifecycle.Unsupported, c.clock.Now()).Step
		switch {
		case after.ResourceVersion != before:
		case c.generation.Runs.Len()+c.publication.Engine.Calls.Len() > 0:
			Eventually(c.notified).Should(Receive())
		case step != lifecycle.FollowRun && step != lifecycle.FollowDelivery:
			return after
		}
	}
	Fail("the article does not become stable")
	return nil
}

// indexedClient answers the look-ups that the manager's cache has indexes for.
type indexedClient struct {
	client.Client
	indexes indexes
}

// List answers a look-up by an index with the index's own function.
func (c indexedClient) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	var o client.ListOptions
	o.ApplyOptions(opts)
	articles, ok := list.(*v1alpha1.ArticleList)
	if !ok || o.FieldSelector == nil {
		return c.Client.List(ctx, list, opts...)
	}
	requirement := o.FieldSelector.Requirements()[0]
	if err := c.Client.List(ctx, list, client.InNamespace(o.Namespace)); err != nil {
		return err
	}
	index := c.indexes[requirement.Field]
	articles.Items = slices.DeleteFunc(articles.Items, func(a v1alpha1.Article) bool { return !slices.Contains(index(&a), requirement.Value) })
	return nil
}

// indexes has the functions that are registered with a cache.
type indexes map[string]client.IndexerFunc

func (i indexes) IndexField(_ context.Context, _ client.Object, field string, f client.IndexerFunc) error {
	i[field] = f
	return nil
}

// scriptedModel answers every run with someText or with an error.
type scriptedModel struct {
	mu  sync.Mutex
	err error
}

// For returns the model for every site.
func (m *scriptedModel) For(context.Context, *v1alpha1.Site) (controllers.Backend, error) {
	return controllers.Backend{Generator: m, Type: v1alpha1.GeneratorOpenAI, Model: "small", Host: "model"}, nil
}

// Generate returns someText or the error.
func (m *scriptedModel) Generate(context.Context, generate.Request, generate.Progress) (generate.Result, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return generate.Result{Document: someText, Model: "small"}, m.err
}

func (m *scriptedModel) fail(err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.err = err
}

// reconcile runs a new controller process until nothing is due for an article.
func (t *tenant) reconcile(name string) *v1alpha1.Article {
	GinkgoHelper()
	return newController().reconcileUntilStable(t, name)
}

// failRun ends an article's run without a revision.
func (t *tenant) failRun(name string) {
	GinkgoHelper()
	c := newController()
	c.model.fail(&generate.Error{Reason: v1alpha1.ReasonRefused, Message: "the model would not"})
	c.reconcileUntilStable(t, name)
}

// deliveredAt is when articles are published.
var deliveredAt = time.Date(2026, 11, 20, 9, 0, 0, 7_000_000, time.UTC)

// deliver has the controller send an approved article to its site, which gets a receiver that answers with a status.
func (t *tenant) deliver(name string, status int) {
	GinkgoHelper()
	slug := t.article(name).Status.Slug
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"id": 17, "url": "https://blog.example.com/" + slug})
	}))
	DeferCleanup(receiver.Close)
	t.sendTo(receiver.URL)
	t.publishNow(name)
}

// publishNow has the controller publish an approved article.
func (t *tenant) publishNow(name string) {
	GinkgoHelper()
	c := newController()
	c.clock.SetTime(deliveredAt)
	c.reconcileUntilStable(t, name)
}

// published is the name of an article that is approved and that its site has accepted.
func (t *tenant) published(r *replica) string {
	GinkgoHelper()
	name := t.approved(r)
	t.deliver(name, http.StatusOK)
	return name
}

// pulled is the name of an article that is approved and that its site may pull.
func (t *tenant) pulled(r *replica) string {
	GinkgoHelper()
	name := t.approved(r)
	t.publishNow(name)
	return name
}

// approved is the name of an article that is approved and is to be published.
func (t *tenant) approved(r *replica) string {
	GinkgoHelper()
	name := t.inReview(r)
	Expect(r.ask(t, "POST", "/v1/api/blogs/"+name+"/approve", nil)).To(saying(200, "approved"))
	Expect(r.ask(t, "POST", "/v1/api/blogs/"+name+"/publish", nil)).To(saying(200, "approved"))
	return name
}

// inReview is the name of a generated article that waits in review.
func (t *tenant) inReview(r *replica) string {
	GinkgoHelper()
	got := r.ask(t, "POST", "/v1/api/generate", t.generate("trail shoes"))
	Expect(got.Status).To(Equal(202), got.Raw)
	t.reconcile(got.Text("blog_uid"))
	return got.Text("blog_uid")
}
