package dashboard_test

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/PuerkitoBio/goquery"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
	"github.com/pressroom-dev/pressroom/test/project"
)

// manager signs somebody in who has every scope.
func manager(t *dashboardtest.Tenant) *dashboardtest.Person {
	GinkgoHelper()
	return t.SignInWith(t.NewKey("Mia", auth.Scopes()...))
}

// siteSecret is the Secret that a site names, and where the site sends it.
func siteSecret(t *dashboardtest.Tenant, uid string) (url string, secret corev1.Secret) {
	GinkgoHelper()
	site := &v1alpha1.Site{}
	Expect(facades.API.Get(GinkgoT().Context(), client.ObjectKey{Namespace: t.Workspace, Name: uid}, site)).To(Succeed())
	url, name := "", ""
	if h := site.Spec.CMS.Headless; h != nil {
		url, name = h.URL, h.SigningSecretRef.Name
	} else if w := site.Spec.CMS.WordPress; w != nil {
		url, name = w.URL, w.CredentialsSecretRef.Name
	}
	Expect(facades.API.Get(GinkgoT().Context(), client.ObjectKey{Namespace: t.Workspace, Name: name}, &secret)).To(Succeed())
	return url, secret
}

var _ = Describe("Connecting a site", func() {
	It("asks for the type, shows the secret that it makes once, and leads to the site", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		choice := p.Get(t.In("sites", "new"))
		Expect(choice.Find("ul.choices a").Length()).To(Equal(5))
		page := p.Get(choice.Find("ul.choices a[href$='headless']").AttrOr("href", ""))
		path, form := p.Fill(page, "main form", url.Values{"domain": {"new.example.com"}, "connection.url": {"https://new.example.com/hook"}})
		first, second := p.Post(path, form), p.Post(path, form)
		secret := first.Find("#secret").AttrOr("value", "")
		Expect(len(secret)).To(BeNumerically(">=", 40))
		Expect(second.Text("h1")).To(Equal("Shown once"))
		Expect(second.Find("main a.primary").AttrOr("href", "")).To(Equal(first.Find("main a.primary").AttrOr("href", "")), "sent twice, it connects one site")
		Expect(first.Header.Get("Cache-Control")).To(Equal("no-store"))
		var guide []byte
		for _, page := range []string{"reference/webhook.md", "how-to/build-a-receiver.md"} {
			text, err := os.ReadFile(filepath.Join(project.Root(), "docs", filepath.FromSlash(page)))
			Expect(err).NotTo(HaveOccurred())
			guide = append(guide, text...)
		}
		Expect(first.Find("[data-receiver]").Length()).To(Equal(4))
		first.Find("[data-receiver]").Each(func(_ int, code *goquery.Selection) {
			_, function, found := strings.Cut(code.Text(), " verified(")
			Expect(found).To(BeTrue())
			Expect(string(guide)).To(ContainSubstring(" verified("+function), code.AttrOr("data-receiver", ""))
		})
		next := first.Find("main a.primary").AttrOr("href", "")
		site := p.Get(next)
		Expect(site.Text("h1")).To(Equal("new.example.com"))
		Expect(site.Find(".head a[href$='/edit']").Length()).To(Equal(1))
		uid := next[len(t.In("sites", "")):]
		to, stored := siteSecret(t, uid)
		Expect(to).To(Equal("https://new.example.com/hook"))
		Expect(stored.Data).To(HaveKeyWithValue("signingSecret", []byte(secret)))
	})
})

// connected connects a site by a webhook, and returns its uid.
func connected(t *dashboardtest.Tenant, p *dashboardtest.Person) string {
	GinkgoHelper()
	made := p.Submit(p.Get(t.In("sites", "new")+"?type=headless"), "main form", url.Values{
		"domain": {"new.example.com"}, "connection.url": {"https://new.example.com/hook"}, "connection.signing_secret": {"typed for the first address"},
	})
	Expect(made.Text(".notice")).To(Equal("The site is saved. Its connection is tested within a few seconds."))
	return made.URL.Path[len(t.In("sites", "")):]
}

var _ = Describe("Editing a site", func() {
	It("changes voice and policies, and the format of the body without a credential", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		uid := connected(t, p)
		saved := p.Submit(p.Get(t.In("sites", uid, "edit")), "form[action$='/edit']", url.Values{
			"name": {"Newer"}, "voice.tone": {"dry"}, "voice.avoid_words": {"unleash\r\n\r\ngame-changer"}, "review_policy": {"automatic"}, "minimum_score": {"70"},
		})
		Expect(saved.Text(".notice")).To(Equal("Saved."))
		Expect(saved.Text("main")).To(And(ContainSubstring("Newer"), ContainSubstring("dry"), ContainSubstring("unleash, game-changer"),
			ContainSubstring("from a score of 70")))
		_, before := siteSecret(t, uid)
		format := p.Submit(p.Get(t.In("sites", uid, "edit")), "form[action$='/connection']", url.Values{"connection.payload_format": {"html"}})
		Expect(format.Text(".notice")).To(Equal("Saved."))
		_, after := siteSecret(t, uid)
		Expect(after.Name).To(Equal(before.Name))
	})

	It("never sends a credential to an address that is typed later", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		uid := connected(t, p)
		edit := t.In("sites", uid, "edit")
		elsewhere := url.Values{"connection.url": {"https://elsewhere.example/hook"}}
		page := p.Submit(p.Get(edit), "form[action$='/connection']", elsewhere)
		Expect(page.Find("#secret").AttrOr("value", "")).NotTo(BeEmpty(), "another signing secret is made")
		to, stored := siteSecret(t, uid)
		Expect(to).To(Equal("https://elsewhere.example/hook"))
		Expect(string(stored.Data["signingSecret"])).NotTo(ContainSubstring("typed for"))
		wordpress := p.Submit(p.Get(edit+"?type=wordpress"), "form[action$='/connection']", url.Values{"connection.url": {"https://elsewhere.example"}})
		Expect(wordpress.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(wordpress.Find("[id='connection.password-problem']").Length()).To(Equal(1))
	})

	It("deletes the site, once somebody has said so", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		uid := connected(t, p)
		deleted := p.Submit(p.Get(t.In("sites", uid, "edit")), "form[action$='/delete']", nil)
		Expect(deleted.Text(".notice")).To(ContainSubstring("Deleted, with its credentials."))
		Eventually(func() int { return p.Get(t.In("sites", uid, "edit")).Status }).Should(Equal(http.StatusNotFound))
	})
})

var _ = Describe("The API keys of an account", func() {
	const keys = "/app/account/keys"

	It("are made on a page that shows each once, listed and revoked", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		path, form := p.Fill(p.Get(keys+"/new"), "main form", url.Values{"name": {"newsletter"}, "scopes": {"read"}, "days": {"30"}})
		first, second := p.Post(path, form), p.Post(path, form)
		key := first.Find("#secret").AttrOr("value", "")
		Expect(key).To(HavePrefix("pr_ak_"))
		Expect(second.Text("h1")).To(Equal("Shown once"))
		list := p.Get(keys)
		Expect(list.Text("main")).To(And(ContainSubstring("newsletter"), ContainSubstring("by Mia (api-key:"), Not(ContainSubstring(key))))
		id := key[len("pr_ak_"):][:16]
		revoked := p.Submit(list, "form:has(input[value='"+id+"'])", nil)
		Expect(revoked.Text(".notice")).To(HavePrefix("Revoked."))
		Expect(revoked.Text("main")).NotTo(ContainSubstring("newsletter"))
	})
})
