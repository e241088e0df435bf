package oauth_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/onsi/gomega/gbytes"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// introspect returns what the introspection endpoint answers to a client with a secret; a token that is none is not active.
func (a registered) introspect(r *replica, secret string) int {
	GinkgoHelper()
	return r.postForm(oauth.IntrospectPath, with(a.about("none"), "client_secret", secret)).Status
}

// escapeAll escapes every byte of a text.
func escapeAll(text string) string {
	var escaped strings.Builder
	for _, b := range []byte(text) {
		fmt.Fprintf(&escaped, "%%%02x", b)
	}
	return escaped.String()
}

var _ = Describe("A client's header Authorization", func() {
	It("is form-encoded within Basic, and Basic may be written in any case", func() {
		r, a := replicas[0], newClient()
		members := with(a.exchange(a.consent(r, "")), "client_id", "", "client_secret", "")
		header := "bASIC" + basicHeader(escapeAll(a.ClientID()), escapeAll(a.secret))[len("Basic"):]
		got := r.postForm(oauth.TokenPath, members, "Authorization", header)
		Expect(got.Status).To(Equal(http.StatusOK), got.Raw)
	})
})

var _ = Describe("A secret on a replica whose cache has the client as it was", func() {
	// stale returns a client as it was before it got its newest secret, and a replica that has not heard of that.
	stale := func() (before registered, newest string, r *replica, live *counting) {
		GinkgoHelper()
		before, live = newClient(), &counting{Client: api}
		_, newest, err := registryOf(api).Rotate(context.Background(), before.Name, overlap)
		Expect(err).NotTo(HaveOccurred())
		r = newReplica(staleCache{Reader: api, object: before.OAuthClient}, withClient(live))
		return before, newest, r, live
	}

	It("works at once where it was rotated in a moment ago, for one look at kube-apiserver", func() {
		a, newest, r, live := stale()
		Expect(a.introspect(r, a.secret)).To(Equal(http.StatusOK))
		Expect(live.reads.Load()).To(BeZero(), "the cache knows the one before")
		Expect(a.introspect(r, newest)).To(Equal(http.StatusOK))
		Expect(live.reads.Load()).To(BeEquivalentTo(1))
		a.secret = newest
		Expect(r.authenticate(a.token(r, a.consent(r, "")))).To(Succeed())
	})

	It("is asked about once in two seconds where it is made up, and does not hide the real one", func() {
		a, newest, r, live := stale()
		made := newSecret()
		for range 20 {
			Expect(a.introspect(r, made)).To(Equal(http.StatusUnauthorized))
		}
		Expect(live.reads.Load()).To(BeEquivalentTo(1))
		Expect(a.introspect(r, newest)).To(Equal(http.StatusOK))
		r.clock.SetTime(start.Add(2*time.Second + time.Millisecond))
		Expect(a.introspect(r, made)).To(Equal(http.StatusUnauthorized))
		Expect(live.reads.Load()).To(BeEquivalentTo(3))
	})

	It("is not asked about where it cannot be one", func() {
		a, _, r, live := stale()
		for _, junk := range []string{"", "junk", newCode(), testkit.NewCredential("ak").Reveal()} {
			Expect(a.introspect(r, junk)).To(Equal(http.StatusUnauthorized))
		}
		Expect(live.reads.Load()).To(BeZero())
	})

	It("reaches kube-apiserver only so often where many are made up, and that locks out nobody whom the cache knows", func() {
		a, _, r, live := stale()
		answers := map[int]int{}
		for range 600 {
			answers[a.introspect(r, newSecret())]++
		}
		Expect(answers).To(Equal(map[int]int{http.StatusUnauthorized: 500, http.StatusServiceUnavailable: 100}))
		Expect(live.reads.Load()).To(BeEquivalentTo(500))
		Expect(r.logged.Contents()).To(BeEmpty(), "anybody could fill the log")
		Expect(a.introspect(r, a.secret)).To(Equal(http.StatusOK))
	})

	It("is refused where the client is on its way out", func() {
		a, newest, r, _ := stale()
		now := &v1alpha1.OAuthClient{}
		Expect(api.Get(context.Background(), keyOf(a), now)).To(Succeed())
		testkit.BeginDelete(api, now)
		Expect(a.introspect(r, newest)).To(Equal(http.StatusUnauthorized))
	})

	It("is not judged while kube-apiserver is unavailable", func() {
		a, newest, _, _ := stale()
		r := newReplica(staleCache{Reader: api, object: a.OAuthClient}, withClient(absent{api}))
		Expect(a.introspect(r, newest)).To(Equal(http.StatusServiceUnavailable))
		Expect(r.logged).To(gbytes.Say("connection refused"))
	})
})

var _ = Describe("A flood of codes that do not exist", func() {
	It("reaches kube-apiserver only so often, and keeps nobody from exchanging a code that the cache knows", func() {
		a, live := newClient(public), &counting{Client: api}
		verifier, challenge := proof()
		known := a.consent(replicas[0], challenge)
		r := newReplica(staleCache{Reader: staleCache{Reader: testkit.Blind{}, object: a.OAuthClient}, object: grantNow(known)}, withClient(live))
		unknown := a.consent(replicas[0], challenge)
		answers := map[int]int{}
		for range 600 {
			answers[r.postForm(oauth.TokenPath, with(a.exchange(newCode()), "code_verifier", verifier)).Status]++
		}
		Expect(answers).To(Equal(map[int]int{http.StatusBadRequest: 500, http.StatusServiceUnavailable: 100}))
		Expect(live.reads.Load()).To(BeEquivalentTo(500))
		exchange := func(code string) int {
			return r.postForm(oauth.TokenPath, with(a.exchange(code), "code_verifier", verifier)).Status
		}
		Expect(exchange(unknown)).To(Equal(http.StatusServiceUnavailable))
		Expect(r.logged.Contents()).To(BeEmpty(), "anybody could fill the log")
		Expect(exchange(known)).To(Equal(http.StatusOK))
		r.clock.SetTime(start.Add(time.Second))
		Expect(exchange(unknown)).To(Equal(http.StatusOK))
	})

	It("has one budget with keys and clients that do not exist", func() {
		a, live := newClient(public), &counting{Client: api}
		verifier, challenge := proof()
		known, unknown := a.consent(replicas[0], challenge), a.consent(replicas[0], challenge)
		r := newReplica(staleCache{Reader: staleCache{Reader: testkit.Blind{}, object: a.OAuthClient}, object: grantNow(known)}, withClient(live))
		status := func(members map[string]string) int {
			return r.postForm(oauth.TokenPath, with(members, "code_verifier", verifier)).Status
		}
		for range 200 {
			Expect(r.authenticate(testkit.NewCredential("ak").Reveal())).To(MatchError(auth.ErrUnauthorized))
			Expect(status(with(a.exchange(newCode()), "client_id", "pr_ci_"+testkit.NewCredential("ak").ID))).To(Equal(http.StatusUnauthorized))
		}
		for range 100 {
			Expect(status(a.exchange(newCode()))).To(Equal(http.StatusBadRequest))
		}
		Expect(status(a.exchange(unknown))).To(Equal(http.StatusServiceUnavailable))
		Expect(r.authenticate(testkit.NewCredential("ak").Reveal())).To(MatchError(auth.ErrFlood))
		Expect(live.reads.Load()).To(BeEquivalentTo(500))
		Expect(status(a.exchange(known))).To(Equal(http.StatusOK))
	})
})

var _ = Describe("Many requests of one client", func() {
	It("wait if it has a secret, and keep no other client from its own", func() {
		a, other := newClient(), newClient()
		r := newReplica(api)
		answers := map[int]int{}
		for range 210 {
			answers[a.introspect(r, a.secret)]++
		}
		Expect(answers).To(Equal(map[int]int{http.StatusOK: 200, http.StatusTooManyRequests: 10}))
		Expect(other.introspect(r, other.secret)).To(Equal(http.StatusOK))
		r.clock.SetTime(start.Add(time.Second))
		Expect(a.introspect(r, a.secret)).To(Equal(http.StatusOK))
	})

	It("with made-up secrets of a grant ask kube-apiserver nothing that the cache knows", func() {
		a, live := newClient(public), &counting{Client: api}
		verifier, challenge := proof()
		code := a.consent(replicas[0], challenge)
		r := newReplica(staleCache{Reader: staleCache{Reader: testkit.Blind{}, object: a.OAuthClient}, object: grantNow(code)}, withClient(live))
		for range 50 {
			got := r.postForm(oauth.TokenPath, with(a.exchange(forged(code)), "code_verifier", verifier))
			Expect(got.Status).To(Equal(http.StatusBadRequest), got.Raw)
		}
		Expect(live.reads.Load()).To(BeZero())
		Expect(r.postForm(oauth.TokenPath, with(a.exchange(code), "code_verifier", verifier)).Status).To(Equal(http.StatusOK))
	})
})
