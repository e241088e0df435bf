package site_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/test/connectortest"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// withoutSecrets has an entry for each type of CMS: a Site whose Secret does not exist.
func withoutSecrets() (entries []TableEntry) {
	for _, form := range connectors.Forms() {
		if form.Type != v1alpha1.CMSNone {
			entries = append(entries, Entry(string(form.Type)+" without its Secret", "False/SecretNotFound", func(s *v1alpha1.Site) {
				s.Spec.CMS = connectortest.Example(form, "cms")
			}))
		}
	}
	return entries
}

var _ = Describe("The site controller", func() {
	ready := func(t *tenant) string {
		GinkgoHelper()
		t.ReconcileSite()
		site := t.GetSite()
		Expect(site.Status.ObservedGeneration).To(Equal(site.Generation))
		return ConditionOf(site.Status.Conditions, v1alpha1.ConditionReady)
	}

	DescribeTable("says whether a site can be published to", func(want string, change func(*v1alpha1.Site)) {
		t := newTenant()
		t.CreateSite(WithPublicURL, change)
		Expect(ready(t)).To(Equal(want))
		connected := ConditionOf(t.GetSite().Status.Conditions, v1alpha1.ConditionConnected)
		if want == "True/Configured" {
			want = "Unknown/NotTested"
		}
		Expect(connected).To(Equal(want))
	},
		Entry("a webhook with its secret", "True/Configured", func(*v1alpha1.Site) {}),
		Entry("a webhook on a forbidden address", "False/AddressBlocked", func(s *v1alpha1.Site) { s.Spec.CMS.Headless.URL = "http://169.254.169.254/latest" }),
		Entry("a webhook on a cluster's name", "False/AddressBlocked", func(s *v1alpha1.Site) { s.Spec.CMS.Headless.URL = "http://api.default.svc/hook" }),
		Entry("a webhook whose secret has no such key", "False/SecretNotFound", func(s *v1alpha1.Site) { s.Spec.CMS.Headless.SigningSecretRef.Key = "other" }),
		Entry("a site that pulls", "True/Pulled", func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} }),
		withoutSecrets(),
	)

	It("says what is wrong with a URL", func() {
		t := newTenant()
		t.CreateSite(WithPublicURL, func(s *v1alpha1.Site) { s.Spec.CMS.Headless.URL = "http://10.1.2.3/hook" })
		ready(t)
		Expect(meta.FindStatusCondition(t.GetSite().Status.Conditions, v1alpha1.ConditionReady).Message).
			To(Equal("the webhook's URL is blocked: the address is not public"))
	})

	It("notices a secret that goes and comes", func() {
		t := newTenant()
		t.CreateSite(WithPublicURL)
		Expect(ready(t)).To(Equal("True/Configured"))
		Expect(api.Delete(t.Ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "webhook"}})).To(Succeed())
		Expect(ready(t)).To(Equal("False/SecretNotFound"))
		t.CreateSecret()
		Expect(ready(t)).To(Equal("True/Configured"))
	})

	It("writes nothing if nothing has changed", func() {
		t := newTenant()
		t.CreateSite(WithPublicURL)
		ready(t)
		t.Client.Writes()
		ready(t)
		Expect(t.Client.Writes()).To(BeEmpty())
	})
})
