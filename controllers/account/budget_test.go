package account_test

import (
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/account"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// add adds the tokens of an attempt to the book.
func (t *tenant) add(tokens int64) {
	site := client.ObjectKey{Namespace: t.Namespace, Name: "acme"}
	t.Accounts.Tokens.Add(t.Account, ledger.SpentTokens{Site: site, Tokens: tokens, At: t.Clock.Now()})
}

// spends adds tokens to the book, and has them written.
func (t *tenant) spends(tokens int64) {
	GinkgoHelper()
	t.add(tokens)
	t.Clock.Step(time.Minute)
	t.ReconcileAccount()
	t.Clock.Step(time.Minute)
	t.ReconcileAccount()
}

// announced returns the Kubernetes Events since it was last called.
func (t *tenant) announced() (events []string) {
	for len(t.Events.Events) > 0 {
		events = append(events, <-t.Events.Events)
	}
	return events
}

var _ = Describe("The status of a budget", func() {
	setBudget := func(t *tenant, b *v1alpha1.AccountBudget) {
		GinkgoHelper()
		t.EditAccount(func(a *v1alpha1.Account) { a.Spec.Budget = b })
		t.ReconcileAccount()
	}
	states := func(t *tenant) []int {
		return []int{t.Accounts.Budgets(account.BudgetUnder), t.Accounts.Budgets(account.BudgetNear), t.Accounts.Budgets(account.BudgetReached)}
	}

	It("shows what is used, and Events say once a month that 80 and 100 percent are", func() {
		t := newTenant()
		t.ReconcileAccount()
		Expect(t.GetAccount().Status.Budget).To(BeNil())
		setBudget(t, &v1alpha1.AccountBudget{TokensPerMonth: new(int64(100))})
		Expect(t.GetAccount().Status.Budget).To(And(HaveField("Month", "2026-11"), HaveField("UsedPercent", BeZero())))
		t.spends(79)
		Expect(t.GetAccount().Status.Budget).To(And(HaveField("Tokens", int64(79)), HaveField("UsedPercent", int32(79))))
		Expect(t.announced()).To(BeEmpty())
		Expect(states(t)).To(Equal([]int{1, 0, 0}))

		t.spends(1)
		t.spends(1)
		Expect(t.announced()).To(ConsistOf("Normal BudgetNear 80 percent of the budget of 2026-11 are used"))
		Expect(states(t)).To(Equal([]int{0, 1, 0}))
		t.spends(30)
		t.spends(1)
		Expect(t.GetAccount().Status.Budget.UsedPercent).To(Equal(int32(112)))
		Expect(t.announced()).To(ConsistOf("Warning BudgetReached the budget of 2026-11 is used up: runs wait for the next month, UTC"))
		Expect(states(t)).To(Equal([]int{0, 0, 1}))

		By("announcing nothing again in the same month")
		setBudget(t, &v1alpha1.AccountBudget{TokensPerMonth: new(int64(1000))})
		t.Restart()
		t.spends(1000)
		Expect(t.announced()).To(BeEmpty())

		By("beginning again in the next month")
		t.Clock.SetTime(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC))
		t.spends(850)
		Expect(t.GetAccount().Status.Budget).To(And(HaveField("Month", "2026-12"), HaveField("UsedPercent", int32(85))))
		Expect(t.announced()).To(ConsistOf("Normal BudgetNear 80 percent of the budget of 2026-12 are used"))

		setBudget(t, nil)
		Expect(t.GetAccount().Status.Budget).To(BeNil())
		Expect(states(t)).To(Equal([]int{0, 0, 0}))
	})

	It("is written once a minute at the most, and nothing is requested while nothing changes", func() {
		t := newTenant()
		setBudget(t, &v1alpha1.AccountBudget{TokensPerMonth: new(int64(100))})
		t.spends(10)
		t.Client.Writes()
		for range 100 {
			t.ReconcileAccount()
		}
		Expect(t.Client.Writes()).To(BeEmpty())
		t.add(10)
		t.Clock.Step(10 * time.Second)
		for range 3 {
			t.ReconcileAccount()
		}
		Expect(t.Client.Writes()).To(ContainElement("patch AccountLedger"))
		Expect(t.GetAccount().Status.Budget.UsedPercent).To(Equal(int32(10)))
		t.Clock.Step(time.Minute)
		t.ReconcileAccount()
		Expect(t.GetAccount().Status.Budget.UsedPercent).To(Equal(int32(20)))
	})
})
