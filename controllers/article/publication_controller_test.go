package article_test

import (
	"io"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	. "github.com/onsi/gomega/gstruct"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("The publication controller", func() {
	var t *tenant
	var key client.ObjectKey

	BeforeEach(func() {
		t = newTenant()
		t.CreateSite()
		key = t.CreateArticle("hello", WithText("Hello", "First post."))
		t.ReconcileUntilStable(key)
	})

	It("tries once and three times more, after about 10 s, 1 min and 5 min, with the same bytes", func() {
		t.Receiver.AnswersStatus(500)
		t.ApproveAndPublish(key)
		a := t.ReconcileUntilStable(key)
		for n, wait := range []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute} {
			Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/RetryScheduled"))
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseApproved))
			Expect(a.Status.Publication.Cycle.NextAttemptTime.Time).To(BeTemporally("==", t.Clock.Now().Add(wait)))
			t.Clock.Step(wait - time.Millisecond)
			t.ReconcileUntilStable(key)
			Expect(t.Receiver.Received()).To(HaveLen(n + 1))
			t.Clock.Step(time.Millisecond)
			a = t.ReconcileUntilStable(key)
			Expect(t.Receiver.Received()).To(HaveLen(n + 2))
		}
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseFailed))
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/Exhausted"))
		Expect(a.Status.Publication.Attempts).To(HaveLen(4))
		Expect(a.Status.Publication.Attempts).To(HaveEach(And(HaveField("Outcome", v1alpha1.AttemptRejected), HaveField("HTTPStatus", int32(500)))))
		t.Clock.Step(24 * time.Hour)
		t.ReconcileUntilStable(key)
		requests := t.Receiver.Received()
		Expect(requests).To(HaveLen(4))
		for _, r := range requests {
			Expect(r.Body).To(Equal(requests[0].Body))
			Expect(r.Header.Get("X-SERVICE-Signature")).To(Equal(requests[0].Header.Get("X-SERVICE-Signature")))
		}
	})

	It("publishes on a retry that is accepted", func() {
		t.Receiver.Answers(func(n int, rw http.ResponseWriter) {
			if n == 1 {
				rw.WriteHeader(http.StatusServiceUnavailable)
			}
		})
		t.ApproveAndPublish(key)
		t.ReconcileUntilStable(key)
		t.Clock.Step(time.Minute)
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(a.Status.Publication.Post).To(And(HaveField("URL", ""), HaveField("ExternalID", "hello")), "the slug stands for an id that did not come")
	})

	It("waits for the signing secret without using an attempt up, and reads it at each attempt", func() {
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: t.Namespace, Name: "webhook"}}
		Expect(api.Delete(t.Ctx, secret)).To(Succeed())
		t.ApproveAndPublish(key)
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionPublished)).To(Equal("False/SecretNotFound"))
		Expect(a.Status.Publication).To(BeNil())
		t.CreateSecret()
		t.Clock.Step(30 * time.Second) // a Secret that was missing is looked for so often
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("starts exactly one new cycle for a nonce, also after a restart", func() {
		t.Receiver.AnswersStatus(http.StatusGone)
		t.ApproveAndPublish(key)
		t.ReconcileUntilStable(key)
		t.Receiver.AnswersStatus(http.StatusOK)
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"} })
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(a.Status.Publication.Cycle).To(HaveField("Number", int32(2)))
		Expect(a.Status.HandledRequests).To(ConsistOf(v1alpha1.HandledRequest{Name: "redeliver", Nonce: "again"}))
		Expect(a.Status.Publication.Attempts).To(HaveExactElements(
			And(HaveField("Cycle", int32(1)), HaveField("Number", int32(1))), And(HaveField("Cycle", int32(2)), HaveField("Number", int32(1)))))
		t.Restart()
		t.ReconcileUntilStable(key)
		Expect(t.Receiver.Received()).To(HaveLen(2))
	})

	It("starts no second cycle for a nonce where another process leads by then, and sees the article late", func() {
		t.ApproveAndPublish(key)
		t.ReconcileUntilStable(key)
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"} })
		before := t.GetArticle(key)
		t.ReconcileUntilStable(key)
		Expect(t.Receiver.Received()).To(HaveLen(2))
		t.Restart()
		t.Client.Stale = before
		_, err := t.Articles.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(t.Publication.Engine.Calls.Len()).To(BeZero(), "the write ahead met a conflict")
		t.Client.Stale = nil
		a := t.ReconcileUntilStable(key)
		Expect(t.Receiver.Received()).To(HaveLen(2))
		Expect(a.Status.Publication.Cycle).To(And(HaveField("Number", int32(2)), HaveField("State", v1alpha1.CycleAccepted)))
	})

	It("goes on with a nonce's cycle, and starts no other, where the process ends in its first attempt", func() {
		t.ApproveAndPublish(key)
		t.ReconcileUntilStable(key)
		held, proceed := make(chan struct{}), make(chan struct{})
		t.Receiver.Answers(func(n int, _ http.ResponseWriter) {
			if n == 2 {
				close(held)
				<-proceed
			}
		})
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"} })
		t.Reconcile(key)
		<-held
		old := t.Process
		t.Restart()
		t.ReconcileUntilStable(key)
		close(proceed)
		<-old.Notified
		t.Clock.Step(time.Minute)
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Publication.Cycle).To(And(HaveField("Number", int32(2)), HaveField("State", v1alpha1.CycleAccepted)))
		Expect(a.Status.Publication.Attempts).To(HaveExactElements(HaveField("Cycle", int32(1)),
			And(HaveField("Cycle", int32(2)), HaveField("Number", int32(1)), HaveField("Outcome", v1alpha1.AttemptUnknown)),
			And(HaveField("Cycle", int32(2)), HaveField("Number", int32(2)), HaveField("Outcome", v1alpha1.AttemptAccepted))))
		t.Restart()
		t.ReconcileUntilStable(key)
		Expect(t.Receiver.Received()).To(HaveLen(3))
	})

	It("shows what came back, without a write of its own, and without a secret", func() {
		t.Receiver.Answers(func(_ int, rw http.ResponseWriter) {
			rw.WriteHeader(http.StatusServiceUnavailable)
			_, err := io.WriteString(rw, "the database is away; debug: secret "+SigningSecret+"\nBearer abcdef")
			Expect(err).NotTo(HaveOccurred())
		})
		t.ApproveAndPublish(key)
		t.Client.Writes()
		a := t.ReconcileUntilStable(key)
		Expect(t.Client.Writes()).To(HaveLen(4), "claimed, ahead, the outcome, and the Post of what may have reached the site")
		p := a.Status.Publication
		Expect(p.LastAnswer).To(PointTo(And(HaveField("HTTPStatus", int32(503)), HaveField("AttemptID", p.Attempts[0].ID),
			HaveField("Snippet", "the database is away; debug: secret [redacted] Bearer [redacted]"))))
		Expect(p.Attempts[0]).To(And(HaveField("ErrorClass", v1alpha1.ErrorServer), HaveField("Holder", "")))
		for _, c := range a.Status.Conditions {
			Expect(c.Message).NotTo(ContainSubstring("database"))
		}
		Expect(t.Events.Events).NotTo(Receive(ContainSubstring("database")))
	})

	It("leaves a published article published when a redelivery fails", func() {
		t.ApproveAndPublish(key)
		first := t.ReconcileUntilStable(key)
		t.Receiver.AnswersStatus(http.StatusGone)
		t.Clock.Step(time.Hour)
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"} })
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(a.Status.Publication.Cycle.State).To(Equal(v1alpha1.CycleFailed))
		Expect(a.Status.Publication.Post.PublishTime).To(Equal(first.Status.Publication.Post.PublishTime))
	})

	It("sends nothing where the write ahead meets a conflict", func() {
		t.ApproveAndPublish(key)
		t.Client.Before = func(write string) error {
			if write == "update Article/status" {
				t.Client.Before = func(string) error { return nil }
				t.EditArticle(key, func(a *v1alpha1.Article) { a.Labels = map[string]string{"touched": "yes"} })
			}
			return nil
		}
		_, err := t.Articles.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(t.Publication.Engine.Calls.Len()).To(BeZero())
		Expect(t.Receiver.Received()).To(BeEmpty())
		Expect(t.ReconcileUntilStable(key).Status.Publication.Attempts).To(HaveLen(1))
	})

	It("keeps what its attempt in progress was about, and takes a change up only if the attempt fails", func() {
		held, proceed := make(chan struct{}), make(chan struct{})
		t.Receiver.Answers(func(int, http.ResponseWriter) {
			close(held)
			<-proceed
		})
		t.ApproveAndPublish(key)
		t.Reconcile(key)
		<-held
		t.EditArticle(key, WithText("Hello", "Other."))
		close(proceed)
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(Reason(a, v1alpha1.ConditionUpToDate)).To(Equal("False/UpdatesFrozen"))
		Expect(a.Status.LastRevisionNumber).To(BeEquivalentTo(1))
		Expect(t.Receiver.Received()).To(HaveLen(1))

		t.EditArticle(key, WithText("Hello", "First post."))
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionUpToDate)).To(Equal("True/UpToDate"))
	})

	It("sends a change that came during a failed attempt only once it is approved", func() {
		held, proceed := make(chan struct{}), make(chan struct{})
		t.Receiver.Answers(func(n int, rw http.ResponseWriter) {
			if n == 1 {
				close(held)
				<-proceed
				rw.WriteHeader(http.StatusInternalServerError)
			}
		})
		t.ApproveAndPublish(key)
		t.Reconcile(key)
		<-held
		t.EditArticle(key, WithText("Hello", "Other."))
		close(proceed)
		t.ReconcileUntilStable(key)
		t.Clock.Step(time.Hour)
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(t.Receiver.Received()).To(HaveLen(1))
		t.ApproveAndPublish(key)
		a = t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(t.Receiver.Received()[1].Body).To(ContainSubstring("Other."))
	})

	DescribeTable("ends a delivery that is not wanted between two attempts", func(change func(*v1alpha1.Article), reason string) {
		t.Receiver.Answers(func(_ int, rw http.ResponseWriter) { rw.WriteHeader(http.StatusInternalServerError) })
		t.ApproveAndPublish(key)
		Expect(t.ReconcileUntilStable(key).Status.Publication.Cycle.State).To(Equal(v1alpha1.CycleRetryScheduled))
		t.EditArticle(key, change)
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Publication.Post.State).To(Equal(v1alpha1.PostUncertain))
		Expect(a.Status.Publication.Cycle).To(HaveField("State", v1alpha1.CycleCancelled))
		Expect(a.Status.Publication.Cycle).To(HaveField("Reason", reason))
		Expect(a.Status.Publication.Cycle).To(HaveField("NextAttemptTime", BeNil()))
		t.Clock.Step(time.Hour)
		t.ReconcileUntilStable(key)
		Expect(t.Receiver.Received()).To(HaveLen(1))

		By("delivering it again when it is wanted again")
		t.Receiver.Answers(func(int, http.ResponseWriter) {})
		t.ApproveAndPublish(key)
		a = t.ReconcileUntilStable(key)
		Expect(a.Status.Publication.Post.State).To(Equal(v1alpha1.PostPresent))
		Expect(a.Status.Publication.Cycle.Number).To(BeEquivalentTo(2))
	},
		Entry("archived", func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageArchived }, v1alpha1.ReasonArchived),
		Entry("edited", WithText("Hello", "Other."), v1alpha1.ReasonContentChanged),
		Entry("its publication cancelled", func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageReview }, v1alpha1.ReasonNotRequested),
	)

	It("sends the live text again, whatever the manifest asks for by now", func() {
		t.ApproveAndPublish(key)
		t.ReconcileUntilStable(key)
		t.EditArticle(key, func(a *v1alpha1.Article) {
			WithText("Hello", "Other.")(a)
			a.Spec.Stage = v1alpha1.StageReview
			a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "1"}
		})
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		requests := t.Receiver.Received()
		Expect(requests).To(HaveLen(2))
		Expect(requests[1].Body).To(Equal(requests[0].Body))
	})
})
