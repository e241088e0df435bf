package main

import (
	"context"
	"crypto/rand"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/access"
	"github.com/pressroom-dev/pressroom/internal/credential"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// grantedIn makes a grant in an account, whose token works from the time of start, with changes to its status.
func grantedIn(account, person string, change ...func(*v1alpha1.OAuthGrantStatus)) {
	GinkgoHelper()
	g := &v1alpha1.OAuthGrant{Spec: v1alpha1.OAuthGrantSpec{
		ClientRef: v1alpha1.LocalReference{Name: "tool"}, AccountRef: v1alpha1.AccountReference{Name: account}, Person: person,
		Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}, RedirectURI: "https://tool.example/cb", CodeHash: strings.Repeat("0", 64),
		ExpirationTime: v1alpha1.NewMicroTime(start.Add(10 * time.Minute)),
	}}
	g.Name = testkit.NewCredential(credential.AccessToken).ID
	Expect(api.Create(context.Background(), g)).To(Succeed())
	g.Status.RedemptionTime, g.Status.TokenExpirationTime = new(v1alpha1.NewMicroTime(start)), new(v1alpha1.NewMicroTime(start.Add(time.Hour)))
	for _, f := range change {
		f(&g.Status)
	}
	Expect(api.Status().Update(context.Background(), g)).To(Succeed())
}

var _ = Describe("keys revoke of a key that apps were let in with", func() {
	revoked := func(s *v1alpha1.OAuthGrantStatus) { s.RevocationTime = new(v1alpha1.NewMicroTime(start)) }
	expired := func(s *v1alpha1.OAuthGrantStatus) { s.TokenExpirationTime = new(v1alpha1.NewMicroTime(start)) }

	// made has an account with a key, and what was made with that: a key, with which an app was let in, and an event subscription.
	made := func() (first, second credential.Credential) {
		account := newAccount()
		first = created("--account="+account, "--expires-in=720h")
		by := &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: first.ID}
		key, _, err := access.NewKey(credential.DefaultCell, "", v1alpha1.APIKeySpec{
			AccountRef: v1alpha1.AccountReference{Name: account}, DisplayName: "second", Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}, CreatedByRef: by,
		}, rand.Reader)
		Expect(err).NotTo(HaveOccurred())
		Expect(api.Create(context.Background(), key)).To(Succeed())
		Expect(api.Create(context.Background(), testkit.NewWorkspace(account+"-blog", account))).To(Succeed())
		s := &v1alpha1.EventSubscription{Spec: v1alpha1.EventSubscriptionSpec{
			URL: "https://tool.example/events", Events: []v1alpha1.EventSelector{v1alpha1.SelectAll}, CreatedByRef: by,
			SigningSecretRef: v1alpha1.SecretKeyReference{Name: "s", Key: "secret"},
		}}
		s.Namespace, s.Name = account+"-blog", "theirs"
		Expect(api.Create(context.Background(), s)).To(Succeed())
		return first, credential.Credential{ID: key.Name}
	}

	It("deletes it, and lists what ends with it, also what was made with the keys that were made with it", func() {
		first, second := made()
		account, err := stored(first.ID)
		Expect(err).NotTo(HaveOccurred())
		for range 2 {
			grantedIn(account.Spec.AccountRef.Name, "api-key:"+second.ID)
		}
		grantedIn(account.Spec.AccountRef.Name, "api-key:"+first.ID, revoked)
		grantedIn(account.Spec.AccountRef.Name, "api-key:"+first.ID, expired)
		grantedIn(account.Spec.AccountRef.Name, "mara@acme.example")
		listed := And(ContainSubstring("API key "+second.ID), ContainSubstring(`"second"`), ContainSubstring("-blog/theirs"), ContainSubstring("2 grants"))
		Expect(pressroom("keys", "made", "--account", account.Spec.AccountRef.Name, first.ID).out).To(listed)
		got := pressroom("keys", "revoke", first.ID)
		Expect(got.err).NotTo(HaveOccurred())
		Expect(got.out).To(And(listed, ContainSubstring("ends within a second or two")))
		_, err = stored(first.ID)
		Expect(apierrors.IsNotFound(err)).To(BeTrue(), "%v", err)
	})

	It("keeps it with --keep-made: the key expires now, and says so, and can be revoked for good later", func() {
		c, second := made()
		for range 2 {
			got := pressroom("keys", "revoke", "--keep-made", c.Reveal())
			Expect(got.err).NotTo(HaveOccurred())
			Expect(got.out).To(And(ContainSubstring("goes on"), ContainSubstring(second.ID), ContainSubstring("pressroom keys revoke "+c.ID)))
			key, err := stored(c.ID)
			Expect(err).NotTo(HaveOccurred())
			Expect(key.Spec.ExpirationTime.Time).To(BeTemporally("==", start))
		}
		Expect(pressroom("keys", "revoke", c.ID).out).To(ContainSubstring(second.ID))
		_, err := stored(c.ID)
		Expect(apierrors.IsNotFound(err)).To(BeTrue(), "%v", err)
		Expect(pressroom("keys", "revoke", "--keep-made", c.ID).err).To(MatchError(ContainSubstring("no API key " + c.ID)))
	})

	It("says that nothing was made with it", func() {
		Expect(pressroom("keys", "revoke", created("--account="+newAccount()).ID).out).To(ContainSubstring("Nothing was made with it"))
	})
})

var _ = Describe("keys made by a member", func() {
	It("are listed, and end on request alone", func() {
		account := newAccount()
		by := &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorUser, Name: "gone@acme.example"}
		var ids []string
		for _, in := range []string{account, newAccount()} {
			key, _, err := access.NewKey(credential.DefaultCell, "", v1alpha1.APIKeySpec{
				AccountRef: v1alpha1.AccountReference{Name: in}, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}, CreatedByRef: by,
			}, rand.Reader)
			Expect(err).NotTo(HaveOccurred())
			Expect(api.Create(context.Background(), key)).To(Succeed())
			ids = append(ids, key.Name)
		}
		listed := pressroom("keys", "made", "--account", account, "Gone@acme.example")
		Expect(listed.err).NotTo(HaveOccurred())
		Expect(listed.out).To(And(ContainSubstring(ids[0]), Not(ContainSubstring(ids[1]))), "and not those of another account")
		_, err := stored(ids[0])
		Expect(err).NotTo(HaveOccurred())
		Expect(pressroom("keys", "made", "--account", account, "--end", "gone@acme.example").err).NotTo(HaveOccurred())
		_, err = stored(ids[0])
		Expect(apierrors.IsNotFound(err)).To(BeTrue(), "%v", err)
		_, err = stored(ids[1])
		Expect(err).NotTo(HaveOccurred())
	})
})
