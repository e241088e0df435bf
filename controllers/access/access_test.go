package access_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

func (t *tenant) readGrant(g *v1alpha1.OAuthGrant) *v1alpha1.OAuthGrant {
	GinkgoHelper()
	out := &v1alpha1.OAuthGrant{}
	Expect(api.Get(t.Ctx, client.ObjectKeyFromObject(g), out)).To(Succeed())
	return out
}

var _ = Describe("A grant whose giver could not give it any more", func() {
	var (
		t   *tenant
		app *v1alpha1.OAuthClient
	)
	BeforeEach(func() {
		t = newTenant()
		t.SetMembers(Mara)
		app = t.NewOAuthClient("tool")
	})

	It("is revoked with the API key that it was given with, and says so until it is removed", func() {
		key := t.NewAPIKey()
		g := t.NewGrant(app, func(g *v1alpha1.OAuthGrant) { g.Spec.Person = "api-key:" + key.Name })
		t.redeem(g)
		Expect(t.Verdict(t.OAuthGrants, g)).To(Equal("True/Valid"))
		Expect(api.Delete(t.Ctx, key)).To(Succeed())
		for range 2 {
			Expect(t.Verdict(t.OAuthGrants, g)).To(Equal("False/KeyRevoked"))
			Expect(t.readGrant(g).Status.RevocationTime.UTC()).To(Equal(t.Clock.Now().UTC()))
		}
		key.ResourceVersion, key.UID = "", ""
		Expect(api.Create(t.Ctx, key)).To(Succeed())
		Expect(t.Verdict(t.OAuthGrants, g)).To(Equal("False/KeyRevoked"), "it does not come back with the manifest of the key")
		t.Clock.Step(time.Hour)
		Expect(t.Verdict(t.OAuthGrants, g)).To(Equal("gone"))
	})

	It("outlives the key's expiry", func() {
		key := t.NewAPIKey()
		g := t.NewGrant(app, func(g *v1alpha1.OAuthGrant) { g.Spec.Person = "api-key:" + key.Name })
		t.redeem(g)
		key.Spec.ExpirationTime = &v1alpha1.Time{Time: t.Clock.Now().Add(-time.Hour)}
		Expect(api.Update(t.Ctx, key)).To(Succeed())
		Expect(t.Verdict(t.OAuthGrants, g)).To(Equal("True/Valid"))
	})

	It("is revoked with the membership", func() {
		g := t.NewGrant(app)
		t.redeem(g)
		Expect(t.Verdict(t.OAuthGrants, g)).To(Equal("True/Valid"))
		t.SetMembers("other@acme.example")
		Expect(t.Verdict(t.OAuthGrants, g)).To(Equal("False/MembershipEnded"))
		t.SetMembers(Mara)
		Expect(t.Verdict(t.OAuthGrants, g)).To(Equal("False/MembershipEnded"))
	})

	It("is revoked with the account, and does not come back with another one of its name", func() {
		g := t.NewGrant(app)
		t.redeem(g)
		Expect(t.Verdict(t.OAuthGrants, g)).To(Equal("True/Valid"))
		t.ReplaceAccount()
		Expect(t.Verdict(t.OAuthGrants, g)).To(Equal("False/AccountNotFound"))
		Expect(t.readGrant(g).Status.RevocationTime).NotTo(BeNil())
	})
})

var _ = Describe("An account that is made again under the name of an earlier one", func() {
	It("is not the account of the earlier one's keys and apps", func() {
		t := newTenant()
		key, app := t.NewAPIKey(), t.NewOAuthClient("tool")
		Expect(t.Verdict(t.APIKeys, key)).To(Equal("True/Valid"))
		Expect(t.Verdict(t.OAuthClients, app)).To(Equal("True/Valid"))
		Expect(key.Status.AccountUID).To(Equal(string(t.GetAccount().UID)))
		t.ReplaceAccount()
		Expect(t.Verdict(t.APIKeys, key)).To(Equal("False/AccountNotFound"))
		Expect(t.Verdict(t.OAuthClients, app)).To(Equal("False/AccountNotFound"))
		Expect(t.Verdict(t.APIKeys, t.NewAPIKey())).To(Equal("True/Valid"))
	})
})

var _ = Describe("A suspended OAuth client", func() {
	It("says so", func() {
		t := newTenant()
		app := t.NewOAuthClient("tool")
		app.Spec.Suspend = true
		Expect(api.Update(t.Ctx, app)).To(Succeed())
		Expect(t.Verdict(t.OAuthClients, app)).To(Equal("False/Suspended"))
	})
})

var _ = Describe("An event subscription of an app", func() {
	var (
		t   *tenant
		app *v1alpha1.OAuthClient
	)
	writes := func(g *v1alpha1.OAuthGrant) { g.Spec.Scopes = []v1alpha1.Scope{v1alpha1.ScopeWrite} }
	BeforeEach(func() {
		t = newTenant()
		t.SetMembers(Mara)
		app = t.NewOAuthClient("tool")
	})
	// access reconciles a subscription and returns the grant that it stands on, or "gone".
	access := func(name string) string {
		GinkgoHelper()
		_, err := t.SubscriptionAccess.Reconcile(t.Ctx, Request(client.ObjectKey{Namespace: t.Namespace, Name: name}))
		Expect(err).NotTo(HaveOccurred())
		s := &v1alpha1.EventSubscription{}
		err = api.Get(t.Ctx, client.ObjectKey{Namespace: t.Namespace, Name: name}, s)
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
		g := t.NewGrant(app, writes)
		t.redeem(g)
		t.Subscribe("theirs", by(g))
		t.Subscribe("own")
		Expect(access("theirs")).To(Equal(g.Name))
		end(t.readGrant(g))
		Expect(access("theirs")).To(Equal("gone"))
		Expect(access("own")).To(BeEmpty(), "it was not made by an app")
	},
		Entry("when the grant is deleted", func(g *v1alpha1.OAuthGrant) { Expect(api.Delete(t.Ctx, g)).To(Succeed()) }),
		Entry("when the grant is revoked", func(g *v1alpha1.OAuthGrant) {
			g.Status.RevocationTime = new(v1alpha1.NewMicroTime(t.Clock.Now()))
			Expect(api.Status().Update(t.Ctx, g)).To(Succeed())
		}),
		Entry("when the token expires", func(g *v1alpha1.OAuthGrant) { t.Clock.SetTime(g.Status.TokenExpirationTime.Time) }),
		Entry("when the person is no member any more", func(g *v1alpha1.OAuthGrant) {
			t.SetMembers()
			Expect(t.Verdict(t.OAuthGrants, g)).To(Equal("False/MembershipEnded"))
		}),
	)

	It("goes on with the access that the same person has given the app again", func() {
		first, second := t.NewGrant(app, writes), t.NewGrant(app, writes)
		readOnly, elsewhere := t.NewGrant(app), t.NewGrant(app, writes, func(g *v1alpha1.OAuthGrant) { g.Spec.Workspaces = []string{"other"} })
		others := t.NewGrant(app, writes, func(g *v1alpha1.OAuthGrant) { g.Spec.Person = "rob@acme.example" })
		t.redeem(first)
		t.Clock.Step(300 * 24 * time.Hour)
		for _, g := range []*v1alpha1.OAuthGrant{second, readOnly, elsewhere, others} {
			t.redeem(g)
		}
		t.Subscribe("theirs", by(first))
		t.Clock.SetTime(t.readGrant(first).Status.TokenExpirationTime.Time)
		Expect(access("theirs")).To(Equal(second.Name))
		Expect(api.Delete(t.Ctx, second)).To(Succeed())
		Expect(access("theirs")).To(Equal("gone"))
	})
})
