package dashboardtest

import (
	"context"
	"maps"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// Tenant is a tenant whom all replicas know, with a key to edit and to approve.
type Tenant struct {
	testkit.Tenant

	Facades *Facades
}

// NewTenant makes a tenant.
func (f *Facades) NewTenant(displayName string) *Tenant {
	GinkgoHelper()
	t := &Tenant{Tenant: testkit.NewTenant(f.API, displayName), Facades: f}
	t.Key = t.NewKey("Mara", v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove)
	t.awaitKnown()
	return t
}

func (t *Tenant) awaitKnown() {
	GinkgoHelper()
	for replica := range t.Facades.URLs {
		Eventually(func() string {
			return t.askReplica(replica, http.MethodGet, "/v1/api/sites", nil).Raw
		}).Should(ContainSubstring(t.SiteUID))
	}
}

// Ask calls the REST API with the tenant's key, in its workspace.
func (t *Tenant) Ask(method, path string, body any) testkit.Answer {
	GinkgoHelper()
	return t.askReplica(0, method, path, body)
}

func (t *Tenant) askReplica(replica int, method, path string, body any) testkit.Answer {
	GinkgoHelper()
	return testkit.Send(t.Facades.http, t.Request(method, t.Facades.URLs[replica]+path, body))
}

// Text is what the model answers every run with.
var Text = content.Document{
	Title:     "Trail running shoes: what to look for",
	Markdown:  "## Grip\n\nSoft rubber holds on wet rock.\n\n## Fit\n\nLeave room for the toes.",
	MetaTitle: "Trail running shoes", MetaDescription: "How to choose trail running shoes that grip and fit.",
	FAQ: []v1alpha1.FAQ{{Question: "Which shoes grip on wet rock?", Answer: "Those with a soft sole."}},
}

// Generating makes an article of a keyword, whose run has not begun, and returns its uid.
func (t *Tenant) Generating(keyword string) string {
	GinkgoHelper()
	got := t.Ask(http.MethodPost, "/v1/api/generate", map[string]any{"site_uid": t.SiteUID, "keyword": keyword})
	Expect(got.Status).To(Equal(http.StatusAccepted), got.Raw)
	return got.Text("blog_uid")
}

// InReview makes a generated article that waits in review, and returns its uid.
func (t *Tenant) InReview(keyword string) string {
	GinkgoHelper()
	uid := t.Generating(keyword)
	t.Reconcile(uid)
	t.await(uid, "review")
	return uid
}

// Written makes an article of an author's text that waits in review, and returns its uid.
func (t *Tenant) Written(title, markdown string) string {
	GinkgoHelper()
	return t.WrittenWith(title, markdown, nil)
}

// WrittenWith is Written with more members of the request.
func (t *Tenant) WrittenWith(title, markdown string, more map[string]any) string {
	GinkgoHelper()
	body := map[string]any{"site_uid": t.SiteUID, "title": title, "content_markdown": markdown}
	maps.Copy(body, more)
	got := t.Ask(http.MethodPost, "/v1/api/blogs", body)
	Expect(got.Status).To(Equal(http.StatusCreated), got.Raw)
	t.Reconcile(got.Text("uid"))
	t.await(got.Text("uid"), "review")
	return got.Text("uid")
}

// Rewrite changes the text of an article as another person would, and makes the revision.
func (t *Tenant) Rewrite(uid, markdown string) {
	GinkgoHelper()
	got := t.Ask(http.MethodPatch, "/v1/api/blogs/"+uid, map[string]any{"content_markdown": markdown})
	Expect(got.Status).To(Equal(http.StatusOK), got.Raw)
	t.Reconcile(uid)
	Eventually(func() string {
		return t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("revision_digest")
	}).ShouldNot(BeEmpty())
}

// Reconcile runs the controller until nothing is due for an article.
func (t *Tenant) Reconcile(uid string) *v1alpha1.Article {
	GinkgoHelper()
	return t.ReconcileAt(uid, time.Now())
}

// ReconcileAt runs the controller at a time until nothing is due for an article.
func (t *Tenant) ReconcileAt(uid string, now time.Time) *v1alpha1.Article {
	GinkgoHelper()
	return t.Run(uid, controllertest.Run{Now: now, Text: Text})
}

// Run runs the controller for an article.
func (t *Tenant) Run(uid string, r controllertest.Run) *v1alpha1.Article {
	GinkgoHelper()
	return controllertest.RunArticle(context.Background(), t.API, client.ObjectKey{Namespace: t.Workspace, Name: uid}, r)
}

// await waits until all replicas have an article in a status.
func (t *Tenant) await(uid, status string) {
	GinkgoHelper()
	for replica := range t.Facades.URLs {
		Eventually(func() string {
			return t.askReplica(replica, http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("status")
		}).Should(Equal(status))
	}
}

// SendTo has the site send to a receiver, which answers with a status.
func (t *Tenant) SendTo(status int) *testkit.Receiver {
	GinkgoHelper()
	receiver := testkit.NewReceiver()
	receiver.AnswersPost(status, "https://blog.example.com/post")
	t.Deliver(receiver.URL)
	return receiver
}
