package access_test

import (
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/access"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// redeem writes what the facade writes when the code is exchanged.
func (t *tenant) redeem(grant *v1alpha1.OAuthGrant) {
	GinkgoHelper()
	Expect(api.Get(t.Ctx, client.ObjectKeyFromObject(grant), grant)).To(Succeed())
	now := t.Clock.Now()
	grant.Status.RedemptionTime = new(v1alpha1.NewMicroTime(now))
	grant.Status.TokenHash = strings.Repeat("1", 64)
	grant.Status.TokenExpirationTime = new(v1alpha1.NewMicroTime(now.Add(365 * 24 * time.Hour)))
	Expect(api.Status().Update(t.Ctx, grant)).To(Succeed())
}

var _ = Describe("The OAuth client controller", func() {
	It("says whether an app may be used", func() {
		t := newTenant()
		reconciler, app := &access.OAuthClientReconciler{Base: t.Sites.Base}, t.NewOAuthClient("tool")
		got, _ := t.Readiness(reconciler, app)
		Expect(got).To(Equal("True/Valid"))
		Expect(api.Delete(t.Ctx, t.GetAccount())).To(Succeed())
		got, _ = t.Readiness(reconciler, app)
		Expect(got).To(Equal("False/AccountNotFound"))
	})
})

var _ = Describe("The OAuth grant controller", func() {
	var (
		t          *tenant
		reconciler *access.OAuthGrantReconciler
		app        *v1alpha1.OAuthClient
	)
	BeforeEach(func() {
		t = newTenant()
		t.SetMembers(Mara)
		reconciler, app = &access.OAuthGrantReconciler{Base: t.Sites.Base}, t.NewOAuthClient("tool")
	})

	It("removes a code that was never exchanged, an hour after its time", func() {
		grant := t.NewGrant(app)
		got, left := t.Readiness(reconciler, grant)
		Expect(got).To(Equal("False/AwaitingExchange"))
		Expect(left).To(Equal(10 * time.Minute))
		t.Clock.Step(left)
		got, left = t.Readiness(reconciler, grant)
		Expect(got).To(Equal("False/Expired"))
		Expect(left).To(Equal(time.Hour))
		t.Clock.Step(left)
		got, _ = t.Readiness(reconciler, grant)
		Expect(got).To(Equal("gone"))
	})

	It("keeps a token's grant for its year, and removes it an hour after", func() {
		grant := t.NewGrant(app)
		t.redeem(grant)
		got, left := t.Readiness(reconciler, grant)
		Expect(got).To(Equal("True/Valid"))
		Expect(left).To(Equal(365 * 24 * time.Hour))
		t.Clock.Step(left)
		got, left = t.Readiness(reconciler, grant)
		Expect(got).To(Equal("False/Expired"))
		Expect(left).To(Equal(time.Hour))
		t.Clock.Step(left)
		got, _ = t.Readiness(reconciler, grant)
		Expect(got).To(Equal("gone"))
	})

	It("removes what was revoked, an hour after", func() {
		grant := t.NewGrant(app)
		t.redeem(grant)
		grant.Status.RevocationTime = new(v1alpha1.NewMicroTime(t.Clock.Now()))
		Expect(api.Status().Update(t.Ctx, grant)).To(Succeed())
		got, left := t.Readiness(reconciler, grant)
		Expect(got).To(Equal("False/Revoked"))
		Expect(left).To(Equal(time.Hour))
		t.Clock.Step(left)
		got, _ = t.Readiness(reconciler, grant)
		Expect(got).To(Equal("gone"))
	})

	It("removes the grants of an app that is no more, even where another has its name", func() {
		one, two := t.NewGrant(app), t.NewGrant(app)
		Expect(api.Delete(t.Ctx, app)).To(Succeed())
		got, _ := t.Readiness(reconciler, one)
		Expect(got).To(Equal("gone"))
		t.NewOAuthClient("tool")
		got, _ = t.Readiness(reconciler, two)
		Expect(got).To(Equal("gone"))
	})

	It("revokes the grants of an account that is missing, and says so", func() {
		grant := t.NewGrant(app)
		t.redeem(grant)
		Expect(api.Delete(t.Ctx, t.GetAccount())).To(Succeed())
		got, _ := t.Readiness(reconciler, grant)
		Expect(got).To(Equal("False/AccountNotFound"))
	})
})
