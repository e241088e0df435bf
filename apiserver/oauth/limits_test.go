package oauth_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
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

var _ = Describe("Grants", func() {
	var (
		r *replica
		a registered
	)
	limited := func(most int32, bytesPerMinute int64) {
		r = newReplica(uncached(), func(s *oauth.Store) {
			s.Limits = func(context.Context, string) (v1alpha1.AccountLimits, error) {
				return v1alpha1.AccountLimits{GrantsPerPersonAndClient: &most, WrittenBytesPerMinute: &bytesPerMinute}, nil
			}
		})
		a = newClient()
	}
	create := func(change func(*oauth.GrantRequest)) error {
		request := a.request("")
		change(&request)
		_, err := r.Create(context.Background(), request)
		return err
	}
	of := func(account, person string) func(*oauth.GrantRequest) {
		return func(request *oauth.GrantRequest) { request.AccountRef.Name, request.Person = account, person }
	}

	It("count when they have ended, for as long as they are stored", func() {
		limited(2, 1<<30)
		for range 6 {
			code := a.consent(r, "")
			Expect(r.Revoke(context.Background(), "acme", grantOf(code))).To(Succeed())
		}
		Expect(create(func(*oauth.GrantRequest) {})).To(MatchError(oauth.ErrTooOften))
		Expect(create(func(request *oauth.GrantRequest) { request.Person = "jo@acme.example" })).To(Succeed())
	})

	It("are given one a second by an account with all its people", func() {
		limited(10, 1<<30)
		given := 0
		for create(of("eager", fmt.Sprintf("p%d@eager.example", given))) == nil {
			given++
		}
		Expect(given).To(Equal(30))
		Expect(create(of("eager", "another@eager.example"))).To(MatchError(oauth.ErrTooOften))
		Expect(create(of("calm", "jo@calm.example"))).To(Succeed())
		r.clock.SetTime(start.Add(time.Second))
		Expect(create(of("eager", "another@eager.example"))).To(Succeed())
	})

	It("count as bytes that the account writes", func() {
		limited(10, 64<<10)
		given := 0
		for create(of("wordy", fmt.Sprintf("p%d@wordy.example", given))) == nil {
			given++
		}
		Expect(given).To(BeNumerically("~", 8, 1), "16 KiB each of 128 KiB at once")
	})

	It("are given at the same time as often as the account allows", func() {
		limited(3, 1<<30)
		var made atomic.Int32
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if create(of("busy", "jo@busy.example")) == nil {
					made.Add(1)
				}
			})
		}
		all.Wait()
		Expect(made.Load()).To(BeEquivalentTo(3))
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
