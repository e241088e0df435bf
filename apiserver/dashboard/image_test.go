package dashboard_test

import (
	"net/http"
	"net/url"
	"path"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
	"github.com/pressroom-dev/pressroom/test/imagehost"
)

var _ = Describe("An article", func() {
	It("has a featured image, which is beside the text", func() {
		host := imagehost.New()
		DeferCleanup(host.Close)
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "One hut.")
		p := t.SignIn()
		image := url.Values{"image_url": {host.URL + "/hut.png"}, "image_credit": {"Mara"}}
		page := p.Submit(p.Get(t.In("articles", uid, "edit")), editorForm, image)
		Expect(page.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(page.Text(".editor .problem")).NotTo(BeEmpty(), "it has no text")
		image.Set("image_alt", "A hut")
		path, form := p.Fill(page, editorForm, image)
		Expect(p.Post(path+"/preview", form).Find("figure .picture").Text()).To(Equal("A hut"))
		Expect(p.Submit(page, editorForm, image).Text(".notice")).To(HavePrefix("Saved."))
		Expect(host.Fetched()).To(BeZero(), "no file is pinned yet")
		t.Reconcile(uid)

		Eventually(func() string { return p.Get(t.In("articles", uid)).Text("section[aria-labelledby='post']") }).Should(
			ContainSubstring("A hut (Mara)image/png, 30 × 20 pixels"))
		link := p.Get(t.In("articles", uid)).Find("section[aria-labelledby='post'] a")
		Expect(link.AttrOr("href", "") + " " + link.AttrOr("rel", "")).To(Equal(host.URL + "/hut.png noopener noreferrer"))
		text := p.Get(t.In("articles", uid, "preview"))
		Expect(text.Find("figure img").AttrOr("src", "")).To(HavePrefix(t.In("articles", uid, "images/")))
		Expect(text.Header.Get("Content-Security-Policy")).To(ContainSubstring("img-src 'self' data:;"))
		Expect(text.Find("nav").Length()).To(BeZero(), "no image is of another host")
		Expect(text.Text("figcaption")).To(And(HavePrefix("Mara"), ContainSubstring("the file of 30 × 20 pixels (image/png)"),
			ContainSubstring("only that file is published")))
		Expect(p.Get(t.In("articles", uid, "changes")).Text("main")).To(ContainSubstring(host.URL + "/hut.png A hut Mara"))
		Expect(p.Submit(p.Get(t.In("articles", uid, "edit")), editorForm, nil).Text(".notice")).To(Equal("Nothing was changed."))

		Expect(p.Submit(p.Get(t.In("articles", uid, "edit")), editorForm, url.Values{
			"image_url": {""}, "image_alt": {""}, "image_credit": {""},
		}).Text(".notice")).To(HavePrefix("Saved."))
		t.Reconcile(uid)
		Eventually(func() int { return p.Get(t.In("articles", uid, "preview")).Find("figure").Length() }).Should(BeZero())
	})

	It("that cannot be fetched is named at its field and on the page, and never locks the article", func() {
		host := imagehost.New()
		DeferCleanup(host.Close)
		host.Answer(http.StatusNotFound)
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		typo := url.Values{
			"title": {"Huts"}, "markdown": {"One hut."}, "image_url": {host.URL + "/typo.png"}, "image_alt": {"A hut"},
		}
		page := p.Submit(p.Get(t.In("articles", "new")+"?kind=write"), writeForm, typo)
		uid := path.Base(page.URL.Path)
		Expect(page.Text(".decide")).To(ContainSubstring("The last change is being stored"))
		t.Reconcile(uid)
		const why = "There is no featured image yet: the image cannot be fetched: its host answered 404 Not Found."
		Eventually(func() string {
			page = p.Get(t.In("articles", uid))
			return page.Text(".decide .problem")
		}).Should(HavePrefix(why))
		Expect(page.Text("#article-state")).To(ContainSubstring("not ready for review"))
		Expect(page.Text("main")).NotTo(ContainSubstring("being stored"))

		By("an edit that does not help")
		page = p.Get(page.Find(".head a[data-key=e]").AttrOr("href", ""))
		Expect(page.Status).To(Equal(http.StatusOK))
		Expect(page.Text("#image_url + .problem")).To(HavePrefix(why))
		page = p.Submit(page, editorForm, url.Values{"markdown": {"Two huts."}})
		t.Reconcile(uid)
		Eventually(func() string { return p.Get(t.In("articles", uid)).Text(".decide .problem") }).Should(HavePrefix(why))
		Expect(p.Get(t.In("articles", uid)).Text(".source")).To(Equal("Two huts."))

		By("one of somebody else meanwhile")
		page = p.Get(t.In("articles", uid, "edit"))
		Expect(t.Ask(http.MethodPatch, "/v1/api/blogs/"+uid, map[string]any{"content_markdown": "Three huts."}).Status).To(Equal(http.StatusOK))
		refused := p.Submit(page, editorForm, url.Values{"markdown": {"Four huts."}})
		Expect(refused.Status).To(Equal(http.StatusConflict))
		Expect(refused.Find("#their-text").Text()).To(Equal("Three huts."))
		Expect(p.Submit(refused, "form[action$='/edit']", nil).Text(".notice")).To(HavePrefix("Saved."))
		Expect(p.Get(t.In("articles", uid, "edit")).Find("#image_url").AttrOr("value", "")).To(Equal(host.URL+"/typo.png"), "it is kept")

		By("one with an image that is there")
		host.Answer(http.StatusOK)
		page = p.Submit(p.Get(t.In("articles", uid, "edit")), editorForm, url.Values{"image_url": {host.URL + "/hut.png"}})
		Expect(page.Text(".notice")).To(HavePrefix("Saved."))
		t.Reconcile(uid)
		Eventually(func() int { return p.Get(t.In("articles", uid)).Find(approveForm).Length() }).Should(Equal(1))

		By("an edit of the article with its revision")
		host.Answer(http.StatusNotFound)
		p.Submit(p.Get(t.In("articles", uid, "edit")), editorForm, url.Values{"image_url": {host.URL + "/typo.png"}})
		t.Reconcile(uid)
		Eventually(func() string { return p.Get(t.In("articles", uid, "edit")).Text("#image_url + .problem") }).Should(HavePrefix(why))
		host.Answer(http.StatusOK)
		page = p.Submit(p.Get(t.In("articles", uid, "edit")), editorForm, url.Values{"image_url": {""}, "image_alt": {""}})
		Expect(page.Text(".notice")).To(HavePrefix("Saved."))
		t.Reconcile(uid)
		Eventually(func() int { return p.Get(t.In("articles", uid)).Find(approveForm).Length() }).Should(Equal(1))
	})

	It("that cannot be fetched is found while the text is saved", func() {
		host := imagehost.New()
		DeferCleanup(host.Close)
		host.Answer(http.StatusNotFound)
		patient := facades.StartReplica(func(o *apiserver.Options) { o.Limits.ImageTimeout = time.Minute })
		DeferCleanup(patient.Stop)
		t := facades.NewTenant("Acme")
		p := facades.VisitorAt(patient.URL)
		var page *dashboardtest.Page
		Eventually(func() int { page = p.Get("/app/account/settings"); return page.Find("#key").Length() }).Should(Equal(1))
		p.EnterKey(page, t.Key)
		Eventually(func() string { return p.Get("/app/account/settings").Text("h1") }).Should(Equal("Settings"))
		// submit sends a form, and runs the controller once the article has the generation.
		submit := func(page *dashboardtest.Page, form string, fields url.Values, generation int64) *dashboardtest.Page {
			GinkgoHelper()
			answered := make(chan *dashboardtest.Page, 1)
			request := p.PostRequest(p.Fill(page, form, fields))
			go func() {
				defer GinkgoRecover()
				answered <- p.Do(request)
			}()
			list := &v1alpha1.ArticleList{}
			Eventually(func(g Gomega) {
				g.Expect(facades.API.List(GinkgoT().Context(), list, client.InNamespace(t.Workspace))).To(Succeed())
				g.Expect(list.Items).To(ConsistOf(HaveField("Generation", generation)))
			}).Should(Succeed())
			t.Reconcile(list.Items[0].Name)
			var got *dashboardtest.Page
			Eventually(answered).Should(Receive(&got))
			return got
		}
		page = submit(p.Get(t.In("articles", "new")+"?kind=write"), writeForm, url.Values{
			"title": {"Huts"}, "markdown": {"One hut."}, "image_url": {host.URL + "/typo.png"}, "image_alt": {"A hut"},
		}, 1)
		Expect(page.URL.Path).To(HaveSuffix("/edit"))
		Expect(page.Text("#image_url + .problem")).To(ContainSubstring("its host answered 404 Not Found"))
		page = submit(page, editorForm, url.Values{"image_url": {host.URL + "/typo"}}, 2)
		Expect(page.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(page.Text("#image_url + .problem")).To(ContainSubstring("its host answered 404 Not Found"))
		Expect(page.Find("#image_url").AttrOr("value", "")).To(Equal(host.URL + "/typo"))
		host.Answer(http.StatusOK)
		page = submit(page, editorForm, url.Values{"image_url": {host.URL + "/hut.png"}}, 3)
		Expect(page.Text(".notice")).To(Equal("Saved. The text is in review again."))
		Expect(page.Find(approveForm).Length()).To(Equal(1))
	})
})
