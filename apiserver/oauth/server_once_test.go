package oauth_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/oauth2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// race sends requests at once, spread over the replicas, and returns the answers.
func race(requests []map[string]string) []testkit.Answer {
	GinkgoHelper()
	answers, ready := make([]testkit.Answer, len(requests)), make(chan struct{})
	var wg sync.WaitGroup
	for i, members := range requests {
		wg.Go(func() {
			defer GinkgoRecover()
			<-ready
			answers[i] = replicas[i%len(replicas)].postJSON(oauth.TokenPath, members)
		})
	}
	close(ready)
	wg.Wait()
	return answers
}

// tally counts answers by their error, and returns the tokens that were given.
func tally(answers []testkit.Answer) (tokens []string, failures map[any]int) {
	failures = map[any]int{}
	for _, a := range answers {
		if a.Status == http.StatusOK {
			tokens = append(tokens, a.Body["access_token"].(string))
		} else {
			failures[a.Body["error"]]++
		}
	}
	return tokens, failures
}

var _ = Describe("A code", func() {
	It("gives one token to 100 who redeem it at once on three replicas, and that token is dead", func() {
		a := newClient()
		code := a.consent(replicas[0], "")
		requests := make([]map[string]string, 100)
		for i := range requests {
			requests[i] = a.exchange(code)
		}
		tokens, failures := tally(race(requests))
		Expect(tokens).To(HaveLen(1))
		Expect(failures).To(Equal(map[any]int{"invalid_grant": 99}))
		Expect(newReplica(testkit.Blind{}).authenticate(tokens[0])).To(MatchError(auth.ErrUnauthorized), "live")
		for _, r := range replicas {
			Eventually(func() error { return r.authenticate(tokens[0]) }).Should(MatchError(auth.ErrUnauthorized))
		}
	})

	It("gives a token that lives to who has the verifier, whatever 99 with wrong ones do", func() {
		a, verifier := newClient(), oauth2.GenerateVerifier()
		code := a.consent(replicas[0], oauth2.S256ChallengeFromVerifier(verifier))
		requests := make([]map[string]string, 100)
		for i := range requests {
			requests[i] = with(a.exchange(code), "code_verifier", oauth2.GenerateVerifier())
		}
		requests[50]["code_verifier"] = verifier
		tokens, failures := tally(race(requests))
		Expect(tokens).To(HaveLen(1))
		Expect(failures).To(Equal(map[any]int{"invalid_grant": 99}))
		for _, r := range replicas {
			Consistently(func() error { return r.authenticate(tokens[0]) }, "200ms", "20ms").Should(Succeed())
		}
	})

	DescribeTable("that comes again wrongly does not harm the token", func(changes ...string) {
		r, a, verifier := replicas[0], newClient(), oauth2.GenerateVerifier()
		code := a.consent(r, oauth2.S256ChallengeFromVerifier(verifier))
		right := with(a.exchange(code), "code_verifier", verifier)
		done := r.postJSON(oauth.TokenPath, right)
		Expect(done.Status).To(Equal(http.StatusOK))
		Expect(r.postJSON(oauth.TokenPath, with(right, changes...)).Status).To(BeNumerically(">=", 400))
		Expect(newReplica(testkit.Blind{}).authenticate(done.Body["access_token"].(string))).To(Succeed())
	},
		Entry("with a wrong secret", "client_secret", newSecret()),
		Entry("with a wrong verifier", "code_verifier", oauth2.GenerateVerifier()),
		Entry("without a verifier", "code_verifier", ""),
		Entry("with another redirect URI", "redirect_uri", "https://tool.example/other"),
	)

	It("that comes again with another secret part does not harm the token", func() {
		r, a := replicas[0], newClient()
		code := a.consent(r, "")
		token := a.token(r, code)
		Expect(r.postJSON(oauth.TokenPath, a.exchange(forged(code))).Status).To(Equal(http.StatusBadRequest))
		Expect(newReplica(testkit.Blind{}).authenticate(token)).To(Succeed())
	})

	It("is exchanged even where the conditions of its grant are written at the same moment", func() {
		a := newClient()
		code := a.consent(replicas[0], "")
		r := newReplica(testkit.Blind{}, withClient(&interfering{Client: api, left: 3, do: writeConditions}))
		Expect(r.authenticate(a.token(r, code))).To(Succeed())
	})

	It("is kept where its grant is written all the time", func() {
		a := newClient()
		code := a.consent(replicas[0], "")
		got := newReplica(testkit.Blind{}, withClient(&interfering{Client: api, left: 15, do: writeConditions})).postJSON(oauth.TokenPath, a.exchange(code))
		Expect(got.Status).To(Equal(http.StatusServiceUnavailable))
		Expect(got.Body).To(HaveKeyWithValue("error", "temporarily_unavailable"))
		Expect(got.Header.Get("Retry-After")).To(Equal("2"))
		Expect(replicas[0].authenticate(a.token(replicas[0], code))).To(Succeed())
	})

	It("that another replica exchanges between the look and the swap gives one token, which is dead", func() {
		a := newClient()
		code := a.consent(replicas[0], "")
		var first string
		overtaken := newReplica(testkit.Blind{}, withClient(&interfering{Client: api, left: 1, do: func(*v1alpha1.OAuthGrant) {
			first = a.token(replicas[1], code)
		}}))
		Expect(overtaken.postJSON(oauth.TokenPath, a.exchange(code)).Body).To(HaveKeyWithValue("error", "invalid_grant"))
		Expect(newReplica(testkit.Blind{}).authenticate(first)).To(MatchError(auth.ErrUnauthorized))
	})

	It("that comes a second time kills the token, though who sends it hangs up at once", func() {
		a := newClient()
		code := a.consent(replicas[0], "")
		token := a.token(replicas[0], code)
		ctx, hangUp := context.WithCancel(context.Background())
		r := newReplica(testkit.Blind{}, withClient(&interfering{Client: api, left: 1, do: func(*v1alpha1.OAuthGrant) { hangUp() }}))
		body := url.Values{}
		for name, value := range a.exchange(code) {
			body.Set(name, value)
		}
		q, err := http.NewRequestWithContext(ctx, http.MethodPost, oauth.TokenPath, strings.NewReader(body.Encode()))
		Expect(err).NotTo(HaveOccurred())
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.handler.ServeHTTP(httptest.NewRecorder(), q)
		Expect(newReplica(testkit.Blind{}).authenticate(token)).To(MatchError(auth.ErrUnauthorized))
	})

	It("whose second use cannot be written down yet is to be tried again", func() {
		a := newClient()
		code := a.consent(replicas[0], "")
		token := a.token(replicas[0], code)
		r := newReplica(testkit.Blind{}, withClient(readOnly()))
		expectRefused(r.postJSON(oauth.TokenPath, a.exchange(code)), 503, "temporarily_unavailable")
		Expect(r.authenticate(token)).To(Succeed())
	})

	It("of a client that was deleted gives nothing to another client of its name", func() {
		ctx, a := context.Background(), newClient()
		code := a.consent(replicas[0], "")
		Expect(api.Delete(ctx, a.OAuthClient)).To(Succeed())
		r := newReplica(testkit.Blind{})
		Expect(r.postJSON(oauth.TokenPath, a.exchange(code)).Body).To(HaveKeyWithValue("error", "invalid_client"))
		again := a.DeepCopy()
		again.ResourceVersion, again.UID = "", ""
		Expect(api.Create(ctx, again)).To(Succeed())
		Expect(newReplica(testkit.Blind{}).postJSON(oauth.TokenPath, a.exchange(code)).Body).To(HaveKeyWithValue("error", "invalid_grant"))
	})

	It("of a grant or a client that is being deleted gives nothing", func() {
		ctx, a := context.Background(), newClient()
		code, other := a.consent(replicas[0], ""), a.consent(replicas[0], "")
		testkit.BeginDelete(api, grantNow(code))
		r := newReplica(testkit.Blind{})
		Expect(r.postJSON(oauth.TokenPath, a.exchange(code)).Body).To(HaveKeyWithValue("error", "invalid_grant"))
		Expect(api.Get(ctx, client.ObjectKeyFromObject(a.OAuthClient), a.OAuthClient)).To(Succeed())
		testkit.BeginDelete(api, a.OAuthClient)
		Expect(newReplica(testkit.Blind{}).postJSON(oauth.TokenPath, a.exchange(other)).Body).To(HaveKeyWithValue("error", "invalid_client"))
	})

	It("of a revoked grant gives nothing", func() {
		r, a := replicas[0], newClient()
		code := a.consent(r, "")
		Expect(r.Revoke(context.Background(), "acme", grantOf(code))).To(Succeed())
		Expect(r.postJSON(oauth.TokenPath, a.exchange(code)).Body).To(HaveKeyWithValue("error", "invalid_grant"))
	})
})

var _ = Describe("A token", func() {
	It("works at once on a replica whose cache is not fed: 5 of 5", func() {
		b, a := newReplica(testkit.Blind{}), newClient()
		for range 5 {
			Expect(b.authenticate(a.token(replicas[0], a.consent(replicas[0], "")))).To(Succeed())
		}
	})

	It("works at once on a replica whose cache stands still before the exchange, and junk with its id does not stop it", func() {
		a := newClient()
		code := a.consent(replicas[0], "")
		still := staleCache{Reader: api, object: grantNow(code)}
		b := newReplica(still)
		before := testkit.NewCredential("at")
		before.ID = grantOf(code)
		Expect(b.authenticate(before.Reveal())).To(MatchError(auth.ErrUnauthorized))
		Expect(b.authenticate(a.token(replicas[0], code))).To(Succeed())
	})
})
