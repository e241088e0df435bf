package site_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("A site whose URL another site has", func() {
	shared := func(t *tenant) *metav1.Condition {
		GinkgoHelper()
		t.ReconcileSite()
		return meta.FindStatusCondition(t.GetSite().Status.Conditions, v1alpha1.ConditionDestinationShared)
	}

	at := func(t *tenant) func(*v1alpha1.Site) {
		return func(s *v1alpha1.Site) { s.Spec.CMS.Headless.URL = "https://" + t.Namespace + ".example/articles" }
	}

	It("says so as long as that is true, and names sites of its own workspace alone", func() {
		t, other := newTenant(), newTenant()
		t.CreateSite(at(t))
		Expect(shared(t)).To(BeNil())
		elsewhere := other.CreateSite(at(t))
		Expect(shared(t)).To(And(HaveField("Status", metav1.ConditionTrue), HaveField("Reason", v1alpha1.ReasonSameURL)))
		Expect(shared(t).Message).To(And(ContainSubstring("another workspace"), Not(ContainSubstring(other.Namespace))))
		Expect(api.Delete(t.Ctx, elsewhere)).To(Succeed())
		Expect(shared(t)).To(BeNil())
		t.CreateSite(at(t), func(s *v1alpha1.Site) { s.Name = "acme-html" })
		Expect(shared(t).Message).To(ContainSubstring(`"acme-html"`))
	})

	It("says nothing if both are pulled", func() {
		t := newTenant()
		pulled := func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} }
		t.CreateSite(pulled)
		t.CreateSite(pulled, func(s *v1alpha1.Site) { s.Name = "other" })
		Expect(shared(t)).To(BeNil())
	})
})
