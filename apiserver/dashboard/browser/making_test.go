//go:build e2e

package browser_test

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

var _ = Describe("What happens after a click", func() {
	It("on Generate is a page that moves by itself, can be opened again, and leads to the queue", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("articles", "new"), "#keywords")
		w.Run(chromedp.SendKeys("#keywords", "trail shoes\nroad shoes\nx", chromedp.ByQuery))
		w.Click("form[action$='/generate'] .primary", "#batch")
		Expect(w.Text("#batch")).To(HavePrefix("0 of 2 done"))
		w.Look("batch-begun")
		address := w.Address()
		var uids []string
		w.Evaluate(`[...document.querySelectorAll(".results li[id^=r-]")].map(e => e.id.slice(2))`, &uids)
		Expect(uids).To(HaveLen(2))
		// The page stays as it is, and nobody touches it.
		t.Run(uids[0], controllertest.Run{Now: time.Now(), Text: dashboardtest.Text})
		w.Until(`document.querySelector("#batch progress").value === 1`)
		t.Run(uids[1], controllertest.Run{Now: time.Now(), Text: dashboardtest.Text})
		w.Until(`document.querySelector("#batch a") !== null && document.querySelector("#batch progress").value === 2`)
		w.Until(`document.querySelector("#batch-title").textContent === "2 articles generated"`)
		w.Look("batch-done")
		w.Visit(address, "#batch a")
		Expect(w.Text(".results")).To(ContainSubstring("at least 2 characters"))
		w.Click("#batch a", "#a-"+uids[1])
		w.Visit(facades.URLs[0]+t.In("articles", "new", "generate"), "#keywords")
	})

	It("on Connect is one status, which the test changes while somebody looks", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.SendTo(http.StatusOK)
		w := asManager(t, t.In("sites", "new")+"?type=wordpress", connectForm)
		var kind string
		w.Evaluate(`document.querySelector("[id='connection.username']").type`, &kind)
		Expect(kind).To(Equal("text"))
		w.send(connectForm, map[string]string{
			"domain": "blog.example.org", "connection.url": "https://blog.example.org", "connection.username": "mara", "connection.password": "abcd",
		}, "#connection")
		const well = `(?i)\bconnected\b|\bready\b|\bworks\b`
		Expect(w.Text("main")).NotTo(MatchRegexp(well))
		w.Look("site-new")
		w.goTo(t.In("sites", t.SiteUID), "#connection")
		t.Tested(v1alpha1.AttemptConnectionFailed, 0, v1alpha1.ReasonConnectionFailed, "the other side does not speak TLS", "")
		w.Until(`document.querySelector("#connection .badge").textContent === "No connection"`)
		Expect(w.Text("main")).NotTo(MatchRegexp(well))
		w.goTo(t.In("sites"), "#site-"+t.SiteUID+" .badge.failed")
		Expect(w.Text("#site-" + t.SiteUID)).NotTo(MatchRegexp(well))
	})

	It("on Publish is amber while the site does not take it, and the list of deliveries opens with it", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.SendTo(http.StatusNotFound)
		uid := t.Sent("trail shoes", 0)
		w := signedIn(t, t.In("articles", uid), "#article-state")
		w.until(t.In("articles", uid), "#article-state .badge.retrying")
		Expect(w.Text("#article-state .badge")).To(Equal("Not arriving yet"))
		w.Look("article-not-arriving")
		const wait = "#article-delivery time[data-ago]" // It runs on, and nobody touches the page.
		w.Until(fmt.Sprintf("document.querySelector(%q).textContent !== %q", wait, w.Text(wait)))
		Expect(w.Text("nav [data-go=d] .count")).To(HavePrefix("1"))
		w.Click("nav [data-go=d]", "#delivery-of-"+uid)
		w.Look("deliveries-not-arriving")
	})

	It("on Archive is a question, which says what becomes of the post", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.SendTo(http.StatusOK)
		uid := t.Sent("trail shoes", 0)
		w := asManager(t, t.In("articles", uid), "#article-state")
		w.until(t.In("articles", uid), "#article-state .badge.published")
		Expect(w.Text("#fixed")).To(ContainSubstring("The text does not change any more"))
		w.Look("article-fixed")
		w.Click(".head details.menu summary", "")
		w.Click("a[href$='do=archive']", "form[action$='/archive']")
		Expect(w.Text("main")).To(ContainSubstring("Its post stays on the site."))
		w.Look("archive-asks")
		Expect(status(t, uid, "status")).To(Equal("published"))
		w.Click("form[action$='/archive'] button", ".notice")
		Expect(strings.ToLower(w.Text(".notice"))).To(ContainSubstring("archived"))
		w.goTo(t.In("articles", uid), "#article-state")
		w.Click(".head details.menu summary", "")
		w.goTo(t.In("sites", t.SiteUID, "edit")+"#updates", "#updates")
	})
})
