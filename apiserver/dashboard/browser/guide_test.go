//go:build e2e

package browser_test

import (
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/dashboardtest"
	"github.com/pressroom-dev/pressroom/controllers/controllertest"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// guideText is a text for the pictures of docs/how-to/use-the-dashboard.md.
func guideText(title string) content.Document {
	return content.Document{
		Title: title, MetaTitle: title, MetaDescription: "What to look for, what to leave on the shelf, and how to tell in the shop.",
		Markdown: strings.Repeat("A sole of soft rubber holds on wet rock, and wears out sooner on gravel. Try shoes on in the afternoon, when feet are "+
			"at their widest, with the socks that you run in.\n\n## How to tell in the shop\n\nBend the shoe, and press the heel with a thumb. "+
			"If both give way, the shoe is made for soft ground.\n\n", 3),
	}
}

// generated makes an article of a keyword with a text of its own.
func generated(t *dashboardtest.Tenant, keyword, title string) string {
	GinkgoHelper()
	uid := t.Generating(keyword)
	t.Run(uid, controllertest.Run{Now: time.Now(), Text: guideText(title)})
	return uid
}

var _ = Describe("The guide", func() {
	It("has pictures of the list and of an article", func() {
		t := facades.NewTenant("Acme Outdoors")
		published := generated(t, "rain jackets", "Rain jackets that breathe: five to compare")
		for _, call := range []string{"approve", "publish"} {
			Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+published+"/"+call, nil).Status).To(Equal(http.StatusOK))
		}
		t.Reconcile(published)
		rejected := generated(t, "hiking poles", "Hiking poles, and when to leave them at home")
		Expect(t.Ask(http.MethodPost, "/v1/api/blogs/"+rejected+"/reject", map[string]any{"note": "The second section has no sources."}).Status).
			To(Equal(http.StatusOK))
		generated(t, "down sleeping bags", "Down sleeping bags: how warm is warm enough?")
		shoes := generated(t, "trail running shoes", "Trail running shoes: what to look for")
		t.Generating("alpine huts")

		w := signedIn(t, t.In("articles")+"?status=all", "tbody tr:nth-child(5)")
		w.KeepView("guide-articles")
		w.goTo(t.In("articles", shoes), "iframe")
		w.KeepView("guide-article")
	})
})
