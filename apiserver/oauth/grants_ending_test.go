package oauth_test

import (
	"context"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// about is a request about a token, by a client.
func (a registered) about(token string) map[string]string {
	m := map[string]string{"token": token, "client_id": a.ClientID()}
	if a.secret != "" {
		m["client_secret"] = a.secret
	}
	return m
}

// issued returns a token that all replicas know.
func (a registered) issued() string {
	GinkgoHelper()
	token := a.token(replicas[0], a.consent(replicas[0], ""))
	for _, r := range replicas {
		Expect(r.authenticate(token)).To(Succeed())
	}
	return token
}

// endsEverywhere checks that a token ends on every replica, by what kube-apiserver tells: the clock stands still. How soon is
// measured by `make bench`.
func endsEverywhere(token string) {
	GinkgoHelper()
	for _, r := range replicas {
		Eventually(func() error { return r.authenticate(token) }).Should(MatchError(auth.ErrUnauthorized))
	}
}

var _ = Describe("A token ends on every replica", func() {
	ctx := context.Background()

	It("with its grant", func() {
		token := newClient().issued()
		Expect(api.Delete(ctx, grantNow(token))).To(Succeed())
		endsEverywhere(token)
	})

	It("with its client, and does not come back with another client of the name", func() {
		a := newClient()
		token := a.issued()
		Expect(api.Delete(ctx, a.OAuthClient)).To(Succeed())
		endsEverywhere(token)
		again := a.DeepCopy()
		again.ResourceVersion, again.UID = "", ""
		Expect(api.Create(ctx, again)).To(Succeed())
		Expect(newReplica(testkit.Blind{}).authenticate(token)).To(MatchError(auth.ErrUnauthorized))
		for _, r := range replicas {
			Consistently(func() error { return r.authenticate(token) }, "300ms", "20ms").Should(MatchError(auth.ErrUnauthorized))
		}
		late := newReplica(testkit.Blind{})
		Expect(late.postForm(oauth.IntrospectPath, a.about(token)).Body).To(Equal(map[string]any{"active": false}))
		Expect(late.postForm(oauth.RevokePath, a.about(token)).Body).To(HaveKeyWithValue("error", "unauthorized_client"))
	})

	It("with its account", func() {
		account := &v1alpha1.Account{}
		account.Name = "acme"
		a := newClient()
		token := a.issued()
		Expect(api.Delete(ctx, account)).To(Succeed())
		endsEverywhere(token)
		for _, r := range replicas {
			Expect(r.postForm(oauth.IntrospectPath, a.about(token)).Body).To(Equal(map[string]any{"active": false}))
		}
		Expect(api.Create(ctx, newAccount("acme"))).To(Succeed())
		for _, r := range replicas {
			Eventually(func() error { return r.authenticate(newTokenOf(r)) }).Should(Succeed())
		}
	})

	It("when its grant is revoked", func() {
		token := newClient().issued()
		Expect(replicas[0].Revoke(ctx, "acme", grantOf(token))).To(Succeed())
		later := newReplica(testkit.Blind{})
		later.clock.SetTime(start.Add(time.Minute))
		Expect(later.Revoke(ctx, "acme", grantOf(token))).To(Succeed(), "again")
		Expect(grantNow(token).Status.RevocationTime.UTC()).To(Equal(start), "the first time counts")
		endsEverywhere(token)
		Expect(replicas[0].Revoke(ctx, "acme", "aaaaaaaaaaaaaaaa")).To(MatchError(oauth.ErrUnknownGrant))
	})

	It("when its client revokes it", func() {
		a := newClient()
		token := a.issued()
		got := replicas[2].postForm(oauth.RevokePath, a.about(token))
		Expect(got.Status).To(Equal(http.StatusOK))
		Expect(got.Raw).To(BeEmpty())
		Expect(got.Header.Get("Cache-Control")).To(Equal("no-store"))
		endsEverywhere(token)
		Expect(replicas[2].postForm(oauth.RevokePath, a.about(token)).Status).To(Equal(http.StatusOK), "again")
	})

	It("when its year is over, and not a moment before", func() {
		a := newClient()
		token := a.issued()
		r := newReplica(testkit.Blind{})
		r.clock.SetTime(start.Add(365*24*time.Hour - time.Millisecond))
		Expect(r.authenticate(token)).To(Succeed())
		r.clock.SetTime(start.Add(365 * 24 * time.Hour))
		Expect(r.authenticate(token)).To(MatchError(auth.ErrUnauthorized))
		Expect(r.postForm(oauth.IntrospectPath, a.about(token)).Body).To(Equal(map[string]any{"active": false}))
	})
})

func newTokenOf(r *replica) string {
	GinkgoHelper()
	a := newClient()
	return a.token(r, a.consent(r, ""))
}

var _ = Describe("Revocation", func() {
	It("tells nothing of what is no token", func() {
		a := newClient()
		token := a.issued()
		for _, junk := range []string{"junk", testkit.NewCredential("at").Reveal(), newCode(), forged(token), retyped(token, "ac")} {
			got := replicas[0].postJSON(oauth.RevokePath, a.about(junk))
			Expect(got.Status).To(Equal(http.StatusOK))
			Expect(got.Raw).To(BeEmpty())
		}
		Expect(newReplica(testkit.Blind{}).authenticate(token)).To(Succeed())
	})

	It("is to be tried again where it cannot be written", func() {
		a := newClient()
		token := a.issued()
		r := newReplica(testkit.Blind{}, withClient(readOnly()))
		got := r.postForm(oauth.RevokePath, a.about(token))
		expectRefused(got, 503, "temporarily_unavailable")
		Expect(got.Header.Get("Retry-After")).To(Equal("2"))
		Expect(r.Revoke(context.Background(), "acme", grantOf(token))).To(MatchError(oauth.ErrUnavailable))
		Expect(r.authenticate(token)).To(Succeed(), "nothing is written")
		Expect(newCutOffReplica().Revoke(context.Background(), "acme", grantOf(token))).To(MatchError(oauth.ErrUnavailable))
	})

	It("is refused to another client, and to who cannot say who they are", func() {
		a, other := newClient(), newClient()
		token := a.issued()
		Expect(replicas[0].postForm(oauth.RevokePath, other.about(token)).Body).To(HaveKeyWithValue("error", "unauthorized_client"))
		Expect(replicas[0].postForm(oauth.RevokePath, with(a.about(token), "client_secret", "")).Status).To(Equal(http.StatusUnauthorized))
		Expect(replicas[0].postForm(oauth.RevokePath, with(a.about(token), "token", "")).Body).To(HaveKeyWithValue("error", "invalid_request"))
		Expect(newReplica(testkit.Blind{}).authenticate(token)).To(Succeed())
	})
})

var _ = Describe("Introspection", func() {
	It("tells a client of its token, and of no other", func() {
		a, other := newClient(), newClient()
		token := a.issued()
		got := replicas[1].postForm(oauth.IntrospectPath, a.about(token))
		Expect(got.Header.Get("Cache-Control")).To(Equal("no-store"))
		Expect(got.Status).To(Equal(http.StatusOK))
		Expect(got.Body).To(Equal(map[string]any{
			"active": true, "scope": "read write", "client_id": a.ClientID(), "username": person, "sub": "acme", "token_type": "Bearer",
			"exp": float64(start.Add(oauth.TokenLifetime).Unix()), "iat": float64(start.Unix()), "iss": "https://api.example.com",
		}))
		inactive := map[string]any{"active": false}
		Expect(replicas[1].postForm(oauth.IntrospectPath, other.about(token)).Body).To(Equal(inactive))
		Expect(replicas[1].postForm(oauth.IntrospectPath, a.about(forged(token))).Body).To(Equal(inactive))
		Expect(replicas[1].postForm(oauth.IntrospectPath, with(a.about(token), "client_secret", newSecret())).Status).To(Equal(401))
		Expect(replicas[1].Revoke(context.Background(), "acme", grantOf(token))).To(Succeed())
		Expect(replicas[1].postForm(oauth.IntrospectPath, a.about(token)).Body).To(Equal(inactive))
	})

	It("names no token of an account that is on its way out", func() {
		account := newAccount("leaving")
		Expect(api.Create(context.Background(), account)).To(Succeed())
		a, r := newClient(), newReplica(testkit.Blind{})
		request := a.request("")
		request.AccountRef.Name = account.Name
		code, err := r.Create(context.Background(), request)
		Expect(err).NotTo(HaveOccurred())
		token := a.token(r, code)
		Expect(r.postForm(oauth.IntrospectPath, a.about(token)).Body).To(HaveKeyWithValue("active", true))
		testkit.BeginDelete(api, account)
		Expect(r.postForm(oauth.IntrospectPath, a.about(token)).Body).To(Equal(map[string]any{"active": false}))
	})

	It("is not for those who can prove nothing", func() {
		a := newClient(public)
		token := map[string]string{"token": testkit.NewCredential("at").Reveal()}
		got := replicas[1].postForm(oauth.IntrospectPath, with(token, "client_id", a.ClientID()))
		expectRefused(got, 401, "invalid_client")
		for _, members := range []map[string]string{token, {}} {
			got = replicas[1].postForm(oauth.IntrospectPath, members, "Authorization", basicHeader(a.ClientID(), ""))
			expectRefused(got, 401, "invalid_client")
			Expect(got.Header.Get("WWW-Authenticate")).To(HavePrefix("Basic "))
		}
	})
})

var _ = Describe("The list of grants", func() {
	It("has what gives access now, of one person or of all", func() {
		ctx, a := context.Background(), newClient()
		live, revoked := a.issued(), a.issued()
		a.consent(replicas[0], "")
		Expect(replicas[0].Revoke(ctx, "acme", grantOf(revoked))).To(Succeed())
		names := func(account, person string) []string {
			list, err := replicas[0].List(ctx, account, person)
			Expect(err).NotTo(HaveOccurred())
			var names []string
			for _, g := range list {
				if g.Spec.ClientRef.Name == a.Name {
					names = append(names, g.Name)
				}
			}
			return names
		}
		Eventually(func() []string { return names("acme", person) }).Should(Equal([]string{grantOf(live)}))
		Expect(names("acme", "")).To(Equal([]string{grantOf(live)}))
		Expect(names("acme", "rob@acme.example")).To(BeEmpty())
		Expect(names("rival", "")).To(BeEmpty())
	})

	It("leaves out what somebody has written half by hand", func() {
		a := newClient()
		half := grantNow(a.consent(replicas[0], ""))
		half.Status.TokenExpirationTime = new(v1alpha1.NewMicroTime(start.Add(time.Hour)))
		Expect(api.Status().Update(context.Background(), half)).To(Succeed())
		whole := a.issued()
		names := func() []string {
			list, err := replicas[0].List(context.Background(), "acme", person)
			Expect(err).NotTo(HaveOccurred())
			var names []string
			for _, g := range list {
				names = append(names, g.Name)
			}
			return names
		}
		Eventually(names).Should(ContainElement(grantOf(whole)))
		Expect(names()).NotTo(ContainElement(half.Name))
	})
})
