//go:build e2e

package browser_test

import (
	"strings"

	"github.com/chromedp/cdproto/emulation"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
	"github.com/pressroom-dev/pressroom/test/fakewordpress"
)

// onWordPress connects the site of a tenant to a blog. Its posts are updated through review.
func onWordPress(t *dashboardtest.Tenant) *fakewordpress.Blog {
	GinkgoHelper()
	blog := fakewordpress.New()
	DeferCleanup(blog.Close)
	secret := &corev1.Secret{StringData: map[string]string{"username": blog.Username, "password": blog.Password}}
	secret.Namespace, secret.Name = t.Workspace, "wordpress"
	t.Create(secret)
	site := t.SiteObject()
	site.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress, WordPress: &v1alpha1.WordPressConnection{
		URL: blog.URL, CredentialsSecretRef: v1alpha1.LocalReference{Name: secret.Name},
	}}
	site.Spec.Publishing.Updates = v1alpha1.UpdatesReviewed
	Expect(facades.API.Update(GinkgoT().Context(), site)).To(Succeed())
	return blog
}

// published makes an article that the site of a tenant has.
func published(t *dashboardtest.Tenant, title, markdown string) string {
	GinkgoHelper()
	uid := t.Written(title, markdown)
	decide(t, uid, "approve", nil)
	decide(t, uid, "publish", nil)
	becomePublished(t, uid)
	return uid
}

// lookWide is Look, and keeps screenshots of the other two ways in which people see a page.
func (w *window) lookWide(name string) {
	GinkgoHelper()
	w.Look(name)
	for _, l := range []struct {
		name, scheme string
		width        int64
	}{{"dark", "dark", 1280}, {"phone", "light", 360}} {
		w.Run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}}),
			emulation.SetDeviceMetricsOverride(l.width, 900, 1, l.width < 500))
		w.Keep(name + "-" + l.name)
	}
	w.Run(emulation.ClearDeviceMetricsOverride(), emulation.SetEmulatedMedia())
}

var _ = Describe("An editor's day with a published article", func() {
	It("mends a typo, has it reviewed, and the post has it, with 6 clicks", func() {
		t := facades.NewTenant("Acme Outdoors")
		blog := onWordPress(t)
		uid := published(t, "Alpine huts", "The huts opne in May.\n\nThey close with the first snow.")
		w := signedIn(t, t.In("articles")+"?status=published", "#a-"+uid)
		w.lookWide("day-list")
		w.CountSteps()
		w.Click("#a-"+uid+" a", "[data-key=e]")
		w.lookWide("day-published")
		w.Click("[data-key=e]", "#markdown")
		w.untilLoaded()
		w.Click("#markdown", "")
		w.chooses("opne")
		w.Type("open")
		w.Click(".editor .primary", "")
		Eventually(func() (description string) {
			t.Reconcile(uid)
			w.Evaluate(`document.getElementById("meta_description").value`, &description)
			return description
		}).Should(Equal("The huts open in May."), "what is made of the text follows it")
		Expect(w.Text("#saved")).To(Equal("Saved. The text is in review again."))
		w.lookWide("day-saved")
		Expect(blog.Posts()).To(ConsistOf(HaveField("Content", ContainSubstring("opne"))))
		w.Click(".head .button", approveForm)
		w.lookWide("day-update-in-review")
		w.Click(approveForm+" .primary", ".notice")
		t.Reconcile(uid)
		Expect(blog.Posts()).To(ConsistOf(HaveField("Content", ContainSubstring("open in May"))))
		Expect(w.Steps()).To(Equal("6 clicks, 1 text"))
		w.until(t.In("articles", uid), "#article-state .published")
		Expect(w.Text(".result-text")).To(Equal("The huts open in May."))
		w.lookWide("day-updated")
	})

	It("sees what somebody has changed in the CMS beside the text that is here, and overwrites it", func() {
		t := facades.NewTenant("Acme Outdoors")
		blog := onWordPress(t)
		uid := published(t, "Alpine huts", "The huts open in May.\n\nThey close with the first snow.")
		blog.Edit(blog.Posts()[0].ID, func(p *fakewordpress.Post) {
			p.Content = strings.Replace(p.Content, "open in May", "open in June, says the club", 1)
		})
		t.Rewrite(uid, "The huts open in May.\n\nThey close with the first snow, or in October.")
		w := signedIn(t, t.In("articles", uid), approveForm)
		w.Click(approveForm+" .primary", ".notice")
		t.Reconcile(uid)
		w.until(t.In("articles", uid), "#conflict")
		w.lookWide("day-changed-at-site")
		Expect(w.Text("#decide ~ .message")).To(ContainSubstring("Changed in the CMS"))
		Expect(w.Text("#conflict")).To(And(ContainSubstring("open in June, says the club"), ContainSubstring("open in May.")))
		Expect(blog.Posts()).To(ConsistOf(HaveField("Content", ContainSubstring("says the club"))))
		w.Click("#conflict .danger", ".danger")
		w.lookWide("day-overwrite")
		w.Click("form[action$='/redeliver'] .danger", ".notice")
		t.Reconcile(uid)
		Expect(blog.Posts()).To(ConsistOf(HaveField("Content", And(ContainSubstring("open in May"), ContainSubstring("or in October")))))
		w.until(t.In("articles", uid), "#article-state .published")
	})

	It("takes an article back, which comes back", func() {
		t := facades.NewTenant("Acme Outdoors")
		blog := onWordPress(t)
		uid := published(t, "Alpine huts", "The huts open in May.")
		w := signedIn(t, t.In("articles", uid), "h1")
		w.until(t.In("articles", uid), "a[href$='do=unpublish']")
		w.CountSteps()
		w.Click(".head details.menu summary", "")
		w.Click("a[href$='do=unpublish']", "form[action$='/unpublish']")
		w.lookWide("day-unpublish")
		w.Click("form[action$='/unpublish'] .danger", ".notice")
		Expect(w.Steps()).To(Equal("3 clicks"))
		t.Reconcile(uid)
		Expect(blog.Posts()).To(ConsistOf(HaveField("Status", "draft")))
		w.until(t.In("articles", uid), publishForm+" .primary")
		w.lookWide("day-unpublished")
		w.Click(publishForm+" .primary", ".notice")
		t.Reconcile(uid)
		Expect(blog.Posts()).To(ConsistOf(HaveField("Status", "publish")))
		Expect(w.Steps()).To(Equal("1 click"))
		w.until(t.In("articles", uid), "#article-state .published")
		w.lookWide("day-back")
	})
})
