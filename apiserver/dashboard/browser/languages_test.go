//go:build e2e

package browser_test

import (
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/dashboardtest"
)

// speaks gives the site of a tenant a language.
func speaks(t *dashboardtest.Tenant, language string) {
	GinkgoHelper()
	site := t.SiteObject()
	site.Spec.BrandVoice = v1alpha1.BrandVoice{Language: language}
	Expect(facades.API.Update(GinkgoT().Context(), site)).To(Succeed())
}

var _ = Describe("Texts in other languages", func() {
	It("fit a phone with words and tables of any length", func() {
		t := facades.NewTenant("Acme Outdoors")
		speaks(t, "de")
		title := "Donaudampfschifffahrtsgesellschaftskapitän"
		uid := t.Written(title, "Ein Satz.\n\n| Hüttenübernachtungspreis | Verpflegung | Jahreszeit | Wegbeschreibung |\n|---|---|---|---|\n"+
			"| 40 Franken | Halbpension | Spätsommer | Hochgebirge |\n\n"+strings.Repeat("Noch ein Satz, der hier steht.\n\n", 40))
		w := signedIn(t, t.In("articles"), "#a-"+uid)
		w.Look("list-german")
		for name, path := range map[string]string{
			"article": t.In("articles", uid), "edit": t.In("articles", uid, "edit"), "delete": t.In("articles", uid, "confirm") + "?do=delete",
			"deliveries": t.In("articles", uid, "deliveries"),
		} {
			w.goTo(path, "h1")
			w.Look(name + "-german")
		}
		w.Run(emulation.SetDeviceMetricsOverride(360, 900, 1, true))
		w.goTo(t.In("articles", uid, "preview"), "table")
		var lines float64
		w.Evaluate(`Math.max(...[...document.querySelectorAll("th")].map(e => e.getBoundingClientRect().height))`, &lines)
		Expect(lines).To(BeNumerically("<", 60), "a heading of the table breaks letter by letter")
		w.fits()
	})

	It("stand from right to left where they are written so", func() {
		t := facades.NewTenant("Acme Outdoors")
		speaks(t, "ar")
		uid := t.Written("أحذية الجري في الجبال", "النعل اللين يثبت على الصخر المبلل.")
		w := signedIn(t, t.In("articles", uid), "iframe")
		w.Until(`document.querySelector("iframe").contentDocument?.documentElement.dir === "rtl"`)
		w.Until(`document.querySelector("h1 bdi").lang === "ar" && document.querySelector("h1 bdi").dir === "rtl"`)
		w.Look("article-arabic")
		w.goTo(t.In("articles", uid, "edit"), "#markdown")
		w.Until(`getComputedStyle(document.getElementById("markdown")).direction === "rtl"`)
		w.Until(`document.querySelector("iframe").contentDocument?.documentElement.lang === "ar"`)
		w.Look("edit-arabic")
	})

	It("are shown in Hindi", func() {
		t := facades.NewTenant("Acme Outdoors")
		speaks(t, "hi")
		uid := t.Written("पहाड़ी दौड़ के जूते", "नरम तला गीली चट्टान पर टिकता है।")
		w := signedIn(t, t.In("articles", uid), "iframe")
		w.Until(`document.querySelector("iframe").contentDocument?.documentElement.lang === "hi"`)
		w.Look("article-hindi")
	})
})

var _ = Describe("The preview of the editor", func() {
	It("stays where somebody reads", func() {
		t := facades.NewTenant("Acme Outdoors")
		uid := t.Written("Huts", strings.Repeat("One more sentence that stands here.\n\n", 120))
		w := signedIn(t, t.In("articles", uid, "edit"), "#markdown")
		w.Until(`document.querySelector("iframe").contentDocument?.body?.scrollHeight > 2000`)
		w.Evaluate(`document.querySelector("iframe").contentWindow.scrollTo(0, 900)`, nil)
		w.watched()
		w.Run(chromedp.SendKeys("#markdown", " More.", chromedp.ByQuery))
		w.previewed()
		w.Until(`document.querySelector("iframe").contentWindow.scrollY === 900`)
	})
})

// fits sees that the page is not wider than the window.
func (w *window) fits() {
	GinkgoHelper()
	w.Until(`document.documentElement.scrollWidth <= document.documentElement.clientWidth`)
}
