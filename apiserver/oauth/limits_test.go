package oauth_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// uncached reads as a cache does that has seen everything.
func uncached() testkit.IndexedClient {
	GinkgoHelper()
	c := testkit.IndexedClient{Client: api, Indexes: testkit.Indexes{}}
	Expect(oauth.IndexGrants(context.Background(), c.Indexes)).To(Succeed())
	Expect(oauth.IndexClients(context.Background(), c.Indexes)).To(Succeed())
	return c
}

var _ = Describe("A person", func() {
	It("gives one client access at the same time as often as the account allows", func() {
		r := newReplica(uncached(), func(s *oauth.Store) {
			s.Limits = func(_ context.Context, account string) (v1alpha1.AccountLimits, error) {
				Expect(account).To(Equal("acme"))
				return v1alpha1.AccountLimits{GrantsPerPersonAndClient: new(int32(2))}, nil
			}
		})
		a, b := newClient(), newClient()
		first := a.consent(r, "")
		a.consent(r, "")
		refused := func() {
			GinkgoHelper()
			code, err := r.Create(context.Background(), a.request(""))
			Expect(err).To(MatchError(oauth.ErrTooManyGrants))
			Expect(code).To(BeEmpty())
		}
		refused()
		b.consent(r, "")
		other := a.request("")
		other.Person = "jo@acme.example"
		_, err := r.Create(context.Background(), other)
		Expect(err).NotTo(HaveOccurred(), "another person has grants of their own")

		By("counting a token as its code")
		token := a.token(r, first)
		refused()

		By("counting no code that has expired")
		r.clock.SetTime(start.Add(10 * time.Minute))
		a.consent(r, "")
		refused()

		By("counting no token that was revoked")
		parsed, err := credential.Parse(token)
		Expect(err).NotTo(HaveOccurred())
		Expect(r.Revoke(context.Background(), "acme", parsed.ID)).To(Succeed())
		a.consent(r, "")
		refused()
	})
})

var _ = Describe("The number of clients that an account has registered", func() {
	It("counts its own alone", func() {
		store := oauth.Store{Cache: uncached()}
		count := func(account string) int64 {
			GinkgoHelper()
			n, err := store.CountClients(context.Background(), account)
			Expect(err).NotTo(HaveOccurred())
			return n
		}
		before := count("counted")
		by := func(account string) func(*v1alpha1.OAuthClientSpec) {
			return func(s *v1alpha1.OAuthClientSpec) { s.AccountRef = &v1alpha1.AccountReference{Name: account} }
		}
		one := newClient(by("counted"))
		newClient(by("counted"), public)
		newClient(by("counted-2"))
		newClient()
		Expect(count("counted")).To(Equal(before + 2))
		Expect(registryOf(api).Delete(context.Background(), one.Name)).To(Succeed())
		Expect(count("counted")).To(Equal(before + 1))
		Expect(count("nobody")).To(BeZero())
	})
})
