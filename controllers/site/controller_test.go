package site_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/controllers/controllertest"
)

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
		Entry("WordPress without its credentials", "False/SecretNotFound", func(s *v1alpha1.Site) {
			s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSWordPress, WordPress: &v1alpha1.WordPressConnection{
				URL: "https://acme.example", CredentialsSecretRef: v1alpha1.LocalReference{Name: "cms"},
			}}
		}),
		Entry("Webflow without its Secret", "False/SecretNotFound", func(s *v1alpha1.Site) {
			s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSWebflow, Webflow: &v1alpha1.WebflowConnection{
				SiteID: "580e63e98c9a982ac9b8b741", CollectionID: "580e63fc8c9a982ac9b8b745",
				CredentialsSecretRef: v1alpha1.LocalReference{Name: "cms"}, Fields: v1alpha1.WebflowFields{Body: "post-body"},
			}}
		}),
		Entry("Shopify without its Secret", "False/SecretNotFound", func(s *v1alpha1.Site) {
			s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSShopify, Shopify: &v1alpha1.ShopifyConnection{
				Shop: "acme.myshopify.com", BlogID: "17", AuthorName: "Acme", CredentialsSecretRef: v1alpha1.LocalReference{Name: "cms"},
			}}
		}),
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
