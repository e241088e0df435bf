package apiserver_test

import (
	"fmt"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

var tenants atomic.Int32

// tenant is an account with a workspace, a site that pulls, and a key with every scope.
type tenant struct {
	account, workspace string
	site, siteUID      string
	key                string
}

// newTenant makes a tenant whom the replicas know.
func newTenant(replicas ...*replica) *tenant {
	GinkgoHelper()
	n := tenants.Add(1)
	t := &tenant{account: fmt.Sprintf("acme-%d", n), workspace: fmt.Sprintf("acme-%d-blog", n), site: "acme"}
	account := &v1alpha1.Account{}
	account.Name = t.account
	Expect(api.Create(ctx, account)).To(Succeed())
	t.makeWorkspace()
	t.key = t.newKey(v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove)
	t.awaitKnown(replicas...)
	return t
}

// with is the tenant with another key.
func (t *tenant) with(key string) *tenant {
	other := *t
	other.key = key
	return &other
}

// makeWorkspace makes the tenant's namespace with its site.
func (t *tenant) makeWorkspace() {
	GinkgoHelper()
	Expect(api.Create(ctx, testkit.NewWorkspace(t.workspace, t.account))).To(Succeed())
	site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{Domain: "blog.example.com", CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSNone}}}
	site.Namespace, site.Name = t.workspace, t.site
	Expect(api.Create(ctx, site)).To(Succeed())
	t.siteUID = identity.UID(identity.KindSite, t.workspace, t.site)
}

func (t *tenant) newKey(scopes ...v1alpha1.Scope) string {
	GinkgoHelper()
	object, key := testkit.NewAPIKey(systemNamespace, t.account, scopes...)
	object.Spec.DisplayName = "Mara"
	Expect(api.Create(ctx, object)).To(Succeed())
	return key
}

// reviewer is under whose name the tenant's key approves.
func (t *tenant) reviewer() string { return "Mara (api-key:" + grantOf(t.key) + ")" }

// awaitKnown waits until the replicas have seen the tenant's workspace and site.
func (t *tenant) awaitKnown(replicas ...*replica) {
	GinkgoHelper()
	for _, r := range replicas {
		Eventually(func(g Gomega) {
			got, err := r.try(t, "GET", "/v1/api/sites", nil)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(got.Raw).To(ContainSubstring(t.siteUID))
			got, err = r.try(t, "GET", "/v1/api/blogs", nil)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(got.Status).To(Equal(200), got.Raw)
		}).Should(Succeed())
	}
}

// usage is the tenant's ledger.
func (t *tenant) usage() v1alpha1.AccountUsage {
	GinkgoHelper()
	account := &v1alpha1.Account{}
	Expect(api.Get(ctx, client.ObjectKey{Name: t.account}, account)).To(Succeed())
	return account.Status.Usage
}

// changeAccount changes the tenant's account.
func (t *tenant) changeAccount(change func(*v1alpha1.Account)) {
	GinkgoHelper()
	account := &v1alpha1.Account{}
	Expect(api.Get(ctx, client.ObjectKey{Name: t.account}, account)).To(Succeed())
	change(account)
	Expect(api.Update(ctx, account)).To(Succeed())
}

// articles are those of the tenant's workspace.
func (t *tenant) articles() []v1alpha1.Article {
	GinkgoHelper()
	list := &v1alpha1.ArticleList{}
	Expect(api.List(ctx, list, client.InNamespace(t.workspace))).To(Succeed())
	return list.Items
}

func (t *tenant) article(name string) *v1alpha1.Article {
	GinkgoHelper()
	a := &v1alpha1.Article{}
	Expect(api.Get(ctx, client.ObjectKey{Namespace: t.workspace, Name: name}, a)).To(Succeed())
	return a
}

// generate is the body of a generate call.
func (t *tenant) generate(keyword string) map[string]any {
	return map[string]any{"site_uid": t.siteUID, "keyword": keyword}
}

// written is the body that creates a written article.
func (t *tenant) written(title string) map[string]any {
	return map[string]any{"site_uid": t.siteUID, "title": title, "content_markdown": "Some *text*."}
}

// sendTo has the tenant's site send to a receiver.
func (t *tenant) sendTo(url string) {
	GinkgoHelper()
	secret := &corev1.Secret{StringData: map[string]string{"secret": "a-long-random-string-of-the-customer"}}
	secret.Namespace, secret.Name = t.workspace, "webhook"
	Expect(client.IgnoreAlreadyExists(api.Create(ctx, secret))).To(Succeed())
	site := &v1alpha1.Site{}
	Expect(api.Get(ctx, client.ObjectKey{Namespace: t.workspace, Name: t.site}, site)).To(Succeed())
	site.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
		URL: url, SigningSecretRef: v1alpha1.SecretKeyReference{Name: "webhook", Key: "secret"},
	}}
	Expect(api.Update(ctx, site)).To(Succeed())
}

// someText is the text of every generated article.
var someText = content.Document{
	Title: "Trail shoes", Markdown: "Some *text* about shoes.", MetaTitle: "Meta title", MetaDescription: "Meta description",
	FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}},
}
