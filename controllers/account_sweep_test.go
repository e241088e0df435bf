package controllers_test

import (
	"context"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// called makes a generate call, as the facade does: the charge, and then the article.
func (w *world) called(name string) client.ObjectKey {
	GinkgoHelper()
	Expect(w.Generation.Charger.Reserve(w.ctx, w.callOf(name))).To(Succeed())
	return w.createArticle(name, withKeyword)
}

// callOf is the charge of a generate call.
func (w *world) callOf(name string) ledger.Charge {
	c := w.chargeFor(name)
	c.Run = identity.RevisionName(name, identity.UID(identity.KindArticle, w.namespace, name), 1)
	return c
}

// swept has the account controller look at the ledger for as long as charges may stay in it.
func (w *world) swept(keys ...client.ObjectKey) v1alpha1.AccountUsage {
	GinkgoHelper()
	for range 3 {
		w.clock.Step(30 * time.Second)
		w.reconcileAccount()
		for _, key := range keys {
			w.reconcileUntilStable(key)
		}
	}
	return w.usage()
}

func used(credits int64) OmegaMatcher {
	return And(HaveField("CreditsUsed", credits), HaveField("Pending", BeEmpty()))
}

var _ = Describe("The account controller", func() {
	It("confirms the charges of articles in one write, and returns those whose article never came after a minute", func() {
		w := newWorld()
		w.reconcileAccount()
		w.createSite()
		for _, name := range []string{"one", "two", "three"} {
			w.reconcileUntilStable(w.called(name))
		}
		w.clock.Step(time.Second)
		Expect(w.Generation.Charger.Reserve(w.ctx, w.callOf("never"))).To(Succeed())
		w.clock.Step(10 * time.Second)
		w.client.Writes()
		w.reconcileAccount()
		Expect(w.usage()).To(And(HaveField("Pending", HaveLen(1)), HaveField("CreditsUsed", int64(4))))
		Expect(w.client.Writes()).To(HaveLen(1))

		w.clock.Step(50*time.Second - time.Microsecond)
		w.reconcileAccount()
		Expect(w.usage().CreditsUsed).To(Equal(int64(4)))
		w.clock.Step(time.Microsecond)
		w.reconcileAccount()
		Expect(w.usage()).To(used(3))
		Expect(w.usage().Sites).To(ConsistOf(HaveField("Count", int32(3))))
	})

	It("looks at a charge without an article when it is a minute old", func() {
		w := newWorld()
		Expect(w.Generation.Charger.Reserve(w.ctx, w.callOf("never"))).To(Succeed())
		w.clock.Step(55 * time.Second)
		result, err := w.Accounts.Reconcile(w.ctx, request(client.ObjectKey{Name: w.account}))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(Equal(5 * time.Second))
	})

	It("returns nothing for an article that is deleted once its run has begun", func() {
		w := newWorld()
		w.createSite()
		key := w.called("shoes")
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(api.Delete(w.ctx, a)).To(Succeed())
		Expect(w.swept()).To(And(used(1), HaveField("Sites", ConsistOf(HaveField("Count", int32(1))))))
	})

	It("charges each article of a name", func() {
		w := newWorld()
		w.createSite()
		for n := range 3 {
			create := w.called
			if n > 0 {
				create = func(name string) client.ObjectKey { return w.createArticle(name, withKeyword) }
			}
			key := create("shoes")
			for w.generator.Calls() == n {
				w.Reconcile(key)
			}
			Expect(api.Delete(w.ctx, w.get(key))).To(Succeed())
			w.Reconcile(key)
			// As the garbage collector does.
			Expect(api.DeleteAllOf(w.ctx, &v1alpha1.ArticleRevision{}, client.InNamespace(w.namespace))).To(Succeed())
		}
		Expect(w.swept()).To(used(3))
	})

	It("refunds the failed run of each article of a name", func() {
		w := newWorld()
		w.createSite()
		w.generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonRefused, Message: "no"}
		})
		for range 2 {
			a := w.reconcileUntilStable(w.createArticle("shoes", withKeyword))
			Expect(a.Status.Run.Charge).To(Equal(v1alpha1.Refunded))
			Expect(api.Delete(w.ctx, a)).To(Succeed())
		}
		Expect(w.swept()).To(And(used(0), HaveField("Refunded", BeEmpty())))
	})

	It("charges articles of one name in two workspaces", func() {
		w := newWorld()
		w.createSite()
		const name = "0192f1b0-7c3e-7a10-8d52-3f5a1c9e0b12"
		w.reconcileUntilStable(w.called(name))
		w.namespace += "-too"
		Expect(api.Create(w.ctx, testkit.NewWorkspace(w.namespace, w.account))).To(Succeed())
		w.createSite()
		w.reconcileUntilStable(w.createArticle(name, withKeyword))
		Expect(w.generator.Calls()).To(Equal(2))
		Expect(w.swept()).To(used(2))
	})

	It("takes a credit over that nobody can use, and uses it when the run can start", func() {
		w := newWorld()
		w.createSite()
		w.generator.Blocked = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "the Secret is missing"}
		w.setCredits(1)
		key := w.called("shoes")
		w.reconcileUntilStable(key)
		Expect(w.swept(key)).To(used(1))
		Expect(w.get(key).Status.Prepaid).To(HaveField("Charge", v1alpha1.Charged))

		w.generator.Blocked = nil
		a := w.reconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(a.Status.Prepaid).To(BeNil())
		Expect(a.Status.Run.Name).To(Equal(w.callOf("shoes").Run), "it is the run that the call named")
		Expect(w.swept(key)).To(used(1))
	})

	DescribeTable("gives the credit of a run that has not begun back once", func(change func(w *world, key client.ObjectKey), again func(w *world, key client.ObjectKey)) {
		w := newWorld()
		w.createSite()
		w.generator.Blocked = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "the Secret is missing"}
		key := w.called("shoes")
		w.reconcileUntilStable(key)
		w.swept(key)
		change(w, key)
		w.reconcileUntilStable(key)
		Expect(w.swept(key)).To(And(used(0), HaveField("Refunded", BeEmpty())))
		Expect(w.get(key).Status.Prepaid).To(BeNil())

		By("charging the run that begins later")
		w.generator.Blocked = nil
		again(w, key)
		Expect(w.reconcileUntilStable(key).Status.Run.State).To(Equal(v1alpha1.RunSucceeded))
		Expect(w.generator.Calls()).To(Equal(1))
		Expect(w.swept(key)).To(used(1))
	},
		Entry("if the author writes the text",
			func(w *world, key client.ObjectKey) { w.edit(key, withText("My own", "My own words.")) },
			func(w *world, key client.ObjectKey) { w.edit(key, func(a *v1alpha1.Article) { a.Spec.Content = nil }) }),
		Entry("if the article is archived",
			func(w *world, key client.ObjectKey) {
				w.edit(key, func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageArchived })
			},
			func(w *world, key client.ObjectKey) {
				w.edit(key, func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageReview })
			}),
		Entry("if the site is deleted",
			func(w *world, _ client.ObjectKey) { Expect(api.Delete(w.ctx, w.acme())).To(Succeed()) },
			func(w *world, _ client.ObjectKey) { w.createSite() }),
	)

	It("gives the credit back of an article whose text was written before the controller saw it", func() {
		w := newWorld()
		w.createSite()
		key := w.called("shoes")
		w.edit(key, withText("My own", "My own words."))
		Expect(w.reconcileUntilStable(key).Status.Revision.Source).To(Equal(v1alpha1.SourceWritten))
		Expect(w.swept(key)).To(used(0))
	})

	It("charges hundreds of calls whose runs cannot start", func() {
		w := newWorld()
		w.createSite()
		patch := client.RawPatch(types.MergePatchType, []byte(`{"spec": {"limits": {"articlesPerSitePerDay": 1000}}}`))
		Expect(api.Patch(w.ctx, w.getAccount(), patch)).To(Succeed())
		w.generator.Blocked = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "the Secret is missing"}
		for round := range 4 {
			for n := range 60 {
				w.called(fmt.Sprintf("shoes-%d-%d", round, n))
			}
			w.clock.Step(time.Minute)
			w.reconcileAccount()
			w.clock.Step(10 * time.Second)
			w.reconcileAccount()
			Expect(w.usage().Pending).To(BeEmpty())
		}
		Expect(w.usage().CreditsUsed).To(Equal(int64(240)))
	})
})
