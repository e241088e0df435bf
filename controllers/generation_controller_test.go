package controllers_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	corev1 "k8s.io/api/core/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
)

var _ = Describe("The generation controller", func() {
	It("writes the attempt down before it calls the model", func() {
		w := newWorld()
		w.createSite()
		var seen *v1alpha1.GenerationRun
		var key client.ObjectKey
		w.generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			defer GinkgoRecover()
			seen = w.get(key).Status.Run
			return written(r.Keyword, call), nil
		})
		key = w.createArticle("shoes", withKeyword)
		w.reconcileUntilStable(key)
		Expect(seen).To(And(HaveField("State", v1alpha1.RunRunning), HaveField("Attempt", int32(1)), HaveField("StartedAt.Time", BeTemporally("==", started))))
	})

	It("calls nobody where the write meets a conflict", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword)
		w.client.before = func(write string) error {
			if write == "update Article/status" {
				w.client.before = func(string) error { return nil }
				w.edit(key, func(a *v1alpha1.Article) { a.Labels = map[string]string{"touched": "yes"} })
			}
			return nil
		}
		_, err := w.Articles.Reconcile(w.ctx, request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(w.Generation.Runs.Len()).To(BeZero())
		Expect(w.generator.Calls()).To(BeZero())
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(w.usage().CreditsUsed).To(Equal(int64(1)))
	})

	It("charges nothing again for an article that the cache shows as it was before its run", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword)
		before := w.get(key)
		w.reconcileUntilStable(key)
		w.clock.Step(time.Minute)
		w.reconcileAccount()
		w.client.stale = before
		_, err := w.Articles.Reconcile(w.ctx, request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(w.usage()).To(And(HaveField("CreditsUsed", int64(1)), HaveField("Pending", BeEmpty())))
		Expect(w.generator.Calls()).To(Equal(1))
	})

	It("retries what may pass, as late as the endpoint asks, and charges once", func() {
		w := newWorld()
		w.createSite()
		w.generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if call == 1 {
				return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonRateLimited, Retryable: true, RetryAfter: 2 * time.Minute, Message: "slow down",
					Usage: generate.Usage{InputTokens: 5}}
			}
			return written(r.Keyword, call), nil
		})
		key := w.createArticle("shoes", withKeyword)
		a := w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/RetryScheduled"))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseGenerating))
		Expect(a.Status.Run.NextAttemptTime.Time).To(BeTemporally("==", started.Add(2*time.Minute)))
		w.clock.Step(2*time.Minute - time.Second)
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseGenerating))
		w.clock.Step(time.Second)
		a = w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(a.Status.Run).To(And(HaveField("Attempt", int32(2)), HaveField("InputTokens", int64(105))))
		Expect(w.usage().CreditsUsed).To(Equal(int64(1)))
	})

	It("ends a refusal at once, and gives the credit back once", func() {
		w := newWorld()
		w.createSite()
		w.generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonRefused, Message: "the model would not"}
		})
		key := w.createArticle("shoes", withKeyword)
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseFailed))
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/Refused"))
		Expect(a.Status.Run.Charge).To(Equal(v1alpha1.Refunded))
		Expect(w.usage().CreditsUsed).To(BeZero())
		w.clock.Step(time.Hour)
		w.reconcileAccount()
		w.reconcileUntilStable(key)
		Expect(w.usage()).To(And(HaveField("CreditsUsed", int64(0)), HaveField("Pending", BeEmpty()), HaveField("Refunded", BeEmpty())))
	})

	It("gives up after its attempts", func() {
		w := newWorld()
		w.createSite()
		w.generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonTimeout, Retryable: true, Message: "no answer in time"}
		})
		key := w.createArticle("shoes", withKeyword)
		for range attempts.MaxPerRun {
			w.reconcileUntilStable(key)
			w.clock.Step(time.Hour)
		}
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseFailed))
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/Timeout"))
		Expect(w.generator.Calls()).To(Equal(attempts.MaxPerRun))
	})

	It("writes progress at most once a minute", func() {
		w := newWorld()
		w.createSite()
		told, proceed := make(chan struct{}), make(chan struct{})
		w.generator.Does(func(_ context.Context, call int, r generate.Request, progress generate.Progress) (generate.Result, error) {
			progress(1, 3)
			progress(2, 3)
			close(told)
			<-proceed
			return written(r.Keyword, call), nil
		})
		key := w.createArticle("shoes", withKeyword)
		w.Reconcile(key)
		<-told
		w.client.Writes()
		w.Reconcile(key)
		Expect(w.client.Writes()).To(BeEmpty())
		w.clock.Step(time.Minute)
		w.Reconcile(key)
		w.Reconcile(key)
		Expect(w.client.Writes()).To(Equal([]string{"update Article/status"}))
		Expect(w.get(key).Status.Run).To(And(HaveField("Step", int32(2)), HaveField("Steps", int32(3))))
		close(proceed)
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})

	It("takes a run up again whose process ended, under the same id", func() {
		w := newWorld()
		w.createSite()
		block := make(chan struct{})
		defer close(block)
		w.generator.Does(func(ctx context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if call == 1 {
				<-block
			}
			return written(r.Keyword, call), nil
		})
		key := w.createArticle("shoes", withKeyword)
		w.Reconcile(key)
		run := w.get(key).Status.Run
		w.restart()
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(a.Status.Run).To(And(HaveField("ID", run.Name), HaveField("Attempt", int32(2))))
		Expect(w.revisions()).To(HaveLen(1))
		Expect(w.usage().CreditsUsed).To(Equal(int64(1)))
	})

	It("makes no second revision where the process ended between revision and status", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword)
		w.Reconcile(key)
		<-w.Notified
		w.client.before = func(write string) error {
			if write == "update Article/status" {
				return errCutOff
			}
			return nil
		}
		_, err := w.Articles.Reconcile(w.ctx, request(key))
		Expect(err).To(MatchError(errCutOff))
		w.client.before = func(string) error { return nil }
		w.restart()
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(w.generator.Calls()).To(Equal(1), "the revision that was made counts")
		Expect(w.revisions()).To(HaveLen(1))
	})

	It("waits for credits, and goes on when there are some", func() {
		w := newWorld()
		w.createSite()
		w.setCredits(0)
		key := w.createArticle("shoes", withKeyword)
		a := w.reconcileUntilStable(key)
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/InsufficientCredits"))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseGenerating))
		Expect(w.generator.Calls()).To(BeZero())
		w.setCredits(1)
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})

	It("waits for the next day at the site's daily limit", func() {
		w := newWorld()
		one := int32(1)
		w.createSite(func(s *v1alpha1.Site) { s.Spec.Limits.ArticlesPerDay = &one })
		w.reconcileUntilStable(w.createArticle("first", withKeyword))
		key := w.createArticle("second", withKeyword)
		Expect(reason(w.reconcileUntilStable(key), v1alpha1.ConditionGenerated)).To(Equal("False/DailyLimitReached"))
		w.clock.Step(12 * time.Hour)
		Expect(w.reconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})

	It("waits in a namespace that is no workspace", func() {
		w := newWorld()
		ns := &corev1.Namespace{}
		ns.Name = w.namespace + "-bare"
		Expect(api.Create(w.ctx, ns)).To(Succeed())
		w.namespace = ns.Name
		w.createSite()
		Expect(reason(w.reconcileUntilStable(w.createArticle("shoes", withKeyword)), v1alpha1.ConditionGenerated)).To(Equal("False/NotAWorkspace"))
	})

	It("starts one run for a nonce", func() {
		w := newWorld()
		w.createSite()
		key := w.createArticle("shoes", withKeyword)
		w.reconcileUntilStable(key)
		for range 2 {
			w.edit(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RegenerateAnnotation: "again"} })
			Expect(w.reconcileUntilStable(key).Status.Revision.Number).To(Equal(int64(2)))
		}
		Expect(w.generator.Calls()).To(Equal(2))
		Expect(w.usage().CreditsUsed).To(Equal(int64(2)))
	})

	It("lets the author's text take the place of a run that waits", func() {
		w := newWorld()
		w.createSite()
		w.generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonBackendUnavailable, Retryable: true, Message: "down"}
		})
		key := w.createArticle("shoes", withKeyword)
		w.reconcileUntilStable(key)
		w.edit(key, withText("My own", "My own words."))
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/Superseded"))
		Expect(w.revision(a).Spec.Markdown).To(Equal("My own words."))
		Expect(w.usage().CreditsUsed).To(BeZero())
	})

	It("takes in a text that the author wrote while a run was under way", func() {
		w := newWorld()
		w.createSite()
		proceed := make(chan struct{})
		w.generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			<-proceed
			return written(r.Keyword, call), nil
		})
		key := w.createArticle("shoes", withKeyword)
		w.Reconcile(key)
		w.edit(key, withText("My own", "My own words."))
		close(proceed)
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Revision.Number).To(Equal(int64(2)))
		Expect(w.revision(a).Spec.Markdown).To(Equal("My own words."))
	})
})

func request(key client.ObjectKey) ctrl.Request { return ctrl.Request{NamespacedName: key} }
