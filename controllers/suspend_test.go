package controllers_test

import (
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// suspender begins and ends one kind of suspension.
type suspender struct {
	name    string
	suspend func(w *world, on bool)
}

func suspenders() []suspender {
	return []suspender{
		{"a Site", func(w *world, on bool) { w.site(func(s *v1alpha1.Site) { s.Spec.Suspend = on }) }},
		{"an Account", func(w *world, on bool) {
			account := w.readAccount()
			account.Spec.Suspend = on
			Expect(api.Update(w.ctx, account)).To(Succeed())
		}},
		{"an installation", func(w *world, on bool) {
			w.suspended = on
			w.restart()
		}},
	}
}

var _ = Describe("A suspension", func() {
	for _, s := range suspenders() {
		It("of "+s.name+" generates and sends nothing, says so, and goes on where it was", func() {
			w := newWorld()
			w.createSite()
			hook := w.subscribe("hook")
			w.reconcileSite()
			s.suspend(w, true)

			asked := w.createArticle("asked", withKeyword)
			due := w.createArticle("due", withText("Due", "Text."), approvedInManifest, toBePublished)
			for range 3 {
				a := w.reconcileUntilStable(asked)
				Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/Suspended"))
				Expect(reason(a, v1alpha1.ConditionReady)).To(Equal("True/Suspended"))
				a = w.reconcileUntilStable(due)
				Expect(a.Status.Revision).NotTo(BeNil(), "a text is taken in")
				Expect(reason(a, v1alpha1.ConditionPublished)).To(Equal("False/Suspended"))
				Expect(reason(a, v1alpha1.ConditionReady)).To(Equal("True/Suspended"))
				w.dispatchAndDeliver(due)
				w.clock.Step(time.Hour)
			}
			w.askTest("1")
			w.reconcileSiteUntilStable()
			Expect(w.acme().Status.ConnectionTest.Outcome).To(Equal(v1alpha1.AttemptNotSent))
			Expect(conditionOf(w.acme().Status.Conditions, v1alpha1.ConditionReady)).To(Equal("True/Suspended"))
			Expect(w.generator.Calls()).To(BeZero())
			Expect(w.usage().CreditsUsed).To(BeZero())
			Expect(w.receiver.Received()).To(BeEmpty())
			Expect(hook.Received()).To(BeEmpty())
			Expect(w.get(due).Status.Publication).To(BeNil())

			s.suspend(w, false)
			Expect(w.reconcileUntilStable(asked).Status.Phase).To(Equal(v1alpha1.PhaseReview))
			Expect(w.reconcileUntilStable(due).Status.Phase).To(Equal(v1alpha1.PhasePublished))
			w.clock.Step(time.Hour)
			w.dispatchAndDeliver(asked)
			w.dispatchAndDeliver(due)
			w.reconcileSiteUntilStable()
			Expect(conditionOf(w.acme().Status.Conditions, v1alpha1.ConditionReady)).To(Equal("True/Configured"))
			Expect(w.generator.Calls()).To(BeNumerically("==", 1))
			Expect(w.receiver.Received()).To(HaveLen(1))
			Expect(hook.Received()).To(HaveLen(4), "in review, and in review, approved, published")
		})
	}

	It("records what is in progress, and makes the retry when it ends", func() {
		w := newWorld()
		w.createSite()
		proceed := make(chan struct{})
		w.receiver.Answers(func(_ int, answer http.ResponseWriter) {
			<-proceed
			answer.WriteHeader(http.StatusServiceUnavailable)
		})
		key := w.createArticle("due", withText("Due", "Text."), approvedInManifest, toBePublished)
		for w.get(key).Status.Publication == nil {
			w.Reconcile(key)
		}
		w.site(func(s *v1alpha1.Site) { s.Spec.Suspend = true })
		close(proceed)
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Publication.Attempts).To(HaveLen(1))
		Expect(a.Status.Publication.Attempts[0].Outcome).To(Equal(v1alpha1.AttemptRejected))
		w.clock.Step(time.Hour)
		before := w.reconcileUntilStable(key).Status.Publication
		w.clock.Step(100 * time.Hour)
		Expect(w.reconcileUntilStable(key).Status.Publication).To(Equal(before))
		w.site(func(s *v1alpha1.Site) { s.Spec.Suspend = false })
		Expect(w.reconcileUntilStable(key).Status.Publication.Attempts).To(HaveLen(2))
	})

	It("of a Site lets the others go on", func() {
		w := newWorld()
		w.createSite(func(s *v1alpha1.Site) { s.Spec.Suspend = true })
		w.createSite(func(s *v1alpha1.Site) { s.Name = "other" })
		key := w.createArticle("due", withText("Due", "Text."), approvedInManifest, toBePublished,
			func(a *v1alpha1.Article) { a.Spec.SiteRef.Name = "other" })
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})
})

// A Site that comes from a backup, or was copied into another workspace, may have articles whose revisions and posts are not there
// yet, and receivers that are not its own.
var _ = Describe("A restored Site", func() {
	restore := func(w *world) {
		GinkgoHelper()
		w.reconcileSite()
		site := w.acme()
		Expect(site.Annotations).To(HaveKeyWithValue(v1alpha1.UIDAnnotation, string(site.UID)))
		Expect(api.Delete(w.ctx, site)).To(Succeed())
		site.ResourceVersion, site.UID = "", ""
		Expect(api.Create(w.ctx, site)).To(Succeed())
	}

	It("holds everything back, revisions too, until its annotation is removed", func() {
		w := newWorld()
		w.createSite()
		restore(w)
		key := w.createArticle("due", withText("Due", "Text."), approvedInManifest, toBePublished)
		a := w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionReady)).To(Equal("True/Suspended"))
		Expect(a.Status.Revision).To(BeNil())
		w.reconcileSite()
		Expect(conditionOf(w.acme().Status.Conditions, v1alpha1.ConditionReady)).To(Equal("False/Restored"))
		w.site(func(s *v1alpha1.Site) { delete(s.Annotations, v1alpha1.UIDAnnotation) })
		w.reconcileSite()
		Expect(w.acme().Annotations).To(HaveKeyWithValue(v1alpha1.UIDAnnotation, string(w.acme().UID)))
		Expect(conditionOf(w.acme().Status.Conditions, v1alpha1.ConditionReady)).To(Equal("True/Configured"))
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})
})

// readAccount reads the world's account.
func (w *world) readAccount() *v1alpha1.Account {
	GinkgoHelper()
	account := &v1alpha1.Account{}
	Expect(api.Get(w.ctx, client.ObjectKey{Name: w.account}, account)).To(Succeed())
	return account
}
