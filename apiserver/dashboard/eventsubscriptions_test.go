package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// subscriptionOf is a stored subscription of a tenant.
func subscriptionOf(t *dashboardtest.Tenant, name string) *v1alpha1.EventSubscription {
	GinkgoHelper()
	s := &v1alpha1.EventSubscription{}
	Expect(facades.API.Get(GinkgoT().Context(), client.ObjectKey{Namespace: t.Workspace, Name: name}, s)).To(Succeed())
	return s
}

var _ = Describe("Subscriptions to events", func() {
	const hook = "https://hooks.example.com/pressroom"

	It("are made on a page that shows their secret once, however often the form is sent", func() {
		t := facades.NewTenant("Acme Outdoors")
		p := t.SignIn()
		Expect(p.Get(t.In("events")).Text("main")).To(ContainSubstring("Nobody is told yet"))
		path, form := p.Fill(p.Get(t.In("events", "new")), "main form", url.Values{"url": {hook}, "site_uid": {t.SiteUID}})
		first, second := p.Post(path, form), p.Post(path, form)
		for page, status := range map[*dashboardtest.Page]int{first: http.StatusOK, second: http.StatusConflict} {
			Expect(page.Status).To(Equal(status))
			Expect(page.Header.Get("Cache-Control")).To(Equal("no-store"))
			Expect(page.Find("main a.primary").AttrOr("href", "")).To(HavePrefix(t.In("events") + "/"))
		}
		Expect(first.Find("#secret").AttrOr("value", "")).To(HavePrefix("whsec_"))
		Expect(second.Find("#secret").Length()).To(BeZero())
		Expect(second.Text("h1")).To(Equal("Shown once"))
		list := p.Get(t.In("events"))
		Expect(list.Find("tbody tr").Length()).To(Equal(1))
		Expect(list.Text("tbody tr")).To(And(ContainSubstring(hook), ContainSubstring("all"), ContainSubstring("blog.example.com")))
		next := p.Get(first.Find("main a.primary").AttrOr("href", ""))
		Expect(next.Text("h1")).To(Equal("Events to " + hook))
		Expect(next.Text("main")).NotTo(ContainSubstring("whsec_"))
	})

	It("of a chat begin with what people wait for, and never show its address", func() {
		t := facades.NewTenant("Acme Outdoors")
		p := t.SignIn()
		const address = "https://hooks.slack.com/services/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"
		list := p.Get(t.In("events"))
		page := p.Get(list.Find("main a:contains('Slack or Teams')").First().AttrOr("href", ""))
		Expect(page.Find("input[name=format][checked]").AttrOr("value", "")).To(Equal("slack"))
		Expect(page.Find("input[name=events][checked]").Map(func(_ int, s *goquery.Selection) string { return s.AttrOr("value", "") })).
			To(ConsistOf("blog.ready_for_review", "blog.failed", "site.failing"))
		made := p.Submit(page, "main form", url.Values{"url": {address}})
		Expect(made.Text(".notice")).To(HavePrefix("Subscribed."))
		Expect(made.Text("h1")).To(Equal("Events to https://hooks.slack.com/…"))
		Expect(made.Text("#subscription")).To(ContainSubstring("Messages for Slack"))
		one := made.URL.Path
		edit := p.Get(one + "/edit")
		Expect(edit.Find("#url").AttrOr("value", "")).To(BeEmpty())
		Expect(p.Submit(edit, "main form", url.Values{"events": {"blog.failed"}}).Text(".notice")).To(Equal("Saved."))
		s := subscriptionOf(t, one[strings.LastIndex(one, "/")+1:])
		Expect(s.Spec).To(And(HaveField("URL", address), HaveField("Format", v1alpha1.FormatSlack), HaveField("Events", ConsistOf(v1alpha1.EventSelector("Failed")))))
		refused := p.Submit(p.Get(one+"/edit"), "main form", url.Values{"format": {"standard"}})
		Expect(refused.Status).To(Equal(http.StatusUnprocessableEntity))
		Expect(refused.Text("#url-problem")).To(Equal("Must be given with another format."))
		for _, shown := range []*dashboardtest.Page{made, edit, refused, p.Get(t.In("events"))} {
			Expect(shown.Text("html") + shown.Find("input").AttrOr("value", "")).NotTo(ContainSubstring("T0AB12CD3"))
		}
	})

	It("are changed, tested, given a new secret and deleted", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Subscribed(hook)
		p, one := t.SignIn(), t.In("events", uid)

		edited := p.Submit(p.Get(one+"/edit"), "main form", url.Values{"url": {hook + "/2"}, "events": {"blog.published", "blog.failed"}})
		Expect(edited.Text(".notice")).To(Equal("Saved."))
		Expect(subscriptionOf(t, uid).Spec).To(And(HaveField("URL", hook+"/2"),
			HaveField("Events", ConsistOf(v1alpha1.EventSelector("Published"), v1alpha1.EventSelector("Failed")))))
		refused := p.Submit(p.Get(one+"/edit"), "main form", url.Values{"events": {}})
		Expect(refused.Status).To(Equal(http.StatusUnprocessableEntity))

		Expect(p.Submit(p.Get(one), "form[action$='/test']", nil).Text(".notice")).To(ContainSubstring("The test event has been asked for"))
		Expect(subscriptionOf(t, uid).Annotations).To(HaveKey(v1alpha1.TestEventAnnotation))
		Expect(p.Submit(p.Get(one), "form[action$='/test']", nil).Text(".problem")).To(Equal("A test event is being sent already."))

		rotated := p.Submit(p.Get(one), "form[action$='/rotate']", nil)
		Expect(rotated.Find("#secret").AttrOr("value", "")).To(HavePrefix("whsec_"))

		Expect(p.Submit(p.Get(one), "form[action$='/delete']", nil).Text(".notice")).To(Equal("Deleted."))
		Expect(p.Get(one).Status).To(Equal(http.StatusNotFound))
	})

	It("are resumed if they are suspended", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Subscribed(hook)
		s := subscriptionOf(t, uid)
		s.Status.Suspension = &v1alpha1.Suspension{Time: v1alpha1.NewMicroTime(time.Now()), Generation: s.Generation}
		Expect(facades.API.Status().Update(GinkgoT().Context(), s)).To(Succeed())
		p := t.SignIn()
		page := p.Get(t.In("events", uid))
		Expect(page.Text("#subscription")).To(ContainSubstring("Suspended"))
		Expect(page.Find("form[action$='/test']").Length()).To(BeZero())
		Expect(p.Submit(page, "form[action$='/resume']", nil).Text(".notice")).To(HavePrefix("Resumed."))
		Expect(subscriptionOf(t, uid).Annotations).To(HaveKey(v1alpha1.ResumeAnnotation))
	})

	It("say that they are suspended, and resume none that was suspended with kubectl", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Subscribed(hook)
		s := subscriptionOf(t, uid)
		s.Spec.Suspend = true
		Expect(facades.API.Update(GinkgoT().Context(), s)).To(Succeed())
		p := t.SignIn()
		page := p.Get(t.In("events", uid))
		Expect(page.Text("#subscription")).To(ContainSubstring("Suspended"))
		Expect(page.Find("form[action$='/test']").Length()).To(BeZero())
		Expect(p.Submit(page, "form[action$='/resume']", nil).Text("body")).To(ContainSubstring("An operator has suspended the subscription"))
		Expect(subscriptionOf(t, uid).Spec.Suspend).To(BeTrue())
	})

	It("show what was sent, and send it again", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Subscribed(hook)
		sent := t.EventSent(uid, "<i>gone</i>")
		p := t.SignIn()
		page := p.Get(t.In("events", uid))
		Expect(page.Text("#event-" + sent)).To(And(ContainSubstring("An article was published Failed"), ContainSubstring("The receiver answered 410 Gone."),
			ContainSubstring("<i>gone</i>"), ContainSubstring(sent)))
		Expect(page.Find("main i").Length()).To(BeZero())
		Expect(p.Submit(page, "#event-"+sent+" form", nil).Text(".notice")).To(Equal("The event is sent again within a few seconds."))
	})
})
