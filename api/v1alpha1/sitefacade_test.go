package v1alpha1_test

import (
	"context"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	api "github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("The REST facade's right to patch sites", func() {
	patchAs := func(ctx context.Context, user string, change func(*api.Site)) error {
		GinkgoHelper()
		site := newSite(workspace)
		site.Annotations, site.Labels = map[string]string{"team": "blog"}, map[string]string{"team": "blog"}
		Expect(admin.Create(ctx, site)).To(Succeed())
		old := site.DeepCopy()
		change(site)
		return as(user).Patch(ctx, site, client.MergeFrom(old))
	}

	It("is enough to ask for a test of the connection", func(ctx SpecContext) {
		ask := func(s *api.Site) { s.Annotations[api.TestConnectionAnnotation] = "nonce" }
		Expect(patchAs(ctx, facade, ask)).To(Succeed())
	})

	DescribeTable("is not enough to change",
		func(ctx SpecContext, change func(*api.Site)) {
			// Kube-apiserver takes a policy up a moment after it was created.
			Eventually(func() error { return patchAs(ctx, facade, change) }).WithContext(ctx).
				Should(beForbidden("the REST facade may set no"))
			Expect(patchAs(ctx, siteWriter, change)).To(Succeed())
		},
		Entry("where articles go", func(s *api.Site) {
			s.Spec.CMS = api.SiteCMS{Type: api.CMSHeadless, Headless: &api.HeadlessConnection{
				URL: "https://evil.example/hook", SigningSecretRef: api.SecretKeyReference{Name: "any", Key: "any"},
			}}
		}),
		Entry("a name", func(s *api.Site) { s.Spec.DisplayName = "Other" }),
		Entry("a label", func(s *api.Site) { s.Labels["team"] = "other" }),
		Entry("a new label", func(s *api.Site) { s.Labels["new"] = "label" }),
		Entry("another annotation", func(s *api.Site) { s.Annotations["team"] = "other" }),
		Entry("a new annotation", func(s *api.Site) { s.Annotations["new"] = "annotation" }),
		Entry("an annotation away", func(s *api.Site) { delete(s.Annotations, "team") }),
	)
})
