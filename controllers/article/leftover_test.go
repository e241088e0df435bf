package article_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// meetConflict reconciles an article that somebody edits just before its status is written.
func (t *tenant) meetConflict(key client.ObjectKey, change func(*v1alpha1.Article)) {
	GinkgoHelper()
	met := false
	t.Client.Before = func(write string) error {
		if write == "update Article/status" {
			t.Client.Before, met = NoFault, true
			t.EditArticle(key, change)
		}
		return nil
	}
	t.Reconcile(key)
	Expect(met).To(BeTrue())
}

// A revision of the author's text that exists, and that status never had: the author took the text back while it was written. It
// has the number that the next run gets.
var _ = Describe("A text that was taken in and taken back at the same time", func() {
	takenBack := func(a *v1alpha1.Article) { a.Spec.Content = nil }

	It("is no revision of an earlier object: the credit that is paid already is the run's", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		t.meetConflict(key, WithText("Own", "Own text."))
		Expect(t.Usage().CreditsUsed).To(Equal(int64(1)))
		t.meetConflict(key, takenBack)
		Expect(t.Revisions()).To(ConsistOf(HaveField("Spec.Source", v1alpha1.SourceWritten)))

		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Run).To(And(HaveField("Number", int32(1)), HaveField("State", v1alpha1.RunSucceeded)))
		Expect(t.Revisions()).To(ConsistOf(HaveField("Spec.Source", v1alpha1.SourceGenerated)))
		t.Clock.Step(time.Minute)
		t.ReconcileAccount()
		t.ReconcileAccount()
		Expect(t.Usage()).To(And(HaveField("CreditsUsed", int64(1)), HaveField("Pending", BeEmpty())))
	})

	It("is not what a later run has written", func() {
		t := newTenant()
		t.CreateSite()
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if call == 1 {
				return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonRefused, Message: "the model would not"}
			}
			return Written(r.Keyword, call), nil
		})
		key := t.CreateArticle("shoes", WithKeyword)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseFailed))
		t.EditArticle(key, WithText("Own", "Own text."))
		t.meetConflict(key, takenBack)
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Generate.Keyword = "winter boots" })

		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Run.Name).To(Equal(a.Status.Revision.Name))
		Expect(t.Revisions()).To(ConsistOf(And(
			HaveField("Name", a.Status.Revision.Name), HaveField("Spec.Source", v1alpha1.SourceGenerated), HaveField("Spec.Generator", Not(BeNil())),
		)))
	})

	It("is not what a run has written whose process ended", func() {
		t := newTenant()
		t.CreateSite()
		called, end := make(chan struct{}), make(chan struct{})
		DeferCleanup(func() { close(end) })
		t.Generator.Does(func(ctx context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if call == 1 {
				close(called)
				<-end
				return generate.Result{}, ctx.Err()
			}
			return Written(r.Keyword, call), nil
		})
		key := t.CreateArticle("shoes", WithKeyword, WithText("Own", "Own text."))
		t.meetConflict(key, takenBack)
		t.Reconcile(key)
		<-called
		t.Restart()
		Expect(t.ReconcileUntilStable(key).Status.Revision.Source).To(Equal(v1alpha1.SourceGenerated))
		Expect(t.Generator.Calls()).To(Equal(2))
	})
})
