package account_test

import (
	"context"
	"errors"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/generate"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

// retried ends the first attempt of a run, whose charge is confirmed then, and the second, which is the last that the account has.
func (t *tenant) retried() {
	GinkgoHelper()
	t.Generator.Does(func(_ context.Context, call int, r generate.Request, _ generate.Progress) (generate.Result, error) {
		if call == 1 {
			return generate.Result{}, &generate.Error{Reason: v1alpha1.ReasonTimeout, Retryable: true, Message: "late"}
		}
		result := Written(r.Keyword, call)
		result.Usage = generate.Usage{InputTokens: 60, OutputTokens: 40}
		return result, nil
	})
	key := t.CreateArticle("shoes", WithKeyword)
	t.ReconcileUntilStable(key)
	Expect(t.Swept()).To(Used(1))
	Expect(t.ReconcileUntilStable(key).Status.Phase).To(Equal(v1alpha1.PhaseReview))
}

var _ = Describe("The tokens of an attempt", func() {
	counted := func(tokens int64) OmegaMatcher {
		return HaveField("Sites", ConsistOf(And(HaveField("Count", int32(1)), HaveField("Tokens", tokens))))
	}

	It("are in the ledger 10 s later, without another charge of the account", func() {
		t := newTenant()
		t.CreateSite()
		t.retried()
		reconcile := func() time.Duration {
			GinkgoHelper()
			result, err := t.Accounts.Reconcile(t.Ctx, Request(client.ObjectKey{Name: t.Account}))
			Expect(err).NotTo(HaveOccurred())
			return result.RequeueAfter
		}
		t.Client.Writes()
		Expect(reconcile()).To(Equal(10 * time.Second))
		t.Clock.Step(10*time.Second - time.Millisecond)
		Expect(reconcile()).To(Equal(time.Millisecond))
		Expect(t.Client.Writes()).NotTo(ContainElement("patch AccountLedger"))
		Expect(t.Usage()).To(counted(0))

		t.Clock.Step(time.Millisecond)
		reconcile()
		Expect(t.Client.Writes()).To(ContainElement("patch AccountLedger"))
		Expect(t.Usage()).To(counted(100))
		reconcile()
		Expect(t.Client.Writes()).To(BeEmpty())
		Expect(t.Usage()).To(counted(100))
	})

	It("are written later if kube-apiserver refuses the ledger", func() {
		t := newTenant()
		t.CreateSite()
		t.retried()
		t.Client.Before = func(write string) error {
			if write == "patch AccountLedger" {
				return apierrors.NewForbidden(schema.GroupResource{Resource: "accountledgers"}, t.Account, errors.New("a policy"))
			}
			return nil
		}
		t.Clock.Step(10 * time.Second)
		t.ReconcileAccount()
		Expect(t.Usage()).To(counted(0))
		t.Client.Before = NoFault
		t.ReconcileAccount()
		Expect(t.Usage()).To(counted(100))
	})

	It("are not counted twice if the answer to a write is lost", func() {
		t := newTenant()
		t.CreateSite()
		t.retried()
		t.Client.After = func(write string) error {
			if write == "patch AccountLedger" {
				return apierrors.NewTimeoutError("the answer is lost", 1)
			}
			return nil
		}
		t.Clock.Step(10 * time.Second)
		_, err := t.Accounts.Reconcile(t.Ctx, Request(client.ObjectKey{Name: t.Account}))
		Expect(err).To(HaveOccurred())
		t.Client.After = NoFault
		t.Clock.Step(10 * time.Second)
		t.ReconcileAccount()
		Expect(t.Usage()).To(counted(100))
	})

	It("are in the ledger when the controller has stopped", func() {
		t := newTenant()
		t.CreateSite()
		t.retried()
		t.Accounts.Flush(t.Ctx)
		Expect(t.Usage()).To(counted(100))
		t.Accounts.Flush(t.Ctx)
		Expect(t.Usage()).To(counted(100))
	})
})
