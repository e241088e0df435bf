package dashboard_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// No controller runs here, as during its roll-out: nothing is deleted that does not stand.
var _ = Describe("The session of an API key", func() {
	signedOut := func(t *dashboardtest.Tenant, p *dashboardtest.Person) func() bool {
		return func() bool { return p.Get(t.In("articles")).Text("h1") == "Sign in" }
	}

	It("ends with the key that made its key", func() {
		t := facades.NewTenant("Acme")
		leaked, _ := testkit.NewAPIKey(t.Account, v1alpha1.ScopeRead, v1alpha1.ScopeManage)
		t.Create(leaked)
		second, key := testkit.NewAPIKey(t.Account, v1alpha1.ScopeRead)
		second.Spec.CreatedByRef = &v1alpha1.CreatorReference{Kind: v1alpha1.CreatorAPIKey, Name: leaked.Name}
		t.Create(second)
		p := t.SignInWith(key)
		Expect(signedOut(t, p)()).To(BeFalse())
		Expect(t.API.Delete(GinkgoT().Context(), leaked)).To(Succeed())
		Eventually(signedOut(t, p)).WithTimeout(2 * time.Second).Should(BeTrue())
	})

	It("does not come back with another key of the same id", func() {
		t := facades.NewTenant("Acme")
		first, key := testkit.NewAPIKey(t.Account, v1alpha1.ScopeRead)
		t.Create(first)
		p := t.SignInWith(key)
		Expect(signedOut(t, p)()).To(BeFalse())
		Expect(t.API.Delete(GinkgoT().Context(), first)).To(Succeed())
		Expect(signedOut(t, p)()).To(BeTrue())
		again, _ := testkit.NewAPIKey(t.Account, v1alpha1.ScopeRead)
		again.Name = first.Name
		t.Create(again)
		Expect(signedOut(t, p)()).To(BeTrue())
	})
})
