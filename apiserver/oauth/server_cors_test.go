package oauth_test

import (
	"context"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("A page in a browser", func() {
	const allow = "Access-Control-Allow-Origin"
	ask := func(path string, header ...string) testkit.Answer {
		GinkgoHelper()
		q, err := http.NewRequestWithContext(context.Background(), http.MethodOptions, replicas[0].url+path, http.NoBody)
		Expect(err).NotTo(HaveOccurred())
		for i := 0; i < len(header); i += 2 {
			q.Header.Set(header[i], header[i+1])
		}
		return testkit.Send(http.DefaultClient, q)
	}
	origin := []string{"Origin", "https://tool.example"}

	It("may ask for the token of a public client, and revoke it", func() {
		for _, path := range []string{oauth.TokenPath, oauth.RevokePath} {
			got := ask(path, append(origin, "Access-Control-Request-Method", "POST", "Access-Control-Request-Headers", "content-type")...)
			Expect(got.Status).To(Equal(http.StatusNoContent))
			Expect(got.Header.Get(allow)).To(Equal("*"))
			Expect(got.Header.Get("Access-Control-Allow-Methods")).To(Equal("POST"))
			Expect(got.Header.Get("Access-Control-Allow-Headers")).To(Equal("Content-Type"))
			Expect(got.Header).NotTo(HaveKey("Access-Control-Allow-Credentials"))
		}
		a := newClient(public)
		for _, code := range []string{"junk", testkit.NewCredential("ac").Reveal()} {
			got := replicas[0].postForm(oauth.TokenPath, a.exchange(code), origin...)
			expectRefused(got, 400, "invalid_grant")
			Expect(got.Header.Get(allow)).To(Equal("*"), "the page learns what is wrong")
		}
		got := replicas[0].postForm(oauth.RevokePath, a.about(testkit.NewCredential("at").Reveal()), origin...)
		Expect(got.Status).To(Equal(200))
		Expect(got.Header.Get(allow)).To(Equal("*"))
	})

	It("learns what is wrong before it is known which client asks", func() {
		a := newClient(public)
		for _, members := range []map[string]string{with(a.exchange("junk"), "client_id", "pr_ci_nobody"), {}} {
			got := replicas[0].postForm(oauth.TokenPath, members, origin...)
			Expect(got.Status).To(BeNumerically(">=", 400))
			Expect(got.Header.Get(allow)).To(Equal("*"))
		}
	})

	It("may not read answers to a confidential client, nor introspect", func() {
		a := newClient()
		Expect(replicas[0].postForm(oauth.TokenPath, a.exchange("junk"), origin...).Header).NotTo(HaveKey(allow))
		Expect(replicas[0].postForm(oauth.IntrospectPath, map[string]string{"token": "junk"}, origin...).Header).NotTo(HaveKey(allow))
		Expect(ask(oauth.IntrospectPath, append(origin, "Access-Control-Request-Method", "POST")...).Header).NotTo(HaveKey(allow))
	})
})
