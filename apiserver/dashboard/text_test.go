package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("The text of an article", func() {
	It("is a document of its own that runs nothing and loads nothing", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "Open.\n\n![a hut](https://elsewhere.example/hut.png)\n\n<script>alert(1)</script>")
		p := t.SignIn()
		page := p.Get(t.In("articles", uid, "preview"))
		policy := page.Header.Get("Content-Security-Policy")
		Expect(policy).To(MatchRegexp(`^sandbox allow-same-origin; default-src 'none'; style-src 'nonce-[A-Z0-9]+'; img-src 'self' data:; frame-ancestors 'self'; form-action 'none'; base-uri 'none'$`))
		Expect(page.Header.Get("X-Frame-Options")).To(Equal("SAMEORIGIN"))
		Expect(page.Header.Get("Referrer-Policy")).To(Equal("no-referrer"))
		Expect(page.Find("script").Length()).To(BeZero())
		Expect(page.Text("nav")).To(ContainSubstring("are not loaded"))
		images := p.Get(page.Find("nav a").AttrOr("href", ""))
		Expect(images.Header.Get("Content-Security-Policy")).To(ContainSubstring("img-src 'self' data: https: http:;"))
	})

	It("is compared with the one that has the last decision, or the one before", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "First.\n\nSame.")
		t.Rewrite(uid, "Second.\n\nSame.")
		p := t.SignIn()
		page := p.Get(t.In("articles", uid, "changes"))
		Expect(page.Text(".diff-body")).To(And(ContainSubstring("removed: First"), ContainSubstring("added: Second"), ContainSubstring("1 paragraph unchanged")))
		p.Submit(p.Get(t.In("articles", uid)), rejectForm, url.Values{"reason": {"no"}})
		t.Rewrite(uid, "Third.\n\nSame.")
		t.Rewrite(uid, "Fourth.\n\nSame.")
		page = p.Get(t.In("articles", uid, "changes"))
		Expect(page.Text(".diff-body del")).To(ContainSubstring("Second"), "the rejected one")
		page = p.Get(t.In("articles", uid, "changes") + "?from=3&to=4")
		Expect(page.Text(".diff-body del")).To(ContainSubstring("Third"))
		Expect(p.Get(t.In("articles", uid, "changes") + "?from=9&to=4").Status).To(Equal(http.StatusNotFound))
	})
})

var _ = Describe("A revision that is kept", func() {
	It("is opened, compared, and restored in one step as a new one", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "First.")
		t.Rewrite(uid, "Second.")
		p := t.SignIn()
		page := p.Get(t.In("articles", uid))
		Expect(p.Get(page.Find(".history a[href$='preview?revision=1']").AttrOr("href", "")).Text("article")).To(Equal("First."))
		Expect(p.Get(page.Find(".history a[href$='from=1&to=2']").AttrOr("href", "")).Text(".diff-body")).To(ContainSubstring("added: Second"))
		restored := p.Submit(page, "form[action$='/restore']", nil)
		Expect(restored.Text(".notice")).To(Equal("Restored: the text of revision 1 is in review again."))
		t.Reconcile(uid)
		Eventually(func() string { return p.Get(t.In("articles", uid)).Text("#article-state") }).Should(ContainSubstring("revision 3"))
		Expect(p.Get(t.In("articles", uid)).Text(".source")).To(Equal("First."))
		Expect(p.Submit(page, "form[action$='/restore']", nil).Text(".problem")).To(ContainSubstring("Nothing has been restored"))
	})
})

var _ = Describe("The editor", func() {
	It("saves what was changed, which is in review again", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		p := t.SignIn()
		page := p.Get(t.In("articles", uid, "edit"))
		Expect(page.Find("#markdown").AttrOr("lang", "")).To(Equal("en"))
		page = p.Submit(page, editorForm, url.Values{"markdown": {"## Grip\r\n\r\nHard rubber."}, "title": {"Shoes that grip"}})
		Expect(page.Text(".notice")).To(Equal("Saved. The text is in review again."))
		var got testkit.Answer
		Eventually(func() string {
			got = t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil)
			return got.Text("title")
		}).Should(Equal("Shoes that grip"))
		Expect(got.Text("content_markdown")).To(Equal("## Grip\n\nHard rubber."))
		Expect(got.Text("meta_description")).To(Equal("How to choose trail running shoes that grip and fit."), "what the form showed stays")
		Expect(got.Raw).To(ContainSubstring("Which shoes grip on wet rock?"))
	})

	It("keeps the text of the second of two editors, and shows them both", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "One hut.")
		a, b := t.SignIn(), t.SignIn()
		first, second := a.Get(t.In("articles", uid, "edit")), b.Get(t.In("articles", uid, "edit"))
		Expect(a.Submit(first, editorForm, url.Values{"markdown": {"Two huts."}}).Status).To(Equal(http.StatusOK))
		t.Reconcile(uid)
		Eventually(func() string {
			return t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("revision_digest")
		}).ShouldNot(BeEmpty())
		page := b.Submit(second, editorForm, url.Values{"markdown": {"Three huts."}, "tags": {"Alps"}, "category": {"Walks"}})
		Expect(page.Status).To(Equal(http.StatusConflict))
		Expect(page.Text("h1")).To(Equal("You have changed this text in another window"))
		Expect(page.Text(".problem")).To(ContainSubstring("Nothing has been saved"))
		Expect(page.Find("#my-text").Text()).To(Equal("Three huts."))
		Expect(page.Find("#their-text").Text()).To(Equal("Two huts."))
		Expect(page.Text(".diff-body")).To(And(ContainSubstring("removed: Two"), ContainSubstring("added: Three")))
		Expect(t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("content_markdown")).To(Equal("Two huts."))

		path, form := b.Fill(page, "form[action$='/edit']", url.Values{"row": {"keep"}})
		on := b.Post(path+"/preview", form)
		Expect(on.Find("#markdown").Text()).To(Equal("Three huts."))
		Expect(b.Submit(on, editorForm, nil).Text(".notice")).To(HavePrefix("Saved."))
		Eventually(func() string { return t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("content_markdown") }).Should(Equal("Three huts."))
		got := t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil)
		Expect([]any{got.Body["tags"], got.Text("category")}).To(Equal([]any{[]any{"Alps"}, "Walks"}), "nothing that was typed is lost")
	})

	It("adds, moves and removes questions without a script", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "One hut.")
		p := t.SignIn()
		page := p.Get(t.In("articles", uid, "edit"))
		row := func(what string, fields url.Values) {
			GinkgoHelper()
			fields.Set("row", what)
			path, form := p.Fill(page, editorForm, fields)
			page = p.Post(path+"/preview", form)
			Expect(page.Status).To(Equal(http.StatusOK))
		}
		row("add", url.Values{"title": {"Changed"}})
		Expect(page.Find("#title").AttrOr("value", "")).To(Equal("Changed"), "what was typed stays")
		row("add", url.Values{"question": {"When?"}, "answer": {"In May."}})
		row("up 1", url.Values{"question": {"When?", "Where?"}, "answer": {"In May.", "Here."}})
		Expect(page.Find("#question-0").AttrOr("value", "")).To(Equal("Where?"))
		Expect(p.Submit(page, editorForm, nil).Text(".notice")).To(HavePrefix("Saved."))
		Eventually(func() string { return t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Raw }).Should(ContainSubstring(`"faq":[{"question":"Where?","answer":"Here."},{"question":"When?","answer":"In May."}]`))
	})

	It("previews and scores what is not saved", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "One hut.")
		p := t.SignIn()
		path, form := p.Fill(p.Get(t.In("articles", uid, "edit")), editorForm, url.Values{"markdown": {"**Two** huts."}})
		page := p.Post(path+"/preview", form)
		Expect(page.Header.Get("Content-Security-Policy")).To(HavePrefix("sandbox allow-same-origin; default-src 'none'"))
		Expect(page.Find("article strong").Text()).To(Equal("Two"))
		Expect(page.Text(".score")).To(MatchRegexp(`^SEO score 2 of 100, low\..* 2 words, 1 min to read \d+ checks failed`))
		form.Set("title", "")
		Expect(p.Post(path+"/preview", form).Text(".problem")).To(ContainSubstring("Title: "))
		Expect(t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("content_markdown")).To(Equal("One hut."))
	})

	It("says at the field what must be, and keeps the rest", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "One hut.")
		p := t.SignIn()
		page := p.Submit(p.Get(t.In("articles", uid, "edit")), editorForm, url.Values{"slug": {"Not A Slug"}, "markdown": {"Two huts."}})
		Expect(page.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(page.Text(".editor .problem")).To(ContainSubstring("lower-case letters"))
		Expect(page.Find("#markdown").Text()).To(Equal("Two huts."))
		page = p.Submit(page, editorForm, url.Values{"slug": {"huts"}, "markdown": {strings.Repeat("*a ", 20_000)}})
		Expect(page.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(page.Text(".editor .problem")).To(ContainSubstring("simpler markup"))
	})

	It("is not for a published text, nor for who may not write", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("trail shoes")
		Expect(t.SignInWith(t.NewKey("Reader", v1alpha1.ScopeRead)).Get(t.In("articles", uid, "edit")).Status).To(Equal(http.StatusForbidden))
		p := t.SignIn()
		p.Submit(p.Get(t.In("articles", uid)), approveForm, url.Values{"then": {"publish"}})
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid) }).Should(Equal("published"))
		page := p.Get(t.In("articles", uid, "edit"))
		Expect(page.Status).To(Equal(http.StatusConflict))
		Expect(page.Text("main")).To(ContainSubstring("once it is published"))
	})
})
