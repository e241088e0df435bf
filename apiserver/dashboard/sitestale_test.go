package dashboard_test

import (
	"net/http"
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("A form of a site that is not new", func() {
	It("leaves what others have changed since the form was shown", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		uid := connected(t, p)
		edit, form := t.In("sites", uid, "edit"), "form[action$='/edit']"
		p.Submit(p.Get(edit), form, url.Values{"review_policy": {"automatic"}})
		stale := p.Get(edit)
		p.Submit(p.Get(edit), form, url.Values{"review_policy": {"manual"}, "voice.tone": {"calm"}})

		saved := p.Submit(stale, form, url.Values{"name": {"Newer"}})
		Expect(saved.Text(".notice")).To(Equal("Saved."))
		Expect(saved.Text("main")).To(And(ContainSubstring("Newer"), ContainSubstring("calm"), ContainSubstring("By a reviewer")))

		refused := p.Submit(stale, form, url.Values{"voice.tone": {"dry"}, "minimum_score": {"50"}})
		Expect(refused.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(refused.Text(".problem")).To(ContainSubstring("Somebody has changed this meanwhile"))
		Expect(refused.Text("[id='voice.tone-problem']")).To(Equal(`Is "calm" now.`))
		Expect(refused.Find("[name='voice.tone']").AttrOr("value", "")).To(Equal("dry"), "what was typed stays")
		Expect(p.Submit(refused, form, nil).Text(".notice")).To(Equal("Saved."), "once somebody has seen it")
		Expect(p.Get(t.In("sites", uid)).Text("main")).To(And(ContainSubstring("dry"), ContainSubstring("By a reviewer")))
	})

	It("leaves a connection that others have changed since the form was shown", func() {
		t := facades.NewTenant("Acme")
		p := manager(t)
		uid := connected(t, p)
		edit, form := t.In("sites", uid, "edit"), "form[action$='/connection']"
		stale := p.Get(edit)
		p.Submit(p.Get(edit), form, url.Values{"connection.url": {"https://new.example.com/other"}})
		refused := p.Submit(stale, form, url.Values{"connection.payload_format": {"html"}})
		Expect(refused.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(refused.Text("[id='connection.url-problem']")).To(ContainSubstring("https://new.example.com/other"))
		to, _ := siteSecret(t, uid)
		Expect(to).To(Equal("https://new.example.com/other"))
	})
})

var _ = Describe("A form of an event subscription that is not new", func() {
	It("saves nothing over what others have changed since it was shown", func() {
		const hook = "https://news.example.com/hook"
		t := facades.NewTenant("Acme")
		uid := t.Subscribed(hook)
		p, edit := t.SignIn(), t.In("events", uid, "edit")
		stale := p.Get(edit)
		p.Submit(p.Get(edit), "main form", url.Values{"url": {hook + "/2"}})

		refused := p.Submit(stale, "main form", url.Values{"events": {"blog.published"}})
		Expect(refused.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(refused.Text(".problem")).To(ContainSubstring("Somebody has changed this meanwhile"))
		Expect(refused.Text("#url-problem")).To(Equal("Now: " + hook + "/2."))
		Expect(subscriptionOf(t, uid).Spec.URL).To(Equal(hook + "/2"))
		Expect(p.Submit(refused, "main form", url.Values{"url": {hook + "/3"}}).Text(".notice")).To(Equal("Saved."), "once somebody has seen it")
		Expect(subscriptionOf(t, uid).Spec).To(And(HaveField("URL", hook+"/3"), HaveField("Events", HaveLen(1))))
	})
})
