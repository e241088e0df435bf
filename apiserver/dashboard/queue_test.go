package dashboard_test

import (
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("An article that was opened from a list", func() {
	It("leads on once it is approved with the time at which it goes out", func() {
		t := facades.NewTenant("Acme")
		other, uid := t.InReview("alpine shoes"), t.InReview("road hats")
		p := t.SignIn()
		page := p.Get(p.Get(t.In("articles")+"?status=review").Find("#a-"+uid+" a").AttrOr("href", ""))
		page = p.Submit(page, scheduleForm, url.Values{"at": {"2099-12-01T09:00"}, "zone": {"tokyo"}, "next": {"1"}})
		Expect(page.Text(".notice")).To(HavePrefix("Approved. Goes out Tue 1 Dec 2099, 09:00 Asia/Tokyo (00:00 UTC): “"))
		Expect(page.URL.Path).To(Equal(t.In("articles", other)))
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid) }).Should(Equal("scheduled"))
	})

	It("is scheduled and moved by the forms of its page, which name its place in the list too", func() {
		t := facades.NewTenant("Acme")
		uid := t.InReview("alpine shoes")
		p := t.SignIn()
		page := p.Get(p.Get(t.In("articles")+"?status=review").Find("#a-"+uid+" a").AttrOr("href", ""))
		page = p.Submit(page, scheduleForm, url.Values{"zone": {"Asia/Tokyo"}})
		Expect(page.Text("#at-problem")).To(Equal("Choose a day and a time."), "none was chosen")
		Expect(page.Find(scheduleForm+" #at").AttrOr("value", "")).To(BeEmpty())
		Expect(page.Find("details[open] #at").Length()).To(Equal(1), "what is wrong is in sight")
		page = p.Submit(page, scheduleForm, url.Values{"at": {"2099-12-01T09:00"}})
		Expect(page.Text(".notice")).To(ContainSubstring("Goes out"), "the zone stays")
		Expect(t.Ask("GET", "/v1/api/blogs/"+uid, nil).Text("publish_at")).To(Equal("2099-12-01T00:00:00.000Z"))
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid) }).Should(Equal("scheduled"))
		page = p.Get(p.Get(t.In("articles")+"?status=scheduled").Find("#a-"+uid+" a").AttrOr("href", ""))
		Expect(page.Text(".head > .buttons > a:first-child")).To(HavePrefix("1 of 1"))
		page = p.Submit(page, scheduleForm, url.Values{"at": {"2099-12-02T09:00"}, "zone": {"UTC"}})
		Expect(page.Text(".notice")).To(HavePrefix("Goes out Wed 2 Dec 2099, 09:00 UTC"))
	})

	It("leads on in the order and the filter of that list, and back to its row", func() {
		t := facades.NewTenant("Acme")
		shoes, hats, poles := t.InReview("alpine shoes"), t.InReview("road hats"), t.InReview("alpine poles")
		p := t.SignIn()
		open := func(query, uid string) string {
			return p.Get(t.In("articles")+query).Find("#a-"+uid+" a").AttrOr("href", "")
		}
		page := p.Get(open("?status=review", poles))
		Expect(page.Text(".head > .buttons > a:first-child")).To(Equal("1 of 3: back to the list"))
		Expect(page.Find("[data-key=N]").Length()).To(BeZero())
		page = p.Get(page.Find("[data-key=n]").AttrOr("href", ""))
		Expect(page.URL.Path).To(Equal(t.In("articles", hats)), "the newest is the first of the list")
		Expect(page.Text(".head > .buttons > a:first-child")).To(HavePrefix("2 of 3"))
		page = p.Get(page.Find("[data-key=N]").AttrOr("href", ""))
		Expect(page.URL.Path).To(Equal(t.In("articles", poles)))

		found := p.Get(open("?status=review&q=alpine&order=oldest", shoes))
		Expect(found.Text(".head > .buttons > a:first-child")).To(HavePrefix("1: back"), "a search is not counted")
		Expect(found.Find(".head > .buttons > a").First().AttrOr("href", "")).To(HaveSuffix("?order=oldest&q=alpine&status=review#a-" + shoes))
		page = p.Submit(found, approveForm, url.Values{"next": {"1"}})
		Expect(page.URL.Path).To(Equal(t.In("articles", poles)), "hats are not among the alpine articles")
		Expect(page.Find("[form=approve-form][name=next][checked]").Length()).To(Equal(1), "the tick stays")
		page = p.Submit(page, rejectForm, url.Values{"next": {"1"}, "reason": {"no sources"}})
		Expect(page.Text(".notice")).To(HaveSuffix("That was the last one of the list."))
		Expect(page.URL.RawQuery).To(Equal("order=oldest&q=alpine&status=review"))
	})
})
