package main

import (
	"context"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// granted makes a grant that somebody gave, whose token works from the time of start, with changes to its status.
func granted(person string, change ...func(*v1alpha1.OAuthGrantStatus)) {
	GinkgoHelper()
	g := &v1alpha1.OAuthGrant{Spec: v1alpha1.OAuthGrantSpec{
		ClientRef: v1alpha1.LocalReference{Name: "tool"}, AccountRef: v1alpha1.AccountReference{Name: "acme"}, Person: person,
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}, RedirectURI: "https://tool.example/cb", CodeHash: strings.Repeat("0", 64),
		ExpirationTime: metav1.NewMicroTime(start.Add(10 * time.Minute)),
	}}
	g.Name = testkit.NewCredential(credential.AccessToken).ID
	Expect(api.Create(context.Background(), g)).To(Succeed())
	g.Status.RedemptionTime, g.Status.TokenExpirationTime = new(metav1.NewMicroTime(start)), new(metav1.NewMicroTime(start.Add(time.Hour)))
	for _, f := range change {
		f(&g.Status)
	}
	Expect(api.Status().Update(context.Background(), g)).To(Succeed())
}

var _ = Describe("keys revoke of a key that apps were let in with", func() {
	revoked := func(s *v1alpha1.OAuthGrantStatus) { s.RevocationTime = new(metav1.NewMicroTime(start)) }
	expired := func(s *v1alpha1.OAuthGrantStatus) { s.TokenExpirationTime = new(metav1.NewMicroTime(start)) }

	It("deletes it, and says how many grants end with it", func() {
		c := created("--account=" + newAccount())
		for range 2 {
			granted("api-key:" + c.ID)
		}
		granted("api-key:"+c.ID, revoked)
		granted("api-key:"+c.ID, expired)
		granted("mara@acme.example")
		got := pressroom("keys", "revoke", c.ID)
		Expect(got.err).NotTo(HaveOccurred())
		Expect(got.out).To(And(ContainSubstring("2 grants were given with it"), ContainSubstring("has ended")))
		_, err := stored(c.ID)
		Expect(apierrors.IsNotFound(err)).To(BeTrue(), "%v", err)
	})

	It("keeps the grants with --keep-grants: the key expires now, and says so, and can be revoked for good later", func() {
		c := created("--account="+newAccount(), "--expires-in=720h")
		granted("api-key:" + c.ID)
		for range 2 {
			got := pressroom("keys", "revoke", "--keep-grants", c.Reveal())
			Expect(got.err).NotTo(HaveOccurred())
			Expect(got.out).To(And(ContainSubstring("1 grant was given with it and kept"), ContainSubstring("pressroom keys revoke "+c.ID)))
			key, err := stored(c.ID)
			Expect(err).NotTo(HaveOccurred())
			Expect(key.Spec.ExpirationTime.Time).To(BeTemporally("==", start))
		}
		Expect(pressroom("keys", "revoke", c.ID).out).To(ContainSubstring("1 grant was given with it: that access has ended"))
		_, err := stored(c.ID)
		Expect(apierrors.IsNotFound(err)).To(BeTrue(), "%v", err)
		Expect(pressroom("keys", "revoke", "--keep-grants", c.ID).err).To(MatchError(ContainSubstring("no API key " + c.ID)))
	})

	It("says that nothing was granted with it", func() {
		Expect(pressroom("keys", "revoke", created("--account="+newAccount()).ID).out).To(ContainSubstring("No access of an app"))
	})
})
