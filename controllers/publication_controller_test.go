package controllers_test

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
)

var _ = Describe("The publication controller", func() {
	var w *world
	var key client.ObjectKey

	BeforeEach(func() {
		w = newWorld()
		w.createSite()
		key = w.createArticle("hello", withText("Hello", "First post."))
		w.reconcileUntilStable(key)
	})

	It("tries once and three times more, after about 10 s, 1 min and 5 min, with the same bytes", func() {
		w.receiver.AnswersStatus(500)
		w.approveAndPublish(key)
		a := w.reconcileUntilStable(key)
		for n, wait := range []time.Duration{10 * time.Second, time.Minute, 5 * time.Minute} {
			Expect(reason(a, v1alpha1.ConditionPublished)).To(Equal("False/RetryScheduled"))
			Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseApproved))
			Expect(a.Status.Publication.Cycle.NextAttemptTime.Time).To(BeTemporally("==", w.clock.Now().Add(wait)))
			w.clock.Step(wait - time.Millisecond)
			w.reconcileUntilStable(key)
			Expect(w.receiver.Received()).To(HaveLen(n + 1))
			w.clock.Step(time.Millisecond)
			a = w.reconcileUntilStable(key)
			Expect(w.receiver.Received()).To(HaveLen(n + 2))
		}
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseFailed))
		Expect(reason(a, v1alpha1.ConditionPublished)).To(Equal("False/Exhausted"))
		Expect(a.Status.Publication.Attempts).To(HaveLen(4))
		Expect(a.Status.Publication.Attempts).To(HaveEach(And(HaveField("Outcome", v1alpha1.AttemptRejected), HaveField("HTTPStatus", int32(500)))))
		w.clock.Step(24 * time.Hour)
		w.reconcileUntilStable(key)
		requests := w.receiver.Received()
		Expect(requests).To(HaveLen(4))
		for _, r := range requests {
			Expect(r.Body).To(Equal(requests[0].Body))
			Expect(r.Header.Get("X-SERVICE-Signature")).To(Equal(requests[0].Header.Get("X-SERVICE-Signature")))
		}
	})

	It("publishes on a retry that is accepted", func() {
		w.receiver.Answers(func(n int, rw http.ResponseWriter) {
			if n == 1 {
				rw.WriteHeader(http.StatusServiceUnavailable)
			}
		})
		w.approveAndPublish(key)
		w.reconcileUntilStable(key)
		w.clock.Step(time.Minute)
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(a.Status.Publication).To(And(HaveField("URL", ""), HaveField("ExternalID", "hello")), "the slug stands for an id that did not come")
	})

	It("waits as long as the receiver's Retry-After asks", func() {
		w.receiver.Answers(func(_ int, rw http.ResponseWriter) {
			rw.Header().Set("Retry-After", "120")
			rw.WriteHeader(http.StatusTooManyRequests)
		})
		w.approveAndPublish(key)
		Expect(w.reconcileUntilStable(key).Status.Publication.Cycle.NextAttemptTime.Time).To(BeTemporally("==", started.Add(2*time.Minute)))
	})

	It("ends at 410", func() {
		w.receiver.AnswersStatus(http.StatusGone)
		w.approveAndPublish(key)
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseFailed))
		Expect(reason(a, v1alpha1.ConditionPublished)).To(Equal("False/ReceiverRejected"))
		Expect(w.receiver.Received()).To(HaveLen(1))
	})

	It("takes a redirect for a failure", func() {
		w.receiver.Answers(func(_ int, rw http.ResponseWriter) {
			rw.Header().Set("Location", w.receiver.URL+"/elsewhere")
			rw.WriteHeader(http.StatusTemporaryRedirect)
		})
		w.approveAndPublish(key)
		Expect(reason(w.reconcileUntilStable(key), v1alpha1.ConditionPublished)).To(Equal("False/RetryScheduled"))
		Expect(w.receiver.Received()).To(HaveLen(1))
	})

	It("ends at an address that is not public, and does not tell it", func() {
		w.site(func(s *v1alpha1.Site) { s.Spec.CMS.Headless.URL = "http://10.1.2.3/webhook" })
		w.approveAndPublish(key)
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseFailed))
		Expect(reason(a, v1alpha1.ConditionPublished)).To(Equal("False/AddressBlocked"))
		Expect(a.Status.Publication.Attempts).To(HaveLen(1))
	})

	It("waits for the signing secret without using an attempt up, and reads it at each attempt", func() {
		secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: w.namespace, Name: "webhook"}}
		Expect(api.Delete(w.ctx, secret)).To(Succeed())
		w.approveAndPublish(key)
		a := w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionPublished)).To(Equal("False/SecretNotFound"))
		Expect(a.Status.Publication).To(BeNil())
		w.createSecret()
		w.clock.Step(30 * time.Second) // a Secret that was missing is looked for so often
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhasePublished))
	})

	It("starts exactly one new cycle for a nonce, also after a restart", func() {
		w.receiver.AnswersStatus(http.StatusGone)
		w.approveAndPublish(key)
		w.reconcileUntilStable(key)
		w.receiver.AnswersStatus(http.StatusOK)
		w.edit(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"} })
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(a.Status.Publication.Cycle).To(And(HaveField("Number", int32(2)), HaveField("Nonce", "again")))
		Expect(a.Status.Publication.Attempts).To(HaveExactElements(
			And(HaveField("Cycle", int32(1)), HaveField("Number", int32(1))), And(HaveField("Cycle", int32(2)), HaveField("Number", int32(1)))))
		w.restart()
		w.reconcileUntilStable(key)
		Expect(w.receiver.Received()).To(HaveLen(2))
	})

	It("starts no second cycle for a nonce where another process leads by then, and sees the article late", func() {
		w.approveAndPublish(key)
		w.reconcileUntilStable(key)
		w.edit(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"} })
		before := w.get(key)
		w.reconcileUntilStable(key)
		Expect(w.receiver.Received()).To(HaveLen(2))
		w.restart()
		w.client.stale = before
		_, err := w.Articles.Reconcile(w.ctx, request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Publication.Engine.Calls.Len()).To(BeZero(), "the write ahead met a conflict")
		w.client.stale = nil
		a := w.reconcileUntilStable(key)
		Expect(w.receiver.Received()).To(HaveLen(2))
		Expect(a.Status.Publication.Cycle).To(And(HaveField("Number", int32(2)), HaveField("State", v1alpha1.CycleDelivered)))
	})

	It("goes on with a nonce's cycle, and starts no other, where the process ends in its first attempt", func() {
		w.approveAndPublish(key)
		w.reconcileUntilStable(key)
		held, proceed := make(chan struct{}), make(chan struct{})
		w.receiver.Answers(func(n int, _ http.ResponseWriter) {
			if n == 2 {
				close(held)
				<-proceed
			}
		})
		w.edit(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"} })
		w.Reconcile(key)
		<-held
		old := w.Process
		w.restart()
		w.reconcileUntilStable(key)
		close(proceed)
		<-old.Notified
		w.clock.Step(time.Minute)
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Publication.Cycle).To(And(HaveField("Number", int32(2)), HaveField("State", v1alpha1.CycleDelivered)))
		Expect(a.Status.Publication.Attempts).To(HaveExactElements(HaveField("Cycle", int32(1)),
			And(HaveField("Cycle", int32(2)), HaveField("Number", int32(1)), HaveField("Outcome", v1alpha1.AttemptUnknown)),
			And(HaveField("Cycle", int32(2)), HaveField("Number", int32(2)), HaveField("Outcome", v1alpha1.AttemptAccepted))))
		w.restart()
		w.reconcileUntilStable(key)
		Expect(w.receiver.Received()).To(HaveLen(3))
	})

	It("shows what came back, without a write of its own, and without a secret", func() {
		w.receiver.Answers(func(_ int, rw http.ResponseWriter) {
			rw.WriteHeader(http.StatusServiceUnavailable)
			_, err := io.WriteString(rw, "the database is away; debug: secret "+signingSecret+"\nBearer abcdef")
			Expect(err).NotTo(HaveOccurred())
		})
		w.approveAndPublish(key)
		w.client.Writes()
		a := w.reconcileUntilStable(key)
		Expect(w.client.Writes()).To(HaveLen(4), "claimed, ahead, the outcome, and the Post of what may have reached the site")
		p := a.Status.Publication
		Expect(p.LastAnswer).To(PointTo(And(HaveField("HTTPStatus", int32(503)), HaveField("AttemptID", p.Attempts[0].ID),
			HaveField("Snippet", "the database is away; debug: secret [redacted] Bearer [redacted]"))))
		Expect(p.Attempts[0]).To(And(HaveField("ErrorClass", v1alpha1.ErrorServer), HaveField("Holder", "")))
		for _, c := range a.Status.Conditions {
			Expect(c.Message).NotTo(ContainSubstring("database"))
		}
		Expect(w.Events.Events).NotTo(Receive(ContainSubstring("database")))
	})

	It("leaves a published article published when a redelivery fails", func() {
		w.approveAndPublish(key)
		first := w.reconcileUntilStable(key)
		w.receiver.AnswersStatus(http.StatusGone)
		w.clock.Step(time.Hour)
		w.edit(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RedeliverAnnotation: "again"} })
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(a.Status.Publication.Cycle.State).To(Equal(v1alpha1.CycleFailed))
		Expect(a.Status.Publication.PublishTime).To(Equal(first.Status.Publication.PublishTime))
	})

	It("counts an attempt whose process ended as unknown, and retries with the same bytes", func() {
		held, proceed := make(chan struct{}), make(chan struct{})
		w.receiver.Answers(func(n int, _ http.ResponseWriter) {
			if n == 1 {
				close(held)
				<-proceed
			}
		})
		w.approveAndPublish(key)
		w.Reconcile(key)
		<-held
		old := w.Process
		w.restart()
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Publication.Attempts).To(ConsistOf(HaveField("Outcome", v1alpha1.AttemptUnknown)))
		close(proceed)
		<-old.Notified
		w.clock.Step(time.Minute)
		a = w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhasePublished))
		Expect(a.Status.Publication.Attempts).To(HaveLen(2))
		requests := w.receiver.Received()
		Expect(requests).To(HaveLen(2))
		Expect(requests[1].Body).To(Equal(requests[0].Body))
	})

	It("sends nothing where the write ahead meets a conflict", func() {
		w.approveAndPublish(key)
		w.client.before = func(write string) error {
			if write == "update Article/status" {
				w.client.before = func(string) error { return nil }
				w.edit(key, func(a *v1alpha1.Article) { a.Labels = map[string]string{"touched": "yes"} })
			}
			return nil
		}
		_, err := w.Articles.Reconcile(w.ctx, request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Publication.Engine.Calls.Len()).To(BeZero())
		Expect(w.receiver.Received()).To(BeEmpty())
		Expect(w.reconcileUntilStable(key).Status.Publication.Attempts).To(HaveLen(1))
	})

	It("is frozen while an attempt is in progress", func() {
		held, proceed := make(chan struct{}), make(chan struct{})
		w.receiver.Answers(func(int, http.ResponseWriter) {
			close(held)
			<-proceed
		})
		w.approveAndPublish(key)
		w.Reconcile(key)
		<-held
		a := w.get(key)
		a.Spec.Content.Markdown = "Other."
		Expect(api.Update(w.ctx, a)).To(MatchError(ContainSubstring("content may not change while the article is being delivered or once it is published")))
		close(proceed)
		w.reconcileUntilStable(key)
	})

	It("delivers Markdown and HTML alone where the site wants that", func() {
		w.site(func(s *v1alpha1.Site) { s.Spec.CMS.Headless.PayloadFormat = v1alpha1.PayloadMarkdown })
		w.approveAndPublish(key)
		w.reconcileUntilStable(key)
		Expect(w.receiver.Received()[0].Body).To(And(ContainSubstring(`"content_format":"markdown"`), ContainSubstring(`"content":"First post."`)))
	})
})

// site changes the site acme.
func (w *world) site(change func(*v1alpha1.Site)) {
	GinkgoHelper()
	site := w.acme()
	old := site.DeepCopy()
	change(site)
	Expect(api.Patch(w.ctx, site, client.MergeFrom(old))).To(Succeed())
}
