package controllers_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/events"
	testclock "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/delivery"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

var started = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

var worlds atomic.Int64

// world is an account with one workspace, a receiver, a generator that does as it is told, and controller processes whose
// Reconcile the specs call themselves.
type world struct {
	ctx       context.Context
	clock     *testclock.FakeClock
	namespace string
	account   string
	client    *recordingClient
	receiver  *receiver
	generator *scriptedGenerator
	// limits of the calls that a process has in progress.
	limits inflight.Limits
	// lateness is observed for every attempt to send.
	lateness prometheus.Histogram
	*process
}

// process is one run of the controller.
type process struct {
	article     *controllers.ArticleReconciler
	generation  *controllers.Generation
	publication *controllers.Publication
	accounts    *controllers.AccountReconciler
	sites       *controllers.SiteReconciler

	outbox          *controllers.OutboxReconciler
	eventDeliveries *controllers.EventDeliveryReconciler
	subscriptions   *controllers.EventSubscriptionReconciler

	events *events.FakeRecorder
	// notified holds the objects whose call has ended or that have a slot reserved.
	notified chan types.NamespacedName
}

func newWorld() *world {
	n := worlds.Add(1)
	w := &world{
		ctx: context.Background(), clock: testclock.NewFakeClock(started), namespace: fmt.Sprintf("blog-%d", n), account: fmt.Sprintf("acme-%d", n),
		client: newRecordingClient(), receiver: newReceiver(), generator: &scriptedGenerator{}, limits: inflight.Limits{Total: 100, PerHost: 100},
		lateness: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "lateness_seconds", Help: "How late attempts began."}),
	}
	DeferCleanup(w.receiver.Close)
	Expect(api.Create(w.ctx, &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: w.account}})).To(Succeed())
	Expect(api.Create(w.ctx, testkit.NewWorkspace(w.namespace, w.account))).To(Succeed())
	w.createSecret()
	w.restart()
	return w
}

// restart begins a new process: what the old one had in memory is gone.
func (w *world) restart() {
	w.process = newProcess(w)
}

func newProcess(w *world) *process {
	p := &process{events: events.NewFakeRecorder(100), notified: make(chan types.NamespacedName, 1000)}
	base := controllers.Base{
		Client: w.client, Live: api, Clock: w.clock, Recorder: p.events, Holder: fmt.Sprintf("process-%d", worlds.Add(1)),
		Random: func() float64 { return 0.5 },
	}
	slugs := controllers.NewSlugs(w.client)
	charger := ledger.NewCharger(w.client, w.clock)
	p.generation = &controllers.Generation{
		Base: &base, Slugs: slugs, Encoding: v1alpha1.EncodingPlain, Backends: w.generator, Charger: charger,
		Runs: inflight.New[controllers.RunResult](w.limits),
	}
	p.publication = &controllers.Publication{
		Base: &base, HTTP: egress.NewClient(loopback, 0), RetryDelays: lifecycle.DefaultRetryDelays(),
		Engine: w.engine(base, controllers.PublicationMetrics()),
	}
	content := &controllers.Content{Base: &base, Slugs: slugs, Encoding: v1alpha1.EncodingPlain}
	p.article = controllers.NewArticleReconciler(base, content, p.generation, p.publication)
	p.accounts = &controllers.AccountReconciler{Base: base, Ledger: charger}
	checkURL := func(raw string) error {
		_, err := loopback.CheckURL(raw)
		return err
	}
	p.sites = &controllers.SiteReconciler{
		Base: base, CheckURL: func(raw string) error {
			if raw == w.receiver.URL {
				return nil
			}
			_, err := egress.CheckURL(raw)
			return err
		}, HTTP: egress.NewClient(loopback, 0), Engine: w.engine(base, controllers.ConnectionTestMetrics()),
	}
	p.outbox = &controllers.OutboxReconciler{Base: base}
	p.eventDeliveries = &controllers.EventDeliveryReconciler{
		Base: base, HTTP: egress.NewClient(loopback, 0), RetryDelays: lifecycle.DefaultRetryDelays(),
		Engine: w.engine(base, controllers.EventMetrics()),
	}
	p.subscriptions = &controllers.EventSubscriptionReconciler{Base: base, CheckURL: checkURL}
	notify := func(key types.NamespacedName) { p.notified <- key }
	p.generation.Runs.Notify(notify)
	for _, e := range []*delivery.Engine{p.publication.Engine, p.eventDeliveries.Engine, p.sites.Engine} {
		e.Calls.Notify(notify)
	}
	return p
}

func (w *world) engine(base controllers.Base, metrics delivery.Metrics) *delivery.Engine {
	metrics.Lateness = w.lateness
	return &delivery.Engine{Calls: inflight.New[publish.Outcome](w.limits), Holder: base.Holder, Clock: w.clock, Metrics: metrics}
}

var loopback = egress.Policy{AllowCIDRs: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}}

func (w *world) createSecret() {
	Expect(api.Create(w.ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "webhook"}, StringData: map[string]string{"secret": signingSecret},
	})).To(Succeed())
}

const signingSecret = "a-long-random-string-of-the-customer"

// createSite creates the site acme, which sends to the receiver.
func (w *world) createSite(changes ...func(*v1alpha1.Site)) *v1alpha1.Site {
	site := &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "acme"},
		Spec: v1alpha1.SiteSpec{
			Domain: "acme.example",
			CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
				URL: w.receiver.URL, SigningSecretRef: v1alpha1.SecretKeyReference{Name: "webhook", Key: "secret"},
			}},
		},
	}
	for _, change := range changes {
		change(site)
	}
	Expect(api.Create(w.ctx, site)).To(Succeed())
	return site
}

// createArticle creates an article of the site acme and returns its key.
func (w *world) createArticle(name string, changes ...func(*v1alpha1.Article)) client.ObjectKey {
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name},
		Spec:       v1alpha1.ArticleSpec{SiteRef: v1alpha1.LocalReference{Name: "acme"}},
	}
	for _, change := range changes {
		change(a)
	}
	Expect(w.client.Create(w.ctx, a)).To(Succeed())
	return client.ObjectKeyFromObject(a)
}

func asked(a *v1alpha1.Article) {
	a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "trail running shoes", SecondaryKeywords: []string{"grip"}}
}

func wrote(title, markdown string) func(*v1alpha1.Article) {
	return func(a *v1alpha1.Article) { a.Spec.Content = &v1alpha1.ArticleContent{Title: title, Markdown: markdown} }
}

func toPublished(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StagePublished }

// approvedInManifest is an approval by pull request: the content stands beside it.
func approvedInManifest(a *v1alpha1.Article) {
	a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: "mara@acme.example"}
}

// get reads an article.
func (w *world) get(key client.ObjectKey) *v1alpha1.Article {
	GinkgoHelper()
	a := &v1alpha1.Article{}
	Expect(api.Get(w.ctx, key, a)).To(Succeed())
	return a
}

// edit changes an article as a person would.
func (w *world) edit(key client.ObjectKey, change func(*v1alpha1.Article)) {
	GinkgoHelper()
	a := w.get(key)
	old := a.DeepCopy()
	change(a)
	Expect(w.client.Patch(w.ctx, a, client.MergeFrom(old))).To(Succeed())
}

// approveAndPublish is the one patch of a reviewer who also asks for publishing.
func (w *world) approveAndPublish(key client.ObjectKey) {
	GinkgoHelper()
	w.edit(key, func(a *v1alpha1.Article) {
		a.Spec.Stage = v1alpha1.StagePublished
		a.Spec.Review = &v1alpha1.ArticleReview{
			Decision: v1alpha1.DecisionApproved, Digest: a.Status.Revision.Digest, By: "mara@acme.example",
		}
	})
}

// reconcileUntilStable calls the reconciler until it does not change the article and no call is in progress.
func (w *world) reconcileUntilStable(key client.ObjectKey) *v1alpha1.Article {
	GinkgoHelper()
	for range 100 {
		before := w.get(key).ResourceVersion
		w.reconcileAll(key)
		after := w.get(key)
		switch {
		case after.ResourceVersion != before:
		case w.generation.Runs.Len()+w.publication.Engine.Calls.Len() > 0:
			<-w.notified
		default:
			if w.unrecorded(after) {
				continue
			}
			expectTrueToKStatus(after)
			return after
		}
	}
	Fail("the article does not come to rest")
	return nil
}

// unrecorded reports whether work has just ended that a reconcile has yet to record.
func (w *world) unrecorded(a *v1alpha1.Article) bool {
	step := lifecycle.Next(a, nil, lifecycle.Unsupported, w.clock.Now()).Step
	return step == lifecycle.FollowRun || step == lifecycle.FollowDelivery
}

func (w *world) reconcileAll(key client.ObjectKey) {
	GinkgoHelper()
	for _, r := range []reconcile.Reconciler{w.article} {
		_, err := r.Reconcile(w.ctx, ctrl.Request{NamespacedName: key})
		Expect(err).NotTo(HaveOccurred())
	}
}

// reason of one of the article's conditions, as Status/Reason.
func reason(a *v1alpha1.Article, kind string) string {
	c := meta.FindStatusCondition(a.Status.Conditions, kind)
	if c == nil {
		return ""
	}
	return string(c.Status) + "/" + c.Reason
}

// receiver is a customer's site.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	requests []received
	answer   func(n int, w http.ResponseWriter)
}

type received struct {
	body   string
	header http.Header
}

func newReceiver() *receiver {
	r := &receiver{answer: func(_ int, w http.ResponseWriter) {
		_, err := io.WriteString(w, `{"id": 17, "url": "https://acme.example/blog/shoes"}`)
		Expect(err).NotTo(HaveOccurred())
	}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		defer GinkgoRecover()
		body, err := io.ReadAll(req.Body)
		Expect(err).NotTo(HaveOccurred())
		r.mu.Lock()
		r.requests = append(r.requests, received{string(body), req.Header.Clone()})
		n, answer := len(r.requests), r.answer
		r.mu.Unlock()
		answer(n, w)
	}))
	return r
}

func (r *receiver) answers(f func(n int, w http.ResponseWriter)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.answer = f
}

func (r *receiver) answersStatus(status int) {
	r.answers(func(_ int, w http.ResponseWriter) { w.WriteHeader(status) })
}

func (r *receiver) received() []received {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]received(nil), r.requests...)
}

// scriptedGenerator answers as a spec tells it to.
type scriptedGenerator struct {
	mu      sync.Mutex
	calls   int
	script  func(ctx context.Context, call int, r generate.Request, progress generate.Progress) (generate.Result, error)
	blocked error
}

func (g *scriptedGenerator) For(context.Context, *v1alpha1.Site) (controllers.Backend, error) {
	return controllers.Backend{Generator: g, Type: v1alpha1.GeneratorOpenAI, Model: "small", Host: "model"}, g.blocked
}

func (g *scriptedGenerator) Generate(ctx context.Context, r generate.Request, progress generate.Progress) (generate.Result, error) {
	g.mu.Lock()
	g.calls++
	call, script := g.calls, g.script
	g.mu.Unlock()
	if script != nil {
		return script(ctx, call, r, progress)
	}
	return written(r.Keyword, call), nil
}

func (g *scriptedGenerator) does(script func(ctx context.Context, call int, r generate.Request, progress generate.Progress) (generate.Result, error)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.script = script
}

func (g *scriptedGenerator) called() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.calls
}

// written is what the generator wrote at a call.
func written(keyword string, call int) generate.Result {
	return generate.Result{
		Document: content.Document{
			Title: "All about " + keyword, Markdown: fmt.Sprintf("Text %d about %s.\n\n## Why\n\nBecause.", call, keyword),
			MetaDescription: "What to know about " + keyword + ".", Language: "en",
			FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}},
		},
		Model: "small-2026", Usage: generate.Usage{InputTokens: 100, OutputTokens: 1000},
	}
}
