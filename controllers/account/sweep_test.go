package account_test

import (
	"context"
	"errors"
	"fmt"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// called makes a generate call, as the facade does: the charge, and then the article.
func (t *tenant) called(name string) client.ObjectKey {
	GinkgoHelper()
	Expect(t.Generation.Charger.Reserve(t.Ctx, t.GetAccount().Spec, t.GenerateCharge(name))).To(Succeed())
	return t.CreateArticle(name, WithKeyword)
}

var _ = Describe("The account controller", func() {
	It("confirms the charges of articles in one write, and returns those whose article never came after a minute", func() {
		t := newTenant()
		t.ReconcileAccount()
		t.CreateSite()
		for _, name := range []string{"one", "two", "three"} {
			t.ReconcileUntilStable(t.called(name))
		}
		t.Clock.Step(time.Second)
		Expect(t.Generation.Charger.Reserve(t.Ctx, t.GetAccount().Spec, t.GenerateCharge("never"))).To(Succeed())
		t.Clock.Step(10 * time.Second)
		t.Client.Writes()
		t.ReconcileAccount()
		Expect(t.Usage()).To(And(HaveField("Pending", HaveLen(1)), HaveField("CreditsUsed", int64(4))))
		Expect(t.Client.Writes()).To(HaveLen(1))

		t.Clock.Step(50*time.Second - time.Microsecond)
		t.ReconcileAccount()
		Expect(t.Usage().CreditsUsed).To(Equal(int64(4)))
		t.Clock.Step(time.Microsecond)
		t.ReconcileAccount()
		Expect(t.Usage()).To(Used(3))
		Expect(t.Usage().Sites).To(ConsistOf(HaveField("Count", int32(3))))
	})

	It("looks at a charge without an article when it is a minute old", func() {
		t := newTenant()
		Expect(t.Generation.Charger.Reserve(t.Ctx, t.GetAccount().Spec, t.GenerateCharge("never"))).To(Succeed())
		t.Clock.Step(55 * time.Second)
		result, err := t.Accounts.Reconcile(t.Ctx, Request(client.ObjectKey{Name: t.Account}))
		Expect(err).NotTo(HaveOccurred())
		Expect(result.RequeueAfter).To(Equal(5 * time.Second))
	})

	It("returns nothing for an article that is deleted once its run has begun", func() {
		t := newTenant()
		t.CreateSite()
		key := t.called("shoes")
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(api.Delete(t.Ctx, a)).To(Succeed())
		Expect(t.Swept()).To(And(Used(1), HaveField("Sites", ConsistOf(HaveField("Count", int32(1))))))
	})

	It("charges each article of a name", func() {
		t := newTenant()
		t.CreateSite()
		for n := range 3 {
			create := t.called
			if n > 0 {
				create = func(name string) client.ObjectKey { return t.CreateArticle(name, WithKeyword) }
			}
			key := create("shoes")
			for t.Generator.Calls() == n {
				t.Reconcile(key)
			}
			Expect(api.Delete(t.Ctx, t.GetArticle(key))).To(Succeed())
			t.Reconcile(key)
			// As the garbage collector does.
			Expect(api.DeleteAllOf(t.Ctx, &v1alpha1.ArticleRevision{}, client.InNamespace(t.Namespace))).To(Succeed())
		}
		Expect(t.Swept()).To(Used(3))
	})

	It("refunds the failed run of each article of a name", func() {
		t := newTenant()
		t.CreateSite()
		t.Generator.Does(func(context.Context, int, generate.Request, generate.Progress) (generate.Result, error) {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonRefused, Message: "no"}
		})
		for range 2 {
			a := t.ReconcileUntilStable(t.CreateArticle("shoes", WithKeyword))
			Expect(a.Status.Run.Charge).To(Equal(v1alpha1.Refunded))
			Expect(api.Delete(t.Ctx, a)).To(Succeed())
		}
		Expect(t.Swept()).To(And(Used(0), HaveField("Refunded", BeEmpty())))
	})

	It("charges articles of one name in two workspaces", func() {
		t := newTenant()
		t.CreateSite()
		const name = "0192f1b0-7c3e-7a10-8d52-3f5a1c9e0b12"
		t.ReconcileUntilStable(t.called(name))
		t.Namespace += "-too"
		Expect(api.Create(t.Ctx, testkit.NewWorkspace(t.Namespace, t.Account))).To(Succeed())
		t.CreateSite()
		t.ReconcileUntilStable(t.CreateArticle(name, WithKeyword))
		Expect(t.Generator.Calls()).To(Equal(2))
		Expect(t.Swept()).To(Used(2))
	})

	It("takes a credit over that nobody can use, and uses it when the run can start", func() {
		t := newTenant()
		t.CreateSite()
		t.Generator.Blocked = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "the Secret is missing"}
		t.SetCredits(1)
		key := t.called("shoes")
		t.ReconcileUntilStable(key)
		Expect(t.Swept(key)).To(Used(1))
		Expect(t.GetArticle(key).Status.Prepaid).To(HaveField("Charge", v1alpha1.Charged))

		t.Generator.Blocked = nil
		a := t.ReconcileUntilStable(key)
		Expect(a.Status.Phase).To(Equal(v1alpha1.PhaseReview))
		Expect(a.Status.Prepaid).To(BeNil())
		Expect(a.Status.Run.Name).To(Equal(t.GenerateCharge("shoes").Run), "it is the run that the call named")
		Expect(t.Swept(key)).To(Used(1))
	})

	It("lets every other article use its credit while the status of one cannot be written", func() {
		t := newTenant()
		t.CreateSite()
		t.Generator.Blocked = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "the Secret is missing"}
		keys := []client.ObjectKey{t.called("shoes"), t.called("boots"), t.called("socks")}
		for _, key := range keys {
			t.ReconcileUntilStable(key)
		}
		refused := ""
		t.Client.Before = func(write string) error {
			if write == "update Article/status" && refused == "" {
				refused = write
				return apierrors.NewForbidden(schema.GroupResource{Resource: "articles"}, "shoes", errors.New("a policy"))
			}
			return nil
		}
		t.Clock.Step(30 * time.Second)
		t.ReconcileAccount()
		prepaid := 0
		for _, key := range keys {
			if t.GetArticle(key).Status.Prepaid != nil {
				prepaid++
			}
		}
		Expect(refused).NotTo(BeEmpty())
		Expect(prepaid).To(Equal(len(keys) - 1))
		Expect(t.Swept(keys...)).To(Used(3))
	})

	DescribeTable("gives the credit of a run that has not begun back once", func(change func(t *tenant, key client.ObjectKey), again func(t *tenant, key client.ObjectKey)) {
		t := newTenant()
		t.CreateSite()
		t.Generator.Blocked = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "the Secret is missing"}
		key := t.called("shoes")
		t.ReconcileUntilStable(key)
		t.Swept(key)
		change(t, key)
		t.ReconcileUntilStable(key)
		Expect(t.Swept(key)).To(And(Used(0), HaveField("Refunded", BeEmpty())))
		Expect(t.GetArticle(key).Status.Prepaid).To(BeNil())

		By("charging the run that begins later")
		t.Generator.Blocked = nil
		again(t, key)
		Expect(t.ReconcileUntilStable(key).Status.Run.State).To(Equal(v1alpha1.RunSucceeded))
		Expect(t.Generator.Calls()).To(Equal(1))
		Expect(t.Swept(key)).To(Used(1))
	},
		Entry("if the author writes the text",
			func(t *tenant, key client.ObjectKey) { t.EditArticle(key, WithText("My own", "My own words.")) },
			func(t *tenant, key client.ObjectKey) {
				t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Content = nil })
			}),
		Entry("if the article is archived",
			func(t *tenant, key client.ObjectKey) {
				t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageArchived })
			},
			func(t *tenant, key client.ObjectKey) {
				t.EditArticle(key, func(a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageReview })
			}),
		Entry("if the site is deleted",
			func(t *tenant, _ client.ObjectKey) { Expect(api.Delete(t.Ctx, t.GetSite())).To(Succeed()) },
			func(t *tenant, _ client.ObjectKey) { t.CreateSite() }),
	)

	It("gives the credit back of an article whose text was written before the controller saw it", func() {
		t := newTenant()
		t.CreateSite()
		key := t.called("shoes")
		t.EditArticle(key, WithText("My own", "My own words."))
		Expect(t.ReconcileUntilStable(key).Status.Revision.Source).To(Equal(v1alpha1.SourceWritten))
		Expect(t.Swept(key)).To(Used(0))
	})

	It("charges more calls than a ledger lists at once, whose runs cannot start", func() {
		t := newTenant()
		t.CreateSite()
		patch := client.RawPatch(types.MergePatchType, []byte(`{"spec": {"limits": {"articlesPerSitePerDay": 1000}}}`))
		Expect(api.Patch(t.Ctx, t.GetAccount(), patch)).To(Succeed())
		t.Generator.Blocked = &lifecycle.BlockedError{Reason: v1alpha1.ReasonSecretNotFound, Message: "the Secret is missing"}
		for round := range 2 {
			for n := range 60 {
				t.called(fmt.Sprintf("shoes-%d-%d", round, n))
			}
			t.Clock.Step(time.Minute)
			t.ReconcileAccount()
			t.Clock.Step(10 * time.Second)
			t.ReconcileAccount()
			Expect(t.Usage().Pending).To(BeEmpty())
		}
		Expect(t.Usage().CreditsUsed).To(Equal(int64(120)))
	})
})
