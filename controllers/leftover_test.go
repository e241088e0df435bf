package controllers_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
)

// meetConflict reconciles an article that somebody edits just before its status is written.
func (w *world) meetConflict(key client.ObjectKey, change func(*v1alpha1.Article)) {
	GinkgoHelper()
	met := false
	w.client.before = func(write string) error {
		if write == "update Article/status" {
			w.client.before, met = noFault, true
			w.edit(key, change)
		}
		return nil
	}
	w.Reconcile(key)
	Expect(met).To(BeTrue())
}

// A revision of the author's text that exists, and that status never had: the author took the text back while it was written. It
// has the number that the next run gets.
var _ = Describe("A text that was taken in and taken back at the same time", func() {
	takenBack := func(a *v1alpha1.Article) { a.Spec.Content = nil }

	It("is no revision of an earlier object: the credit that is paid already is the run's", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword)
		w.meetConflict(key, withText("Own", "Own text."))
		Expect(w.usage().CreditsUsed).To(Equal(int64(1)))
		w.meetConflict(key, takenBack)
		Expect(w.revisions()).To(ConsistOf(HaveField("Spec.Source", v1alpha1.SourceWritten)))

		a := w.reconcileUntilStable(key)
		Expect(a.Status.Run).To(And(HaveField("Number", int64(1)), HaveField("State", v1alpha1.RunSucceeded)))
		Expect(w.revisions()).To(ConsistOf(HaveField("Spec.Source", v1alpha1.SourceGenerated)))
		w.clock.Step(time.Minute)
		w.reconcileAccount()
		w.reconcileAccount()
		Expect(w.usage()).To(And(HaveField("CreditsUsed", int64(1)), HaveField("Pending", BeEmpty())))
	})

	It("is not what a later run has written", func() {
		w := newWorld()
		w.createSite()
		w.generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if call == 1 {
				return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonRefused, Message: "the model would not"}
			}
			return written(r.Keyword, call), nil
		})
		key := w.createArticle("shoes", withKeyword)
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseFailed))
		w.edit(key, withText("Own", "Own text."))
		w.meetConflict(key, takenBack)
		w.edit(key, func(a *v1alpha1.Article) { a.Spec.Generate.Keyword = "winter boots" })

		a := w.reconcileUntilStable(key)
		Expect(a.Status.Run.Name).To(Equal(a.Status.Revision.Name))
		Expect(w.revisions()).To(ConsistOf(And(
			HaveField("Name", a.Status.Revision.Name), HaveField("Spec.Source", v1alpha1.SourceGenerated), HaveField("Spec.Generator", Not(BeNil())),
		)))
	})

	It("is not what a run has written whose process ended", func() {
		w := newWorld()
		w.createSite()
		called, end := make(chan struct{}), make(chan struct{})
		DeferCleanup(func() { close(end) })
		w.generator.Does(func(ctx context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if call == 1 {
				close(called)
				<-end
				return generate.Result{}, ctx.Err()
			}
			return written(r.Keyword, call), nil
		})
		key := w.createArticle("shoes", withKeyword, withText("Own", "Own text."))
		w.meetConflict(key, takenBack)
		w.Reconcile(key)
		<-called
		w.restart()
		Expect(w.reconcileUntilStable(key).Status.Revision.Source).To(Equal(v1alpha1.SourceGenerated))
		Expect(w.generator.Calls()).To(Equal(2))
	})
})
