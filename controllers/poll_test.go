package controllers_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// Secrets are not watched: each look at one is a request.
var _ = Describe("What names a Secret is looked at again", func() {
	var t *tenant

	BeforeEach(func() { t = newTenant() })

	again := func(r reconcile.Reconciler, name string) time.Duration {
		GinkgoHelper()
		result, err := r.Reconcile(t.Ctx, Request(client.ObjectKey{Namespace: t.Namespace, Name: name}))
		Expect(err).NotTo(HaveOccurred())
		return result.RequeueAfter
	}
	// random has the reconcilers draw this number.
	random := func(n float64) {
		t.Sites.Random = func() float64 { return n }
		t.EventSubscriptions.Random = func() float64 { return n }
	}

	It("soon while it is missing, seldom and not all at once while it is there, of a site", func() {
		t.CreateSite(WithPublicURL)
		Expect(again(t.Sites, "acme")).To(Equal(10 * time.Minute))
		random(0)
		Expect(again(t.Sites, "acme")).To(Equal(9 * time.Minute))
		t.deleteSecret("webhook")
		Expect(again(t.Sites, "acme")).To(Equal(30 * time.Second))
		Expect(again(t.Sites, "acme")).To(Equal(30 * time.Second))
		t.CreateSecret()
		random(0.5)
		Expect(again(t.Sites, "acme")).To(Equal(10 * time.Minute))
	})

	It("soon while it is missing or no secret, seldom and not all at once while it is there, of a subscription", func() {
		t.Subscribe("hook")
		Expect(again(t.EventSubscriptions, "hook")).To(Equal(10 * time.Minute))
		random(0)
		Expect(again(t.EventSubscriptions, "hook")).To(Equal(9 * time.Minute))
		t.deleteSecret("hook")
		Expect(again(t.EventSubscriptions, "hook")).To(Equal(30 * time.Second))
		t.CreateEventSecret("hook", "whsec_too-short")
		Expect(again(t.EventSubscriptions, "hook")).To(Equal(30 * time.Second))
	})

	It("not at all where none is named", func() {
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		Expect(again(t.Sites, "acme")).To(BeZero())
	})
})
