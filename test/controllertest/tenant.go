package controllertest

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
	"k8s.io/apimachinery/pkg/types"
	testclock "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// Started is the time of a new tenant's clock.
var Started = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

var tenants atomic.Int64

// Tenant is an account with one workspace, a receiver, a scripted generator, and controller processes whose Reconcile the specs
// call themselves.
type Tenant struct {
	// Process is the one that runs now.
	*Process

	// API is a client of kube-apiserver with the rights of an administrator, and Ctx the context of calls.
	API client.WithWatch
	Ctx context.Context
	// Clock is the time of the processes.
	Clock *testclock.FakeClock
	// Namespace is the workspace, Account the name of its account.
	Namespace, Account string
	// Client is the client of the processes under test.
	Client *RecordingClient
	// Receiver is where the site acme sends to, Generator what writes its articles.
	Receiver  *testkit.Receiver
	Generator *Generator
	// Limits of the calls that a process has in progress.
	Limits inflight.Limits
	// Suspended processes generate and send nothing.
	Suspended bool
	// Renewed returns when a process renewed its lease last; nil without leader election.
	Renewed func() time.Time
	// Lateness is observed for every attempt to send.
	Lateness prometheus.Histogram
}

// NewTenant creates the account, the workspace and the Secret of a tenant, and starts its first process.
func NewTenant(api client.WithWatch) *Tenant {
	GinkgoHelper()
	n := tenants.Add(1)
	t := &Tenant{
		API: api, Ctx: context.Background(), Clock: testclock.NewFakeClock(Started),
		Namespace: fmt.Sprintf("blog-%d", n), Account: fmt.Sprintf("acme-%d", n),
		Client: NewRecordingClient(api), Receiver: testkit.NewReceiver(), Limits: inflight.Limits{Total: 100, PerHost: 100},
		Generator: NewGenerator(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			return Written(r.Keyword, call), nil
		}),
		Lateness: prometheus.NewHistogram(prometheus.HistogramOpts{Name: "lateness_seconds", Help: "How late attempts began."}),
	}
	testkit.CreateAccount(t.API, t.Account, "", t.Namespace)
	t.CreateSecret()
	t.Restart()
	return t
}

// Restart begins a new process: what the old one had in memory is gone.
func (t *Tenant) Restart() {
	t.Process = NewProcess(ProcessOptions{
		Client: t.Client, Live: t.API, Clock: t.Clock, Generator: t.Generator, Limits: t.Limits,
		Suspend: t.Suspended, Renewed: t.Renewed,
	})
	// The tenant's receiver is the one address on loopback that a site may have.
	t.Sites.CheckURL = func(raw string) error {
		if raw == t.Receiver.URL {
			return nil
		}
		return egress.Policy{}.CheckURL(raw)
	}
	for _, e := range []*attempt.Engine[publish.Outcome]{t.Publication.Engine, t.EventDeliveries.Engine, t.Sites.Engine} {
		e.Metrics.Lateness = t.Lateness
	}
}

// CreateSecret creates the Secret that the site acme signs with.
func (t *Tenant) CreateSecret() {
	Expect(t.API.Create(t.Ctx, &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "webhook"}, StringData: map[string]string{"secret": SigningSecret},
	})).To(Succeed())
}

// SigningSecret is the secret in it.
const SigningSecret = "a-long-random-string-of-the-customer"

// CreateSite creates the site acme, which sends to the receiver.
func (t *Tenant) CreateSite(changes ...func(*v1alpha1.Site)) *v1alpha1.Site {
	site := &v1alpha1.Site{
		ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "acme"},
		Spec: v1alpha1.SiteSpec{
			Domain: "acme.example",
			CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
				URL: t.Receiver.URL, SigningSecretRef: v1alpha1.SecretKeyReference{Name: "webhook", Key: "secret"},
			}},
		},
	}
	for _, change := range changes {
		change(site)
	}
	Expect(t.API.Create(t.Ctx, site)).To(Succeed())
	// The controller has seen it.
	old := site.DeepCopy()
	site.Annotations = map[string]string{v1alpha1.UIDAnnotation: string(site.UID)}
	Expect(t.API.Patch(t.Ctx, site, client.MergeFrom(old))).To(Succeed())
	return site
}

// CreateArticle creates an article of the site acme and returns its key.
func (t *Tenant) CreateArticle(name string, changes ...func(*v1alpha1.Article)) client.ObjectKey {
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: name},
		Spec:       v1alpha1.ArticleSpec{SiteRef: v1alpha1.LocalReference{Name: "acme"}},
	}
	for _, change := range changes {
		change(a)
	}
	Expect(t.Client.Create(t.Ctx, a)).To(Succeed())
	return client.ObjectKeyFromObject(a)
}

// WithKeyword asks for a generated text.
func WithKeyword(a *v1alpha1.Article) {
	a.Spec.Generate = &v1alpha1.GenerateRequest{Keyword: "trail running shoes", SecondaryKeywords: []string{"grip"}}
}

// WithText makes an article of a written text.
func WithText(title, markdown string) func(*v1alpha1.Article) {
	return func(a *v1alpha1.Article) { a.Spec.Content = &v1alpha1.ArticleContent{Title: title, Markdown: markdown} }
}

// ToBePublished asks for publishing.
func ToBePublished(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StagePublished }

// ApprovedInManifest is an approval by pull request: the content stands beside it.
func ApprovedInManifest(a *v1alpha1.Article) {
	a.Spec.Review = &v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, By: "mara@acme.example"}
}

// GetArticle reads an article.
func (t *Tenant) GetArticle(key client.ObjectKey) *v1alpha1.Article {
	GinkgoHelper()
	a := &v1alpha1.Article{}
	Expect(t.API.Get(t.Ctx, key, a)).To(Succeed())
	return a
}

// EditArticle changes an article as a person would.
func (t *Tenant) EditArticle(key client.ObjectKey, change func(*v1alpha1.Article)) {
	GinkgoHelper()
	a := t.GetArticle(key)
	old := a.DeepCopy()
	change(a)
	Expect(t.Client.Patch(t.Ctx, a, client.MergeFrom(old))).To(Succeed())
}

// ApproveAndPublish is the one patch of a reviewer who also asks for publishing.
func (t *Tenant) ApproveAndPublish(key client.ObjectKey) {
	GinkgoHelper()
	t.EditArticle(key, func(a *v1alpha1.Article) {
		a.Spec.Stage = v1alpha1.StagePublished
		a.Spec.Review = &v1alpha1.ArticleReview{
			Decision: v1alpha1.DecisionApproved, Digest: a.Status.Revision.Digest, By: "mara@acme.example",
		}
	})
}

// ReconcileUntilStable reconciles an article until it is stable, in a state that kstatus understands.
func (t *Tenant) ReconcileUntilStable(key client.ObjectKey) *v1alpha1.Article {
	GinkgoHelper()
	a := t.Process.ReconcileUntilStable(key)
	expectTrueToKStatus(a)
	return a
}

// Reason of one of the article's conditions, as Status/Reason.
func Reason(a *v1alpha1.Article, kind string) string {
	c := meta.FindStatusCondition(a.Status.Conditions, kind)
	if c == nil {
		return ""
	}
	return string(c.Status) + "/" + c.Reason
}

// Written returns the text that the generator wrote in a call.
func Written(keyword string, call int) generate.Result {
	return generate.Result{
		Document: content.Document{
			Title: "All about " + keyword, Markdown: fmt.Sprintf("Text %d about %s.\n\n## Why\n\nBecause.", call, keyword),
			MetaDescription: "What to know about " + keyword + ".", Language: "en",
			FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}},
		},
		Model: "small-2026", Usage: generate.Usage{InputTokens: 100, OutputTokens: 1000},
	}
}

// Revision reads an article's current revision.
func (t *Tenant) Revision(a *v1alpha1.Article) *v1alpha1.ArticleRevision {
	GinkgoHelper()
	rev := &v1alpha1.ArticleRevision{}
	Expect(t.API.Get(t.Ctx, types.NamespacedName{Namespace: a.Namespace, Name: a.Status.Revision.Name}, rev)).To(Succeed())
	return rev
}

// OfSite makes an article one of another site.
func OfSite(name string) func(*v1alpha1.Article) {
	return func(a *v1alpha1.Article) { a.Spec.SiteRef.Name = name }
}

// ConditionOf returns one of the conditions as Status/Reason.
func ConditionOf(conditions []metav1.Condition, kind string) string {
	c := meta.FindStatusCondition(conditions, kind)
	if c == nil {
		return ""
	}
	return string(c.Status) + "/" + c.Reason
}

// Neighbor is another account with a workspace of its own, in the same process.
func (t *Tenant) Neighbor() *Tenant {
	GinkgoHelper()
	n, id := *t, tenants.Add(1)
	n.Namespace, n.Account = fmt.Sprintf("blog-%d", id), fmt.Sprintf("acme-%d", id)
	testkit.CreateAccount(n.API, n.Account, "", n.Namespace)
	n.CreateSecret()
	n.CreateSite()
	return &n
}

// Request returns the request of a reconciler for an object.
func Request(key client.ObjectKey) ctrl.Request { return ctrl.Request{NamespacedName: key} }
