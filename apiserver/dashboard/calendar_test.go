package dashboard_test

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/PuerkitoBio/goquery"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

// scheduled makes an article that is approved, and to be published at a time.
func scheduled(t *dashboardtest.Tenant, at time.Time) string {
	GinkgoHelper()
	uid := t.InReview("trail shoes")
	for operation, body := range map[string]any{"publish": map[string]any{"publish_at": at.UTC().Format(time.RFC3339)}, "approve": nil} {
		got := t.Ask(http.MethodPost, "/v1/api/blogs/"+uid+"/"+operation, body)
		Expect(got.Status).To(Equal(http.StatusOK), got.Raw)
	}
	return uid
}

var _ = Describe("The calendar", func() {
	// The first of a month is another day in some zones.
	at := time.Date(time.Now().Year()+1, 3, 1, 2, 30, 0, 0, time.UTC)

	It("shows what is planned on the day of its zone, which it names", func() {
		t := facades.NewTenant("Acme")
		scheduled(t, at)
		p := t.SignIn()
		month := t.In("calendar") + "?month=" + at.Format("2006-01")
		Eventually(func() string { return p.Get(month).Text("#d-" + at.Format("2006-01-02")) }).Should(
			And(ContainSubstring("02:30 Trail running shoes"), ContainSubstring("Scheduled"), ContainSubstring("Move")))
		Expect(p.Get(month).Text("h1")).To(Equal("March " + at.Format("2006") + " in UTC"))

		before := at.AddDate(0, 0, -1)
		west := p.Get(t.In("calendar") + "?month=" + before.Format("2006-01") + "&zone=America/New_York")
		Expect(west.Text("#d-" + before.Format("2006-01-02"))).To(ContainSubstring("21:30 Trail running shoes"))
		Expect(west.Text("h1")).To(HaveSuffix("in America/New_York"))
		Expect(west.Find("a[rel=next]").AttrOr("href", "")).To(ContainSubstring("zone=America%2FNew_York"))
		Expect(p.Get(t.In("calendar") + "?month=nonsense&zone=nowhere").Text("h1")).To(HavePrefix(time.Now().UTC().Format("January")))
	})

	It("begins each week with Monday, and has every day of the month once", func() {
		p, t := (*dashboardtest.Person)(nil), facades.NewTenant("Acme")
		p = t.SignIn()
		for month, want := range map[string]int{"2027-02": 28, "2026-03": 42, "2026-11": 42, "2028-02": 35} {
			page := p.Get(t.In("calendar") + "?month=" + month)
			Expect(page.Find("td").Length()).To(Equal(want), month)
			first, err := time.Parse("2006-01-02", strings.TrimPrefix(page.Find("td").First().AttrOr("id", ""), "d-"))
			Expect(err).NotTo(HaveOccurred())
			Expect(first.Weekday()).To(Equal(time.Monday), month)
		}
		Expect(p.Get(t.In("calendar") + "?month=2027-02").Text("main")).To(ContainSubstring("Nothing was published in this month"))
	})

	It("moves an article to another time, and takes it off", func() {
		t := facades.NewTenant("Acme")
		uid := scheduled(t, at)
		p := t.SignIn()
		form := p.Get(t.In("calendar", uid))
		Expect(form.Find("#at").AttrOr("value", "")).To(Equal(at.Format("2006-01-02T15:04")))
		year := at.Format("2006")
		moved := p.Submit(form, "form[action$='"+uid+"']", url.Values{"at": {year + "-04-01T09:00"}, "zone": {"Europe/Zurich"}})
		Expect(moved.Text(".notice")).To(ContainSubstring("1 Apr " + year + ", 09:00 Europe/Zurich (07:00 UTC)"))
		Expect(moved.URL.Query().Get("month")).To(Equal(year + "-04"))
		Expect(t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("publish_at")).To(Equal(year + "-04-01T07:00:00.000Z"))

		off := p.Submit(p.Get(t.In("calendar", uid)), "form[action$='/unschedule']", nil)
		Expect(off.Text(".notice")).To(ContainSubstring("Unscheduled"))
		Expect(status(t, uid)).To(Equal("approved"))
	})

	It("asks which time is meant if the clocks show it twice or never", func() {
		t := facades.NewTenant("Acme")
		uid := scheduled(t, at)
		p := t.SignIn()
		for _, tt := range []struct{ wall, says, choice string }{
			// The last Sundays of March and October 2040.
			{"2040-03-25T02:30", "never show 02:30 on 25 March 2040", "2040-03-25T01:30:00Z"},
			{"2040-10-28T02:30", "show 02:30 on 28 October 2040 twice", "2040-10-28T00:30:00Z"},
		} {
			fields := url.Values{"at": {tt.wall}, "zone": {"Europe/Zurich"}}
			asked := p.Submit(p.Get(t.In("calendar", uid)), "form[action$='"+uid+"']", fields)
			Expect(asked.Status).To(Equal(http.StatusUnprocessableEntity))
			Expect(asked.Text("main [role=alert]")).To(ContainSubstring(tt.says))
			Expect(asked.Find("input[name=instant]").Length()).To(Equal(2))
			Expect(asked.Find("#at").AttrOr("value", "")).To(Equal(tt.wall))
			fields.Set("instant", "2040-01-01T00:00:00Z")
			Expect(p.Forge(asked, "form[action$='"+uid+"']", fields).Status).To(Equal(http.StatusUnprocessableEntity), "not one of the two")
			fields.Set("instant", tt.choice)
			p.Submit(asked, "form[action$='"+uid+"']", fields)
			Expect(t.Ask(http.MethodGet, "/v1/api/blogs/"+uid, nil).Text("publish_at")).To(Equal(strings.Replace(tt.choice, "Z", ".000Z", 1)))
		}
	})

	It("offers nothing to move to anyone who may not write", func() {
		t := facades.NewTenant("Acme")
		uid := scheduled(t, at)
		reader := t.SignInWith(t.NewKey("Rea", v1alpha1.ScopeRead))
		month := t.In("calendar") + "?month=" + at.Format("2006-01")
		Eventually(func() string { return reader.Get(month).Text("main") }).Should(ContainSubstring("Trail running shoes"))
		Expect(reader.Get(month).Find("a.move").Length()).To(BeZero())
		Expect(reader.Get(t.In("calendar", uid)).Status).To(Equal(http.StatusForbidden))
	})

	It("has approved articles without a date in a tray, from which they are planned", func() {
		t := facades.NewTenant("Acme")
		uid := t.Written("Huts", "Open.")
		waits := t.Written("Paths", "Open.")
		Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+uid+"/approve", nil).Status).To(Equal(http.StatusOK))
		scheduled(t, at)
		p := t.SignIn()
		var page *dashboardtest.Page
		Eventually(func() string { page = p.Get(t.In("calendar")); return page.Text("#tray .chip") }).Should(Equal("Huts Approved Plan Huts"))
		Expect(page.Find("#tray a[href*='"+waits+"']").Length()).To(BeZero(), "it is not approved")

		chip := page.Find("#tray .chip")
		form := p.Get(chip.AttrOr("data-move", "") + "&day=2099-12-01")
		Expect(form.Text("h1")).To(Equal("Plan an article"))
		Expect(form.Text("main")).To(ContainSubstring("Nothing is planned yet."))
		Expect(form.Find("#at").AttrOr("value", "")).To(Equal("2099-12-01T09:00"))
		Expect(status(t, uid)).To(Equal("approved"), "a drop does nothing")
		planned := p.Submit(form, "form[action$='"+uid+"']", nil)
		Expect(planned.Text(".notice")).To(Equal("“Huts” goes out Tue 1 Dec 2099, 09:00 UTC."))
		t.Reconcile(uid)
		Eventually(func() string { return status(t, uid) }).Should(Equal("scheduled"))
		Eventually(func() int { return p.Get(t.In("calendar")).Find("#tray[hidden]").Length() }).Should(Equal(1))
	})

	It("keeps the time of day, in the zone of the calendar, of an article that is dragged to another day", func() {
		t := facades.NewTenant("Acme")
		uid := scheduled(t, at)
		p := t.SignIn()
		form := p.Get(t.In("calendar", uid) + "?zone=Asia%2FTokyo&day=2099-12-01")
		Expect(form.Find("#at").AttrOr("value", "")).To(Equal("2099-12-01T11:30"))
		Expect(form.Find("#schedule-zone").AttrOr("value", "")).To(Equal("Asia/Tokyo"))
		Expect(p.Get(t.In("calendar", uid)+"?day=nonsense").Find("#at").AttrOr("value", "")).To(Equal(at.Format("2006-01-02T15:04")))
	})

	It("lets nothing be dragged to a day that is over", func() {
		t := facades.NewTenant("Acme")
		page := t.SignIn().Get(t.In("calendar"))
		today := time.Now().UTC()
		Expect(page.Find("#d-" + today.Format("2006-01-02") + "[data-day]").Length()).To(Equal(1))
		page.Find("td[data-day]").Each(func(_ int, day *goquery.Selection) {
			Expect(day.AttrOr("data-day", "") >= today.Format("2006-01-02")).To(BeTrue())
		})
	})

	It("says which zone does not exist, and takes one by its city", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		wrong := p.Get(t.In("calendar") + "?zone=Atlantis")
		Expect(wrong.Text("#zone-problem")).To(HavePrefix("There is no time zone “Atlantis”."))
		Expect(wrong.Find("[name=zone]").AttrOr("value", "")).To(Equal("Atlantis"))
		Expect(p.Get(t.In("calendar") + "?zone=new+york").Text("h1")).To(HaveSuffix("in America/New_York"))
		Expect(p.Get(t.In("calendar")).Find("#zones option[value='Asia/Tokyo']").Text()).To(Equal("UTC+09:00"))
	})
})
