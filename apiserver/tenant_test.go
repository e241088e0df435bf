package apiserver_test

import (
	"encoding/json"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// tenant is a tenant with a key to edit and to approve.
type tenant struct{ testkit.Tenant }

// newTenant returns a new tenant, when all replicas have it in their caches.
func newTenant(replicas ...*replica) *tenant {
	GinkgoHelper()
	t := &tenant{testkit.NewTenant(api, "")}
	t.Key = t.newKey(v1alpha1.ScopeRead, v1alpha1.ScopeWrite, v1alpha1.ScopeApprove)
	t.awaitKnown(replicas...)
	return t
}

// with is the tenant with another key.
func (t *tenant) with(key string) *tenant {
	other := *t
	other.Key = key
	return &other
}

func (t *tenant) newKey(scopes ...v1alpha1.Scope) string {
	GinkgoHelper()
	return t.NewKey("Mara", scopes...)
}

// reviewer is under whose name the tenant's key approves.
func (t *tenant) reviewer() string { return "Mara (api-key:" + grantOf(t.Key) + ")" }

// awaitKnown waits until the replicas have seen the tenant's workspace and site.
func (t *tenant) awaitKnown(replicas ...*replica) {
	GinkgoHelper()
	for _, r := range replicas {
		Eventually(func(g Gomega) {
			got, err := r.try(t, "GET", "/v1/api/sites", nil)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(got.Raw).To(ContainSubstring(t.SiteUID))
			got, err = r.try(t, "GET", "/v1/api/blogs", nil)
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(got.Status).To(Equal(200), got.Raw)
		}).Should(Succeed())
	}
}

// usage is the tenant's ledger.
func (t *tenant) usage() v1alpha1.AccountLedgerSpec {
	GinkgoHelper()
	ledger := &v1alpha1.AccountLedger{}
	Expect(api.Get(ctx, client.ObjectKey{Name: t.Account}, ledger)).To(Succeed())
	return ledger.Spec
}

// changeAccount changes the tenant's account.
func (t *tenant) changeAccount(change func(*v1alpha1.Account)) {
	GinkgoHelper()
	account := &v1alpha1.Account{}
	Expect(api.Get(ctx, client.ObjectKey{Name: t.Account}, account)).To(Succeed())
	change(account)
	Expect(api.Update(ctx, account)).To(Succeed())
}

// changeLimits changes the Account, and waits until the replicas use its credits and daily limit.
func (t *tenant) changeLimits(change func(*v1alpha1.Account), replicas ...*replica) {
	GinkgoHelper()
	var want v1alpha1.AccountSpec
	t.changeAccount(func(a *v1alpha1.Account) {
		change(a)
		want = a.Spec
	})
	for _, r := range replicas {
		Eventually(func(g Gomega) {
			got, err := r.try(t, "GET", "/v1/api/usage", nil)
			g.Expect(err).NotTo(HaveOccurred())
			var usage struct {
				Credits struct {
					Limit *int64 `json:"limit"`
				} `json:"credits"`
				Day struct {
					Sites []struct {
						Limit int32 `json:"limit"`
					} `json:"sites"`
				} `json:"day"`
			}
			g.Expect(json.Unmarshal([]byte(got.Raw), &usage)).To(Succeed())
			g.Expect(usage.Credits.Limit).To(Equal(want.Credits))
			if want.Limits.ArticlesPerSitePerDay != nil {
				g.Expect(usage.Day.Sites).To(HaveEach(HaveField("Limit", *want.Limits.ArticlesPerSitePerDay)))
			}
		}).Should(Succeed())
	}
}

// articles are those of the tenant's workspace.
func (t *tenant) articles() []v1alpha1.Article {
	GinkgoHelper()
	list := &v1alpha1.ArticleList{}
	Expect(api.List(ctx, list, client.InNamespace(t.Workspace))).To(Succeed())
	return list.Items
}

func (t *tenant) article(name string) *v1alpha1.Article {
	GinkgoHelper()
	a := &v1alpha1.Article{}
	t.Get(name, a)
	return a
}

// generate is the body of a generate call.
func (t *tenant) generate(keyword string) map[string]any {
	return map[string]any{"site_uid": t.SiteUID, "keyword": keyword}
}

// written is the body that creates a written article.
func (t *tenant) written(title string) map[string]any {
	return map[string]any{"site_uid": t.SiteUID, "title": title, "content_markdown": "Some *text*."}
}

// someText is the text of every generated article.
var someText = content.Document{
	Title: "Trail shoes", Markdown: "Some *text* about shoes.", MetaTitle: "Meta title", MetaDescription: "Meta description",
	FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}},
}
