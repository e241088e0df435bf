package article_test

import (
	"context"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/backoff"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("The generation controller", func() {
	It("writes the attempt down before it calls the model", func() {
		t := newTenant()
		t.CreateSite()
		var seen *v1alpha1.GenerationRun
		var key client.ObjectKey
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			defer GinkgoRecover()
			seen = t.GetArticle(key).Status.Run
			return Written(r.Keyword, call), nil
		})
		key = t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		Expect(seen).To(And(HaveField("State", v1alpha1.RunRunning), HaveField("Attempt", int32(1)), HaveField("StartTime.Time", BeTemporally("==", Started))))
	})

	It("calls nobody where the write meets a conflict", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		t.Client.Before = func(write string) error {
			if write == "update Article/status" {
				t.Client.Before = func(string) error { return nil }
				t.EditArticle(key, func(a *v1alpha1.Article) { a.Labels = map[string]string{"touched": "yes"} })
			}
			return nil
		}
		_, err := t.Articles.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(t.Generation.Engine.Calls.Len()).To(BeZero())
		Expect(t.Generator.Calls()).To(BeZero())
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(t.Usage().CreditsUsed).To(Equal(int64(1)))
	})

	It("charges nothing again for an article that the cache shows as it was before its run", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		before := t.GetArticle(key)
		t.ReconcileUntilStable(key)
		t.Clock.Step(time.Minute)
		t.ReconcileAccount()
		t.Client.Stale = before
		_, err := t.Articles.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		Expect(t.Usage()).To(And(HaveField("CreditsUsed", int64(1)), HaveField("Pending", BeEmpty())))
		Expect(t.Generator.Calls()).To(Equal(1))
	})

	It("retries what may pass, as late as the endpoint asks, and charges once", func() {
		t := newTenant()
		t.CreateSite()
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			if call == 1 {
				return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonRateLimited, Retryable: true, RetryAfter: 2 * time.Minute, Message: "slow down",
					Usage: generate.Usage{InputTokens: 5}}
			}
			return Written(r.Keyword, call), nil
		})
		key := t.CreateArticle("shoes", WithKeyword)
		a := t.ReconcileUntilStable(key)
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/RetryScheduled"))
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseGenerating))
		Expect(a.Status.Run.NextAttemptTime.Time).To(BeTemporally("==", Started.Add(2*time.Minute)))
		t.Clock.Step(2*time.Minute - time.Second)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseGenerating))
		t.Clock.Step(time.Second)
		a = t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(a.Status.Run).To(And(HaveField("Attempt", int32(2)), HaveField("InputTokens", int64(105))))
		Expect(t.Usage().CreditsUsed).To(Equal(int64(1)))
	})

	It("ends a refusal at once, and gives the credit back once", func() {
		t := newTenant()
		t.CreateSite()
		t.Generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonRefused, Message: "the model would not"}
		})
		key := t.CreateArticle("shoes", WithKeyword)
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseFailed))
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/Refused"))
		Expect(a.Status.Run.Charge).To(Equal(v1alpha1.Refunded))
		Expect(t.Usage().CreditsUsed).To(BeZero())
		t.Clock.Step(time.Hour)
		t.ReconcileAccount()
		t.ReconcileUntilStable(key)
		Expect(t.Usage()).To(And(HaveField("CreditsUsed", int64(0)), HaveField("Pending", BeEmpty()), HaveField("Refunded", BeEmpty())))
	})

	It("gives up after its attempts", func() {
		t := newTenant()
		t.CreateSite()
		t.Generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonTimeout, Retryable: true, Message: "no answer in time"}
		})
		key := t.CreateArticle("shoes", WithKeyword)
		for range backoff.MaxRunAttempts {
			t.ReconcileUntilStable(key)
			t.Clock.Step(time.Hour)
		}
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseFailed))
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/Timeout"))
		Expect(t.Generator.Calls()).To(Equal(backoff.MaxRunAttempts))
	})

	It("writes progress at most once a minute", func() {
		t := newTenant()
		t.CreateSite()
		told, proceed := make(chan struct{}), make(chan struct{})
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, progress generate.Progress) (generate.Result, error) {
			progress(1, 3)
			progress(2, 3)
			close(told)
			<-proceed
			return Written(r.Keyword, call), nil
		})
		key := t.CreateArticle("shoes", WithKeyword)
		t.Reconcile(key)
		<-told
		t.Client.Writes()
		t.Reconcile(key)
		Expect(t.Client.Writes()).To(BeEmpty())
		t.Clock.Step(time.Minute)
		t.Reconcile(key)
		t.Reconcile(key)
		Expect(t.Client.Writes()).To(Equal([]string{"update Article/status"}))
		Expect(t.GetArticle(key).Status.Run).To(And(HaveField("Step", int32(2)), HaveField("Steps", int32(3))))
		close(proceed)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})

	It("waits for the next day at the site's daily limit", func() {
		t := newTenant()
		one := int32(1)
		t.CreateSite(func(s *v1alpha1.Site) { s.Spec.Limits.ArticlesPerDay = &one })
		t.ReconcileUntilStable(t.CreateArticle("first", WithKeyword))
		key := t.CreateArticle("second", WithKeyword)
		Expect(Reason(t.ReconcileUntilStable(key), v1alpha1.ConditionGenerated)).To(Equal("False/DailyLimitReached"))
		t.Clock.Step(12 * time.Hour)
		Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
	})

	It("waits in a namespace that is no workspace", func() {
		t := newTenant()
		ns := &corev1.Namespace{}
		ns.Name = t.Namespace + "-bare"
		Expect(api.Create(t.Ctx, ns)).To(Succeed())
		t.Namespace = ns.Name
		t.CreateSite()
		Expect(Reason(t.ReconcileUntilStable(t.CreateArticle("shoes", WithKeyword)), v1alpha1.ConditionGenerated)).To(Equal("False/NotAWorkspace"))
	})

	It("starts one run for a nonce", func() {
		t := newTenant()
		t.CreateSite()
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		for range 2 {
			t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RegenerateAnnotation: "again"} })
			Expect(t.ReconcileUntilStable(key).Status.Revision.Number).To(Equal(int32(2)))
		}
		Expect(t.Generator.Calls()).To(Equal(2))
	})

	It("tells the generator why its text was rejected, and takes no credit for the same one", func() {
		t := newTenant()
		t.CreateSite()
		var reasons []string
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			reasons = append(reasons, r.Rejected)
			text := "Soft rubber holds."
			if call > 2 {
				text = "Soft rubber holds, as three tests show."
			}
			return generate.Result{Document: content.Document{Title: "Trail shoes", Markdown: text, Language: "en"}}, nil
		})
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		t.EditArticle(key, func(a *v1alpha1.Article) {
			a.Spec.Review = &v1alpha1.ArticleReview{
				Decision: v1alpha1.DecisionRejected, By: "mara@acme.example", Digest: a.Status.Revision.Digest, Note: "It names no source.",
			}
		})
		t.EditArticle(key, func(a *v1alpha1.Article) { a.Annotations = map[string]string{v1alpha1.RegenerateAnnotation: "again"} })
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseRejected))
		Expect(a.Status.Run).To(And(HaveField("State", v1alpha1.RunSucceeded), HaveField("Charge", v1alpha1.Refunded)))
		Expect(t.Usage().CreditsUsed).To(Equal(int64(1)))
		t.EditArticle(key, func(a *v1alpha1.Article) {
			a.Annotations = map[string]string{v1alpha1.RegenerateAnnotation: "once more"}
		})
		a = t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(t.Usage().CreditsUsed).To(Equal(int64(2)))
		Expect(reasons).To(Equal([]string{"", "It names no source.", "It names no source."}))
	})

	It("lets the author's text take the place of a run that waits", func() {
		t := newTenant()
		t.CreateSite()
		t.Generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonBackendUnavailable, Retryable: true, Message: "down"}
		})
		key := t.CreateArticle("shoes", WithKeyword)
		t.ReconcileUntilStable(key)
		t.EditArticle(key, WithText("My own", "My own words."))
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(Reason(a, v1alpha1.ConditionGenerated)).To(Equal("False/Superseded"))
		Expect(t.Revision(a).Spec.Markdown).To(Equal("My own words."))
		Expect(t.Usage().CreditsUsed).To(BeZero())
	})

	It("takes in a text that the author wrote while a run was under way", func() {
		t := newTenant()
		t.CreateSite()
		proceed := make(chan struct{})
		t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
			<-proceed
			return Written(r.Keyword, call), nil
		})
		key := t.CreateArticle("shoes", WithKeyword)
		t.Reconcile(key)
		t.EditArticle(key, WithText("My own", "My own words."))
		close(proceed)
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Revision.Number).To(Equal(int32(2)))
		Expect(t.Revision(a).Spec.Markdown).To(Equal("My own words."))
	})
})
