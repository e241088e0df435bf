package apiserver_test

import (
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/test/imagehost"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("A featured image that cannot be fetched", func() {
	It("is the reason in every answer, and the article can be edited", func() {
		host := imagehost.New()
		DeferCleanup(host.Close)
		host.Answer(http.StatusNotFound)
		patient := startForSpec(func(o *apiserver.Options) { o.Limits.ImageTimeout = time.Minute })
		t := newTenant(patient)
		// send sends a request, and runs the controller once the article has the generation.
		send := func(method, path string, body any, generation int64) testkit.Answer {
			GinkgoHelper()
			answered := make(chan testkit.Answer, 1)
			go func() {
				defer GinkgoRecover()
				answered <- patient.ask(t, method, path, body)
			}()
			list := &v1alpha1.ArticleList{}
			Eventually(func(g Gomega) {
				g.Expect(api.List(ctx, list, client.InNamespace(t.Workspace))).To(Succeed())
				g.Expect(list.Items).To(ConsistOf(HaveField("Generation", generation)))
			}).Should(Succeed())
			Expect(answered).NotTo(Receive())
			t.reconcile(list.Items[0].Name)
			var got testkit.Answer
			Eventually(answered).Should(Receive(&got))
			return got
		}
		body := t.written("Trail shoes")
		body["image"] = map[string]any{"url": host.URL + "/typo.png", "alt": "Shoes"}
		made := send("POST", "/v1/api/blogs", body, 1)
		uid := made.Text("uid")
		expectReason := func(got testkit.Answer, reason, message string) {
			GinkgoHelper()
			Expect(got.Text("status_reason")).To(Equal(reason), got.Raw)
			Expect(got.Text("status_message")).To(Equal(message))
			Expect(got.Raw).To(ContainSubstring(`"name":"edit","allowed":true`))
		}
		const missing = "there is no featured image yet: the image cannot be fetched: its host answered 404 Not Found"
		Expect(made).To(havingStatus(201, "review"), made.Raw)
		expectReason(made, "image_unavailable", missing)
		expectReason(patient.ask(t, "GET", "/v1/api/blogs/"+uid, nil), "image_unavailable", missing)

		host.Answer(http.StatusOK)
		host.Put([]byte("<!doctype html>"))
		edited := send("PATCH", "/v1/api/blogs/"+uid, map[string]any{"image": map[string]any{"url": host.URL + "/page", "alt": "Shoes"}}, 2)
		expectReason(edited, "invalid_image", "the featured image cannot be used: the image is no JPEG, PNG, WebP or GIF")

		host.Put(imagehost.PNG(30, 20))
		edited = send("PATCH", "/v1/api/blogs/"+uid, map[string]any{"image": map[string]any{"url": host.URL + "/shoes.png", "alt": "Shoes"}}, 3)
		expectReason(edited, "awaiting_review", "the text waits for a reviewer")
		Expect(edited.Text("revision_digest")).NotTo(BeEmpty())
	})
})
