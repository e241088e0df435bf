package dashboard_test

import (
	"bytes"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
	"github.com/pressroom-dev/pressroom/test/imagehost"
)

var _ = Describe("The file of a featured image", func() {
	It("is shown as it was pinned, or not at all", func() {
		host := imagehost.New()
		DeferCleanup(host.Close)
		t := facades.NewTenant("Acme")
		uid := t.WrittenWith("Huts", "One hut.", map[string]any{"image": map[string]any{"url": host.URL + "/hut.png", "alt": "A hut"}})
		p := t.SignIn()
		pinned := host.Fetched()

		By("to a reviewer, whose browser asks the facade alone")
		page := p.Get(t.In("articles", uid))
		preview := p.Get(page.Find(".text-frame iframe").AttrOr("src", ""))
		path := preview.Find("figure img").AttrOr("src", "")
		Expect(path).To(HavePrefix(t.In("articles", uid, "images/")))
		Expect(preview.Header.Get("Content-Security-Policy")).To(ContainSubstring("img-src 'self' data:;"))
		got := p.GetFile(path)
		Expect(got.Status).To(Equal(http.StatusOK))
		Expect(bytes.Equal(got.Body, imagehost.PNG(30, 20))).To(BeTrue())
		Expect(got.Header.Get("Content-Type")).To(Equal("image/png"))
		Expect(got.Header.Get("Content-Encoding")).To(BeEmpty())
		Expect(host.Fetched()).To(Equal(pinned + 1))

		By("when the host has another file")
		host.Put(imagehost.PNG(10, 10))
		got = p.GetFile(path)
		Expect(got.Status).To(Equal(http.StatusConflict))
		Expect(string(got.Body)).To(ContainSubstring("leads to another file now"))
		Expect(got.Header.Get("Cache-Control")).To(Equal("no-store"))

		By("when a new revision has that file")
		t.Rewrite(uid, "Two huts.")
		next := p.Get(t.In("articles", uid, "preview")).Find("figure img").AttrOr("src", "")
		Expect(next).NotTo(Equal(path))
		Expect(p.GetFile(next).Status).To(Equal(http.StatusOK))
		Expect(p.GetFile(path).Status).To(Equal(http.StatusConflict), "that of the first revision, which the path names")

		By("to nobody else")
		fetched := host.Fetched()
		Expect(facades.Visitor().GetFile(next).Status).To(Equal(http.StatusUnauthorized))
		Expect(facades.NewTenant("Rival").SignIn().GetFile(next).Status).To(Equal(http.StatusNotFound))
		Expect(t.SignInWith(t.NewKey("writer", v1alpha1.ScopeWrite)).GetFile(next).Status).To(Equal(http.StatusForbidden))
		Expect(host.Fetched()).To(Equal(fetched))

		By("only from public addresses, where nothing else is configured")
		strict := facades.StartReplica(func(o *apiserver.Options) { o.Egress = egress.Policy{} })
		DeferCleanup(strict.Stop)
		elsewhere := p.Copy(strict.URL)
		var refused dashboardtest.File
		Eventually(func() int {
			refused = elsewhere.GetFile(next)
			return refused.Status
		}).Should(Equal(http.StatusBadGateway))
		Expect(string(refused.Body)).To(And(HavePrefix("The image cannot be fetched"), Not(ContainSubstring(strings.TrimPrefix(host.URL, "http://")))))
		Expect(host.Fetched()).To(Equal(fetched))
	})
})
