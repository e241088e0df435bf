package dashboard_test

import (
	"net/http"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/internal/testkit/imagehost"
)

var _ = Describe("An article", func() {
	It("has a featured image, which is beside the text and loaded only when somebody asks", func() {
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
		Expect(p.Post(path+"/preview", form).Find("figure img").AttrOr("alt", "")).To(Equal("A hut"))
		Expect(p.Submit(page, editorForm, image).Text(".notice")).To(HavePrefix("Saved."))
		Expect(host.Fetched()).To(BeZero(), "the facade fetches nothing")
		t.Reconcile(uid)

		Eventually(func() string { return p.Get(t.In("articles", uid)).Text("section[aria-labelledby='post']") }).Should(
			ContainSubstring("A hut (Mara)image/png, 30 × 20 pixels"))
		link := p.Get(t.In("articles", uid)).Find("section[aria-labelledby='post'] a")
		Expect(link.AttrOr("href", "") + " " + link.AttrOr("rel", "")).To(Equal(host.URL + "/hut.png noopener noreferrer"))
		text := p.Get(t.In("articles", uid, "preview"))
		Expect(text.Find("figure img").AttrOr("src", "")).To(Equal(host.URL + "/hut.png"))
		Expect(text.Header.Get("Content-Security-Policy")).To(ContainSubstring("img-src 'self' data:;"))
		Expect(text.Text("nav")).To(ContainSubstring("are not loaded"))
		Expect(p.Get(t.In("articles", uid, "changes")).Text("main")).To(ContainSubstring(host.URL + "/hut.png A hut Mara"))
		Expect(p.Submit(p.Get(t.In("articles", uid, "edit")), editorForm, nil).Text(".notice")).To(Equal("Nothing was changed."))

		Expect(p.Submit(p.Get(t.In("articles", uid, "edit")), editorForm, url.Values{
			"image_url": {""}, "image_alt": {""}, "image_credit": {""},
		}).Text(".notice")).To(HavePrefix("Saved."))
		t.Reconcile(uid)
		Eventually(func() int { return p.Get(t.In("articles", uid, "preview")).Find("figure").Length() }).Should(BeZero())
	})
})
