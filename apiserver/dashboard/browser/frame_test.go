//go:build e2e

package browser_test

import (
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

const (
	settings     = "/app/account/settings"
	settingsForm = "form[action='/app/account/settings']"
	save         = settingsForm + " button"
)

var _ = Describe("The frame of the pages", func() {
	It("offers the browser's time zone, and keeps the one that is chosen", func() {
		w := signedIn(facades.NewTenant("Acme Outdoors"), settings, "#zone")
		w.Look("settings")
		w.Run(chromedp.SetValue("#zone", "Europe/Nowhere", chromedp.ByQuery))
		w.Click(save, "#zone-problem")
		w.Look("settings-problem")
		w.Run(chromedp.SetValue("#zone", "Europe/Zurich", chromedp.ByQuery))
		w.Click(save, ".notice")
		Expect(w.Text(".notice")).To(Equal("Saved. Times are in Europe/Zurich."))
		w.Look("settings-saved")
		var focused bool
		w.Evaluate(`document.activeElement.matches(".notice")`, &focused)
		Expect(focused).To(BeTrue(), "the focus is on what has been done")
	})

	It("lists the shortcuts, which never write and can be turned off", func() {
		w := signedIn(facades.NewTenant("Acme Outdoors"), settings, "#zone")
		w.Press("?", "")
		w.See("#shortcuts")
		w.Look("shortcuts")
		w.Click("#shortcuts button", "")
		w.Click("input[name=shortcuts]", "")
		w.Click(save, ".notice")
		w.Press("?", "")
		var open bool
		w.Evaluate(`document.getElementById("shortcuts") !== null`, &open)
		Expect(open).To(BeFalse())
	})

	It("keeps what was typed when the session has ended", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, settings, "#zone")
		w.Run(chromedp.SetValue("#zone", "Asia/Tokyo", chromedp.ByQuery))
		w.Run(chromedp.Evaluate(`fetch("/oauth/sign-out", {method: "POST", redirect: "manual"}).then(() => { window.out = true }); 0`, nil))
		w.Until("window.out === true")
		w.Click(save, "h1")
		Expect(w.Text("h1")).To(Equal("Not sent yet"))
		w.Look("kept-signed-out")
		other := w.Opens(func() { w.Click("main a[target=_blank]", "") })
		other.SignIn(t.Key, "h1")
		w.Front()
		w.Click("main form button", "h1")
		w.Look("kept")
		w.Click("main form button", ".notice")
		Expect(w.Text(".notice")).To(Equal("Saved. Times are in Asia/Tokyo."))
	})

	It("has the entry of the page that is open in sight on a phone", func() {
		t := facades.NewTenant("Acme Outdoors")
		w := signedIn(t, t.In("events"), "h1")
		w.Run(emulation.SetDeviceMetricsOverride(360, 900, 1, true))
		for path, entry := range map[string]string{t.In("events"): ".nav [aria-current]", t.In("articles") + "?status=archived": ".tabs [aria-current]"} {
			w.goTo(path, entry)
			w.Until(`(r => r.left >= 0 && r.right <= innerWidth)(document.querySelector("` + entry + `").getBoundingClientRect())`)
		}
	})

	It("says what is not open to a person, and leads on", func() {
		w := signedIn(facades.NewTenant("Acme Outdoors"), settings, "#zone")
		w.goTo("/app/w/another/articles", "h1")
		Expect(w.Text("h1")).To(Equal("Not found"))
		w.Look("not-found")
	})
})
