package controllertest

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// EditSite changes the site acme.
func (t *Tenant) EditSite(change func(*v1alpha1.Site)) {
	GinkgoHelper()
	site := t.GetSite()
	old := site.DeepCopy()
	change(site)
	Expect(t.API.Patch(t.Ctx, site, client.MergeFrom(old))).To(Succeed())
}

// GetSite reads the site acme.
func (t *Tenant) GetSite() *v1alpha1.Site {
	GinkgoHelper()
	site := &v1alpha1.Site{}
	Expect(t.API.Get(t.Ctx, client.ObjectKey{Namespace: t.Namespace, Name: "acme"}, site)).To(Succeed())
	return site
}

// RequestTest asks for a test of the site's connection.
func (t *Tenant) RequestTest(nonce string) {
	GinkgoHelper()
	t.EditSite(func(s *v1alpha1.Site) { s.Annotations[v1alpha1.TestConnectionAnnotation] = nonce })
}

// ReconcileSite reconciles the site acme once.
func (t *Tenant) ReconcileSite() {
	GinkgoHelper()
	_, err := t.Sites.Reconcile(t.Ctx, Request(client.ObjectKey{Namespace: t.Namespace, Name: "acme"}))
	Expect(err).NotTo(HaveOccurred())
}

// ReconcileSiteUntilStable reconciles the site until nothing changes and no test is under way.
func (t *Tenant) ReconcileSiteUntilStable() {
	GinkgoHelper()
	for range 20 {
		before := t.GetSite().ResourceVersion
		t.ReconcileSite()
		switch after := t.GetSite(); {
		case after.ResourceVersion != before:
		case t.Sites.Engine.Calls.Len() > 0:
			<-t.Notified
		case after.Status.ConnectionTest != nil && after.Status.ConnectionTest.Outcome == v1alpha1.AttemptInProgress:
		default:
			return
		}
	}
	Fail("the site does not become stable")
}

// WithPublicURL sends a site's articles to a public address.
func WithPublicURL(s *v1alpha1.Site) { s.Spec.CMS.Headless.URL = "https://hooks.acme.example/articles" }
