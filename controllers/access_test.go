package controllers_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// newKey creates an API key of the world's account.
func (w *world) newKey(name string) *v1alpha1.APIKey {
	GinkgoHelper()
	key := &v1alpha1.APIKey{
		ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: name},
		Spec: v1alpha1.APIKeySpec{
			AccountRef: v1alpha1.AccountReference{Name: w.account}, SecretHash: strings.Repeat("0", 64), Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead},
		},
	}
	Expect(api.Create(w.ctx, key)).To(Succeed())
	return key
}

// setMembers changes who is a member of the world's account.
func (w *world) setMembers(emails ...string) {
	GinkgoHelper()
	account := w.getAccount()
	account.Spec.Members = nil
	for _, email := range emails {
		account.Spec.Members = append(account.Spec.Members, v1alpha1.AccountMember{Email: email, Scopes: []v1alpha1.Scope{v1alpha1.ScopeRead}})
	}
	Expect(api.Update(w.ctx, account)).To(Succeed())
}

// replaceAccount deletes the world's account and makes another one of its name.
func (w *world) replaceAccount() {
	GinkgoHelper()
	account := w.getAccount()
	Expect(api.Delete(w.ctx, account)).To(Succeed())
	account.ResourceVersion, account.UID = "", ""
	Expect(api.Create(w.ctx, account)).To(Succeed())
}

// verdict reconciles and returns the condition Ready, or "gone".
func (w *world) verdict(r reconcile.Reconciler, obj interface {
	client.Object
	GetConditions() []metav1.Condition
}) string {
	GinkgoHelper()
	got, _ := w.readiness(r, obj)
	return got
}

func (w *world) readGrant(g *v1alpha1.OAuthGrant) *v1alpha1.OAuthGrant {
	GinkgoHelper()
	out := &v1alpha1.OAuthGrant{}
	Expect(api.Get(w.ctx, client.ObjectKeyFromObject(g), out)).To(Succeed())
	return out
}

var _ = Describe("A grant whose giver could not give it any more", func() {
	var (
		w   *world
		app *v1alpha1.OAuthClient
	)
	BeforeEach(func() {
		w = newWorld()
		w.setMembers(mara)
		app = w.newApp("tool")
	})

	It("is revoked with the API key that it was given with, and says so until it is removed", func() {
		key := w.newKey("abcdefgh23456723")
		g := w.newGrant(app, func(g *v1alpha1.OAuthGrant) { g.Spec.Person = "api-key:" + key.Name })
		w.redeem(g)
		Expect(w.verdict(w.OAuthGrants, g)).To(Equal("True/Valid"))
		Expect(api.Delete(w.ctx, key)).To(Succeed())
		for range 2 {
			Expect(w.verdict(w.OAuthGrants, g)).To(Equal("False/KeyRevoked"))
			Expect(w.readGrant(g).Status.RevocationTime.UTC()).To(Equal(w.clock.Now().UTC()))
		}
		w.newKey(key.Name)
		Expect(w.verdict(w.OAuthGrants, g)).To(Equal("False/KeyRevoked"), "it does not come back with the manifest of the key")
		w.clock.Step(time.Hour)
		Expect(w.verdict(w.OAuthGrants, g)).To(Equal("gone"))
	})

	It("outlives the key's expiry", func() {
		key := w.newKey("abcdefgh23456724")
		g := w.newGrant(app, func(g *v1alpha1.OAuthGrant) { g.Spec.Person = "api-key:" + key.Name })
		w.redeem(g)
		key.Spec.ExpirationTime = &metav1.Time{Time: w.clock.Now().Add(-time.Hour)}
		Expect(api.Update(w.ctx, key)).To(Succeed())
		Expect(w.verdict(w.OAuthGrants, g)).To(Equal("True/Valid"))
	})

	It("is revoked with the membership", func() {
		g := w.newGrant(app)
		w.redeem(g)
		Expect(w.verdict(w.OAuthGrants, g)).To(Equal("True/Valid"))
		w.setMembers("other@acme.example")
		Expect(w.verdict(w.OAuthGrants, g)).To(Equal("False/MembershipEnded"))
		w.setMembers(mara)
		Expect(w.verdict(w.OAuthGrants, g)).To(Equal("False/MembershipEnded"))
	})

	It("is revoked with the account, and does not come back with another one of its name", func() {
		g := w.newGrant(app)
		w.redeem(g)
		Expect(w.verdict(w.OAuthGrants, g)).To(Equal("True/Valid"))
		w.replaceAccount()
		Expect(w.verdict(w.OAuthGrants, g)).To(Equal("False/AccountNotFound"))
		Expect(w.readGrant(g).Status.RevocationTime).NotTo(BeNil())
	})
})

var _ = Describe("An account that is made anew under the name of an earlier one", func() {
	It("is not the account of the earlier one's keys and apps", func() {
		w := newWorld()
		key, app := w.newKey("abcdefgh23456725"), w.newApp("tool")
		Expect(w.verdict(w.APIKeys, key)).To(Equal("True/Valid"))
		Expect(w.verdict(w.OAuthClients, app)).To(Equal("True/Valid"))
		Expect(key.Status.AccountUID).To(Equal(string(w.getAccount().UID)))
		w.replaceAccount()
		Expect(w.verdict(w.APIKeys, key)).To(Equal("False/AccountNotFound"))
		Expect(w.verdict(w.OAuthClients, app)).To(Equal("False/AccountNotFound"))
		Expect(w.verdict(w.APIKeys, w.newKey("abcdefgh23456726"))).To(Equal("True/Valid"))
	})
})

var _ = Describe("A suspended OAuth client", func() {
	It("says so", func() {
		w := newWorld()
		app := w.newApp("tool")
		app.Spec.Suspend = true
		Expect(api.Update(w.ctx, app)).To(Succeed())
		Expect(w.verdict(w.OAuthClients, app)).To(Equal("False/Suspended"))
	})
})

var _ = Describe("An event subscription of an app", func() {
	var (
		w   *world
		app *v1alpha1.OAuthClient
	)
	writes := func(g *v1alpha1.OAuthGrant) { g.Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeWrite} }
	BeforeEach(func() {
		w = newWorld()
		w.setMembers(mara)
		app = w.newApp("tool")
	})
	// access reconciles a subscription and returns the grant that it stands on, or "gone".
	access := func(name string) string {
		GinkgoHelper()
		_, err := w.Access.Reconcile(w.ctx, request(client.ObjectKey{Namespace: w.namespace, Name: name}))
		Expect(err).NotTo(HaveOccurred())
		s := &v1alpha1.EventSubscription{}
		err = api.Get(w.ctx, client.ObjectKey{Namespace: w.namespace, Name: name}, s)
		if apierrors.IsNotFound(err) {
			return "gone"
		}
		Expect(err).NotTo(HaveOccurred())
		return s.Labels[v1alpha1.GrantLabel]
	}
	by := func(g *v1alpha1.OAuthGrant) func(*v1alpha1.EventSubscription) {
		return func(s *v1alpha1.EventSubscription) {
			s.Labels = map[string]string{v1alpha1.GrantLabel: g.Name, v1alpha1.ClientLabel: app.Name}
		}
	}

	DescribeTable("ends with the app's access", func(end func(*v1alpha1.OAuthGrant)) {
		g := w.newGrant(app, writes)
		w.redeem(g)
		w.subscribe("theirs", by(g))
		w.subscribe("own")
		Expect(access("theirs")).To(Equal(g.Name))
		end(w.readGrant(g))
		Expect(access("theirs")).To(Equal("gone"))
		Expect(access("own")).To(BeEmpty(), "it was not made by an app")
	},
		Entry("when the grant is deleted", func(g *v1alpha1.OAuthGrant) { Expect(api.Delete(w.ctx, g)).To(Succeed()) }),
		Entry("when the grant is revoked", func(g *v1alpha1.OAuthGrant) {
			g.Status.RevocationTime = new(metav1.NewMicroTime(w.clock.Now()))
			Expect(api.Status().Update(w.ctx, g)).To(Succeed())
		}),
		Entry("when the token expires", func(g *v1alpha1.OAuthGrant) { w.clock.SetTime(g.Status.TokenExpirationTime.Time) }),
		Entry("when the person is no member any more", func(g *v1alpha1.OAuthGrant) {
			w.setMembers()
			Expect(w.verdict(w.OAuthGrants, g)).To(Equal("False/MembershipEnded"))
		}),
	)

	It("goes on with the access that the same person has given the app anew", func() {
		first, second := w.newGrant(app, writes), w.newGrant(app, writes)
		readOnly, elsewhere := w.newGrant(app), w.newGrant(app, writes, func(g *v1alpha1.OAuthGrant) { g.Spec.Workspaces = []string{"other"} })
		others := w.newGrant(app, writes, func(g *v1alpha1.OAuthGrant) { g.Spec.Person = "rob@acme.example" })
		w.redeem(first)
		w.clock.Step(300 * 24 * time.Hour)
		for _, g := range []*v1alpha1.OAuthGrant{second, readOnly, elsewhere, others} {
			w.redeem(g)
		}
		w.subscribe("theirs", by(first))
		w.clock.SetTime(w.readGrant(first).Status.TokenExpirationTime.Time)
		Expect(access("theirs")).To(Equal(second.Name))
		Expect(api.Delete(w.ctx, second)).To(Succeed())
		Expect(access("theirs")).To(Equal("gone"))
	})
})
