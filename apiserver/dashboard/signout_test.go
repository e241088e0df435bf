package dashboard_test

import (
	"net/url"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

var _ = Describe("Signing out", func() {
	It("ends copies of the cookie on all replicas, and on those that start later", func() {
		t := facades.NewTenant("Acme")
		p := t.SignIn()
		var copies []*dashboardtest.Person
		for _, address := range facades.URLs {
			copies = append(copies, p.Copy(address))
		}
		heading := func(p *dashboardtest.Person) string { return p.Get(t.In("articles")).Text("h1") }
		for _, c := range copies {
			Expect(heading(c)).NotTo(Equal("Sign in"))
		}
		elsewhere := t.SignInAt(1, t.Key)
		Expect(p.Post("/oauth/sign-out", url.Values{}).Text("h1")).To(Equal("You are signed out"))
		for _, c := range copies {
			Expect(heading(c)).To(Equal("Sign in"))
			Expect(c.Post("/oauth/sign-out", url.Values{}).Text("h1")).To(Equal("You are signed out"), "again")
		}
		restarted := facades.StartReplica()
		DeferCleanup(restarted.Stop)
		later := copies[0].Copy(restarted.URL)
		Eventually(func() string { return heading(elsewhere.Copy(restarted.URL)) }).Should(Equal(heading(elsewhere)), "it is ready")
		Expect(heading(later)).To(Equal("Sign in"))
		Expect(heading(elsewhere)).NotTo(Equal("Sign in"), "another session of the same key goes on")
	})
})
