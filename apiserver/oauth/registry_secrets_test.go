package oauth_test

import (
	"context"
	"net/http"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver/oauth"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("A secret that is rotated", func() {
	It("works at once, the one before until the next time, and the one before that no more", func() {
		registry := registryOf(api)
		first := newClient()
		works := func(secret string) int {
			r := newReplica(testkit.Blind{})
			a := registered{first.OAuthClient, secret}
			return r.postJSON(oauth.TokenPath, a.exchange(a.consent(r, ""))).Status
		}
		_, second, err := registry.Rotate(context.Background(), first.Name, overlap)
		Expect(err).NotTo(HaveOccurred())
		Expect(works(first.secret)).To(Equal(http.StatusOK))
		Expect(works(second)).To(Equal(http.StatusOK))
		_, third, err := registry.Rotate(context.Background(), first.Name, overlap)
		Expect(err).NotTo(HaveOccurred())
		Expect(works(first.secret)).To(Equal(http.StatusUnauthorized))
		Expect(works(second)).To(Equal(http.StatusOK))
		Expect(works(third)).To(Equal(http.StatusOK))
		_, _, err = registry.Rotate(context.Background(), newClient(public).Name, overlap)
		Expect(err).To(MatchError(oauth.ErrPublic))
	})
})
