//go:build e2e

package browser_test

import (
	"net/url"
	"path"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("The first visit of the list", func() {
	It("makes at most five requests, and none to another host", func() {
		t := facades.NewTenant("Acme Outdoors")
		t.Written("Huts", "Open.")
		w := signedIn(t, settings, "#zone")
		requests := w.Requests()
		w.goTo(t.In("articles"), "tbody tr")
		w.untilLoaded()
		files := func() (names []string) {
			for _, address := range requests() {
				one, err := url.Parse(address)
				Expect(err).NotTo(HaveOccurred())
				Expect(one.Scheme + "://" + one.Host).To(Equal(facades.URLs[0]))
				names = append(names, path.Base(one.Path))
			}
			return names
		}
		Eventually(files).Should(ConsistOf("articles", "app.css", "app.js", "live", "articles"),
			"the page is older than its stream, and fetches itself once")
	})
})
