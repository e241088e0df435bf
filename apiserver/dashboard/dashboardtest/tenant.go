package dashboardtest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/facadetest"
	"github.com/pressroom-dev/pressroom/controllers/controllertest"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// Tenant is an account with a workspace, a site that it pulls articles from, and a key with every scope.
type Tenant struct {
	World *World
	// Account and Workspace by name.
	Account, Workspace string
	// Site by name, and its uid over REST.
	Site, SiteUID string
	Key           string
}

var tenants atomic.Int32

// NewTenant makes an account whom all replicas know.
func (w *World) NewTenant(displayName string) *Tenant {
	GinkgoHelper()
	n := tenants.Add(1)
	t := &Tenant{World: w, Account: fmt.Sprintf("tenant-%d", n), Workspace: fmt.Sprintf("tenant-%d-blog", n), Site: "main"}
	account := &v1alpha1.Account{Spec: v1alpha1.AccountSpec{DisplayName: displayName}}
	account.Name = t.Account
	Expect(w.API.Create(w.ctx, account)).To(Succeed())
	t.SiteUID = t.NewSite(t.Workspace, t.Site)
	t.Key = t.NewKey("Mara", v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove)
	t.awaitKnown()
	return t
}

// NewSite makes a site, and its workspace if there is none, and returns the site's uid.
func (t *Tenant) NewSite(workspace, name string) string {
	GinkgoHelper()
	Expect(client.IgnoreAlreadyExists(t.World.API.Create(t.World.ctx, testkit.NewWorkspace(workspace, t.Account)))).To(Succeed())
	site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Domain: "blog.example.com", CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}}}
	site.Namespace, site.Name = workspace, name
	Expect(t.World.API.Create(t.World.ctx, site)).To(Succeed())
	return identity.UID(identity.KindSite, workspace, name)
}

// NewKey makes an API key of the account.
func (t *Tenant) NewKey(displayName string, scopes ...v1alpha1.Scope) string {
	GinkgoHelper()
	object, key := testkit.NewAPIKey(facadetest.SystemNamespace, t.Account, scopes...)
	object.Spec.DisplayName = displayName
	Expect(t.World.API.Create(t.World.ctx, object)).To(Succeed())
	return key
}

func (t *Tenant) awaitKnown() {
	GinkgoHelper()
	for replica := range t.World.URLs {
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
	q := testkit.NewRequest(method, t.World.URLs[replica]+path, body, "x-api-key", t.Key, "x-workspace-id", t.Workspace)
	return testkit.Send(t.World.http, q)
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
	body := map[string]any{"site_uid": t.SiteUID, "title": title, "content_markdown": markdown}
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
	return controllertest.RunArticle(t.World.ctx, t.World.API, client.ObjectKey{Namespace: t.Workspace, Name: uid}, r)
}

// await waits until all replicas have an article in a status.
func (t *Tenant) await(uid, status string) {
	GinkgoHelper()
	for replica := range t.World.URLs {
		Eventually(func() string {
			return t.askReplica(replica, http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("status")
		}).Should(Equal(status))
	}
}

// SendTo has the site send to a receiver, which answers with a status.
func (t *Tenant) SendTo(status int) *testkit.Receiver {
	GinkgoHelper()
	receiver := testkit.NewReceiver()
	receiver.Answers(func(_ int, w http.ResponseWriter) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{"id": 17, "url": "https://blog.example.com/post"})
	})
	secret := &corev1.Secret{StringData: map[string]string{"secret": "a-long-random-string-of-the-customer"}}
	secret.Namespace, secret.Name = t.Workspace, "webhook"
	Expect(client.IgnoreAlreadyExists(t.World.API.Create(t.World.ctx, secret))).To(Succeed())
	site := &v1alpha1.Site{}
	Expect(t.World.API.Get(t.World.ctx, client.ObjectKey{Namespace: t.Workspace, Name: t.Site}, site)).To(Succeed())
	site.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
		URL: receiver.URL, SigningSecretRef: v1alpha1.SecretKeyReference{Name: "webhook", Key: "secret"},
	}}
	Expect(t.World.API.Update(t.World.ctx, site)).To(Succeed())
	return receiver
}
