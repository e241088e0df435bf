//go:build e2e

package browser_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/imagehost"
)

var _ = Describe("A featured image", func() {
	It("is seen as the file that is pinned, or the page says that its address has another one", func() {
		host := imagehost.New()
		DeferCleanup(host.Close)
		host.Put(imagehost.PNG(300, 200))
		t := facades.NewTenant("Acme Outdoors")
		uid := t.WrittenWith("Huts in the Alps", "One hut.", map[string]any{
			"image": map[string]any{"url": host.URL + "/hut.png", "alt": "A hut", "credit": "Mara"},
		})
		const frame = `document.querySelector(".text-frame iframe").contentDocument`
		w := signedIn(t, t.In("articles"), "[data-row]")
		requests := w.Requests()
		w.Visit(facades.URLs[0]+t.In("articles", uid), "iframe")
		w.Until(frame + `?.querySelector("figure img")?.naturalWidth === 300`)
		w.Look("image")

		host.Put(imagehost.PNG(30, 20))
		w.Visit(facades.URLs[0]+t.In("articles", uid), "iframe")
		w.Until(frame + `?.querySelector("figure .problem")?.textContent.includes("leads to another file now")`)
		w.Look("image-changed")
		for _, address := range requests() {
			Expect(address).NotTo(HavePrefix(host.URL), "the browser asks the host of the image")
		}
	})
})
