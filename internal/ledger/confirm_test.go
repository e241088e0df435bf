package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

func refund(n int) v1alpha1.RefundedCharge {
	c := charge(n)
	return v1alpha1.RefundedCharge{Run: c.Run, Workspace: c.Workspace, Article: c.Article, ArticleUID: "uid"}
}

// reserved returns a usage with n pending charges, a second apart up to noon.
func reserved(t *testing.T, n int) *v1alpha1.AccountLedgerSpec {
	t.Helper()
	u := &v1alpha1.AccountLedgerSpec{}
	for i := range n {
		if err := ledger.Reserve(u, v1alpha1.AccountSpec{}, charge(i), noon.Add(time.Duration(i-n)*time.Second)); err != nil {
			t.Fatal(err)
		}
	}
	return u
}

func TestConfirmChargesRemovesThemFromPendingAndNothingElse(t *testing.T) {
	u := reserved(t, 3)
	want := u.DeepCopy()
	want.Pending = want.Pending[1:2]
	ledger.ConfirmCharges(u, pending(charge(0)), pending(charge(9)), pending(charge(2)))
	if !equality.Semantic.DeepEqual(u, want) {
		t.Errorf("usage = %+v, want %+v", u, want)
	}
}

func TestReturnUndoesACharge(t *testing.T) {
	u := reserved(t, 2)
	want := u.DeepCopy()
	if err := ledger.Reserve(u, v1alpha1.AccountSpec{}, charge(2), noon); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		ledger.Return(u, "acme-blog", charge(2).Run)
	}
	ledger.Return(u, "acme-blog", "unknown")
	ledger.Return(u, "other", charge(1).Run)
	if !equality.Semantic.DeepEqual(u, want) {
		t.Errorf("usage = %+v, want %+v as before the charge", u, want)
	}
}

func TestAConfirmedChargeIsNotReturned(t *testing.T) {
	u := reserved(t, 1)
	ledger.ConfirmCharges(u, pending(charge(0)))
	want := u.DeepCopy()
	ledger.Return(u, "acme-blog", charge(0).Run)
	if !equality.Semantic.DeepEqual(u, want) {
		t.Errorf("usage = %+v, want %+v", u, want)
	}
}

func TestAChargeOfYesterdayIsNotTakenOffTodaysCount(t *testing.T) {
	u := reserved(t, 1)
	if err := ledger.Reserve(u, v1alpha1.AccountSpec{}, charge(1), noon.Add(24*time.Hour)); err != nil {
		t.Fatal(err)
	}
	ledger.Return(u, "acme-blog", charge(0).Run)
	if len(u.Sites) != 1 || u.Sites[0].Count != 1 || u.CreditsUsed != 1 {
		t.Errorf("usage = %+v, want today's article counted and its credit used", u)
	}
}

func TestRefundGivesTheCreditBackOnceAndNothingElse(t *testing.T) {
	u := reserved(t, 2)
	ledger.ConfirmCharges(u, pending(charge(0)), pending(charge(1)))
	want := u.DeepCopy()
	want.CreditsUsed = 1
	want.Refunded = []v1alpha1.RefundedCharge{refund(0)}
	for range 6 {
		if err := ledger.Refund(u, refund(0)); err != nil {
			t.Fatal(err)
		}
	}
	if !equality.Semantic.DeepEqual(u, want) {
		t.Errorf("usage = %+v, want %+v", u, want)
	}
}

func TestARefundEndsTheChargeThatItsArticleHas(t *testing.T) {
	u := reserved(t, 2)
	if !ledger.TakeOver(u, pending(charge(0)), "uid") {
		t.Fatal("not taken over")
	}
	if err := ledger.Refund(u, refund(0)); err != nil {
		t.Fatal(err)
	}
	if u.CreditsUsed != 1 || len(u.Pending) != 1 || u.Pending[0].Run != charge(1).Run {
		t.Errorf("usage = %+v, want the other charge alone", u)
	}
}

// Another article of the same name has runs of the same ids (the first review, B5).
func TestRefundsOfArticlesOfOneNameAreTwo(t *testing.T) {
	u := &v1alpha1.AccountLedgerSpec{CreditsUsed: 3}
	other, elsewhere := refund(0), refund(0)
	other.ArticleUID, elsewhere.Workspace = "other", "acme-shop"
	for _, run := range []v1alpha1.RefundedCharge{refund(0), other, elsewhere} {
		if err := ledger.Refund(u, run); err != nil {
			t.Fatal(err)
		}
	}
	if u.CreditsUsed != 0 {
		t.Errorf("creditsUsed = %d, want 0", u.CreditsUsed)
	}
}

func TestRefundsThatCannotBeRememberedAreNotMade(t *testing.T) {
	u := &v1alpha1.AccountLedgerSpec{CreditsUsed: 300}
	for i := range 200 {
		if err := ledger.Refund(u, refund(i)); err != nil {
			t.Fatal(err)
		}
	}
	want := u.DeepCopy()
	wantLimit(t, ledger.Refund(u, refund(200)), ledger.Busy, 5*time.Second)
	if !equality.Semantic.DeepEqual(u, want) {
		t.Error("the usage changed")
	}
	if err := ledger.Refund(u, refund(199)); err != nil {
		t.Errorf("the last one that fitted: %v", err)
	}
}

func TestForgetDropsRefundsThatAreRecorded(t *testing.T) {
	u := &v1alpha1.AccountLedgerSpec{CreditsUsed: 3}
	for i := range 2 {
		if err := ledger.Refund(u, refund(i)); err != nil {
			t.Fatal(err)
		}
	}
	ledger.Forget(u, refund(0), refund(9))
	if fmt.Sprint(u.Refunded) != fmt.Sprint([]v1alpha1.RefundedCharge{refund(1)}) || u.CreditsUsed != 1 {
		t.Errorf("usage = %+v, want refund 1 alone and one credit used", u)
	}
}

func TestCreditsUsedNeverFallBelowZero(t *testing.T) {
	u := &v1alpha1.AccountLedgerSpec{}
	if err := ledger.Refund(u, refund(0)); err != nil {
		t.Fatal(err)
	}
	if u.CreditsUsed != 0 {
		t.Errorf("creditsUsed = %d, want 0", u.CreditsUsed)
	}
}
