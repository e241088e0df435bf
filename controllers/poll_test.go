package controllers_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Secrets are not watched: each look at one is a request.
var _ = Describe("What names a Secret is looked at again", func() {
	var w *world

	BeforeEach(func() { w = newWorld() })

	again := func(r reconcile.Reconciler, name string) time.Duration {
		GinkgoHelper()
		result, err := r.Reconcile(w.ctx, request(client.ObjectKey{Namespace: w.namespace, Name: name}))
		Expect(err).NotTo(HaveOccurred())
		return result.RequeueAfter
	}
	// random has the reconcilers draw this number.
	random := func(n float64) {
		w.Sites.Random = func() float64 { return n }
		w.Subscriptions.Random = func() float64 { return n }
	}

	It("soon while it is missing, seldom and not all at once while it is there, of a site", func() {
		w.createSite(public)
		Expect(again(w.Sites, "acme")).To(Equal(10 * time.Minute))
		random(0)
		Expect(again(w.Sites, "acme")).To(Equal(9 * time.Minute))
		w.deleteSecret("webhook")
		Expect(again(w.Sites, "acme")).To(Equal(30 * time.Second))
		Expect(again(w.Sites, "acme")).To(Equal(30 * time.Second))
		w.createSecret()
		random(0.5)
		Expect(again(w.Sites, "acme")).To(Equal(10 * time.Minute))
	})

	It("soon while it is missing or no secret, seldom and not all at once while it is there, of a subscription", func() {
		w.subscribe("hook")
		Expect(again(w.Subscriptions, "hook")).To(Equal(10 * time.Minute))
		random(0)
		Expect(again(w.Subscriptions, "hook")).To(Equal(9 * time.Minute))
		w.deleteSecret("hook")
		Expect(again(w.Subscriptions, "hook")).To(Equal(30 * time.Second))
		w.createEventSecret("hook", "whsec_too-short")
		Expect(again(w.Subscriptions, "hook")).To(Equal(30 * time.Second))
	})

	It("not at all where none is named", func() {
		w.createSite(func(s *v1alpha1.Site) { s.Spec.CMS = v1alpha1.SiteCMS{Type: v1alpha1.CMSNone} })
		Expect(again(w.Sites, "acme")).To(BeZero())
	})
})
