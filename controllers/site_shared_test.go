package controllers_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("A site whose URL another site has", func() {
	shared := func(w *world) *metav1.Condition {
		GinkgoHelper()
		w.reconcileSite()
		return meta.FindStatusCondition(w.acme().Status.Conditions, v1alpha1.ConditionDestinationShared)
	}

	at := func(w *world) func(*v1alpha1.Site) {
		return func(s *v1alpha1.Site) { s.Spec.CMS.Headless.URL = "https://" + w.namespace + ".example/articles" }
	}

	It("says so as long as that is true, and names sites of its own workspace alone", func() {
		w, other := newWorld(), newWorld()
		w.createSite(at(w))
		Expect(shared(w)).To(BeNil())
		elsewhere := other.createSite(at(w))
		Expect(shared(w)).To(And(HaveField("Status", metav1.ConditionTrue), HaveField("Reason", v1alpha1.ReasonSameURL)))
		Expect(shared(w).Message).To(And(ContainSubstring("another workspace"), Not(ContainSubstring(other.namespace))))
		Expect(api.Delete(w.ctx, elsewhere)).To(Succeed())
		Expect(shared(w)).To(BeNil())
		w.createSite(at(w), func(s *v1alpha1.Site) { s.Name = "acme-html" })
		Expect(shared(w).Message).To(ContainSubstring(`"acme-html"`))
	})

	It("says nothing if both are pulled", func() {
		w := newWorld()
		pulled := func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} }
		w.createSite(pulled)
		w.createSite(pulled, func(s *v1alpha1.Site) { s.Name = "other" })
		Expect(shared(w)).To(BeNil())
	})
})
