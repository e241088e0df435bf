package controllers_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/prometheus/client_golang/prometheus"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	testclock "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/controllertest"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/delivery"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

var started = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

var worlds atomic.Int64

// world is an account with one workspace, a receiver, a scripted generator, and controller processes whose Reconcile the specs
// call themselves.
type world struct {
	ctx       context.Context
	clock     *testclock.FakeClock
	namespace string
	account   string
	client    *recordingClient
	receiver  *testkit.Receiver
	generator *controllertest.Generator
	// limits of the calls that a process has in progress.
	limits inflight.Limits
	// suspended processes generate and send nothing.
	suspended bool
	// lateness is observed for every attempt to send.
	lateness prometheus.Histogram
	// watched are the kinds that a manager of this world watches.
	watched *watches
	*controllertest.Process
}

func newWorld() *world {
	n := worlds.Add(1)
	w := &world{
		ctx: context.Background(), clock: testclock.NewFakeClock(started), namespace: fmt.Sprintf("blog-%d", n), account: fmt.Sprintf("acme-%d", n),
		client: newRecordingClient(), watched: &watches{}, receiver: testkit.NewReceiver(), limits: inflight.Limits{Total: 100, PerHost: 100},
		generator: controllertest.NewGenerator(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			return written(r.Keyword, call), nil
		}),
		lateness: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "lateness_seconds", Help: "How late attempts began."}),
	}
	Expect(api.Create(w.ctx, &v1alpha1.Account{ObjectMeta: metav1.ObjectMeta{Name: w.account}})).To(Succeed())
	Expect(api.Create(w.ctx, testkit.NewWorkspace(w.namespace, w.account))).To(Succeed())
	w.createSecret()
	w.restart()
	return w
}

// restart begins a new process: what the old one had in memory is gone.
func (w *world) restart() {
	w.Process = controllertest.NewProcess(controllertest.Options{
		Client: w.client, Live: api, Clock: w.clock, Generator: w.generator, Limits: w.limits,
		Suspend: w.suspended,
	})
	// The world's receiver is the one address on loopback that a site may have.
	w.Sites.CheckURL = func(raw string) error {
		if raw == w.receiver.URL {
			return nil
		}
		_, err := egress.Policy{}.CheckURL(raw)
		return err
	}
	for _, e := range []*delivery.Engine{w.Publication.Engine, w.EventDeliveries.Engine, w.Sites.Engine} {
		e.Metrics.Lateness = w.lateness
	}
}

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
	// The controller has seen it.
	old := site.DeepCopy()
	site.Annotations = map[string]string{v1alpha1.UIDAnnotation: string(site.UID)}
	Expect(api.Patch(w.ctx, site, client.MergeFrom(old))).To(Succeed())
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

func withKeyword(a *v1alpha1.Article) {
	a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "trail running shoes", SecondaryKeywords: []string{"grip"}}
}

func withText(title, markdown string) func(*v1alpha1.Article) {
	return func(a *v1alpha1.Article) { a.Spec.Content = &v1alpha1.ArticleContent{Title: title, Markdown: markdown} }
}

func toBePublished(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StagePublished }

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

// reconcileUntilStable reconciles an article until it is stable, in a state that kstatus understands.
func (w *world) reconcileUntilStable(key client.ObjectKey) *v1alpha1.Article {
	GinkgoHelper()
	a := w.ReconcileUntilStable(key)
	expectTrueToKStatus(a)
	return a
}

// reason of one of the article's conditions, as Status/Reason.
func reason(a *v1alpha1.Article, kind string) string {
	c := meta.FindStatusCondition(a.Status.Conditions, kind)
	if c == nil {
		return ""
	}
	return string(c.Status) + "/" + c.Reason
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
