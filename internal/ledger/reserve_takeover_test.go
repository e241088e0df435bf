package ledger_test

import (
	"strconv"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// runOf is a charge of the controller: run number n of the article "shoes" with a uid.
func runOf(uid string, n, last int32) ledger.Charge {
	return ledger.Charge{
		Account: "acme", Run: "shoes-00000000-" + strconv.Itoa(int(n)), Workspace: "acme-blog", Article: "shoes",
		ArticleUID: uid, LastRun: last, Site: siteName(0),
	}
}

// called is the charge of the call that creates the article "shoes".
func called() ledger.Charge {
	c := runOf("", 1, 0)
	c.Metered = true
	return c
}

func TestOneChargePaysForOneRunOfOneArticle(t *testing.T) {
	for _, c := range []struct {
		name     string
		charges  []ledger.Charge
		wantUsed int64
	}{
		{"the run of the article that the call created", []ledger.Charge{called(), runOf("a", 1, 0)}, 1},
		{"the same run again, by another process", []ledger.Charge{called(), runOf("a", 1, 0), runOf("a", 1, 0)}, 1},
		{"another run, of an article whose first run never began", []ledger.Charge{called(), runOf("a", 2, 0)}, 1},
		{"a run under a number that is free, in place of one that never began", []ledger.Charge{runOf("a", 1, 0), runOf("a", 3, 0)}, 1},
		{"the next run of an article", []ledger.Charge{called(), runOf("a", 1, 0), runOf("a", 2, 1)}, 2},
		{"an article that was created again", []ledger.Charge{called(), runOf("a", 1, 0), runOf("b", 1, 0)}, 2},
		{"an article that was created again with kubectl", []ledger.Charge{runOf("a", 1, 0), runOf("b", 1, 0)}, 2},
		{"a repeat of the call", []ledger.Charge{called(), called(), runOf("a", 1, 0)}, 1},
		{"a repeat of the call after the run began", []ledger.Charge{called(), runOf("a", 1, 0), called()}, 1},
		{"an equal name in another workspace", []ledger.Charge{called(), with(called(), func(c *ledger.Charge) { c.Workspace = "acme-shop" })}, 2},
		{"an equal name in another workspace, with kubectl", []ledger.Charge{
			called(), with(runOf("a", 1, 0), func(c *ledger.Charge) { c.Workspace = "acme-shop" }),
		}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			u := &v1alpha1.AccountLedgerSpec{}
			for _, charge := range c.charges {
				if err := ledger.Reserve(u, v1alpha1.AccountSpec{}, charge, noon); err != nil {
					t.Fatal(err)
				}
			}
			if u.CreditsUsed != c.wantUsed || len(u.Pending) != int(c.wantUsed) {
				t.Errorf("%d credits used, %d pending; want %d", u.CreditsUsed, len(u.Pending), c.wantUsed)
			}
		})
	}
}

func TestAChargeThatAnArticleHasIsNotReturned(t *testing.T) {
	u := &v1alpha1.AccountLedgerSpec{}
	for _, c := range []ledger.Charge{called(), runOf("a", 1, 0)} {
		if err := ledger.Reserve(u, v1alpha1.AccountSpec{}, c, noon); err != nil {
			t.Fatal(err)
		}
	}
	want := u.DeepCopy()
	ledger.Return(u, "acme-blog", called().Run)
	ledger.ConfirmCharges(u, pending(called()))
	if !equality.Semantic.DeepEqual(u, want) {
		t.Errorf("usage = %+v, want %+v", u, want)
	}
}

// A reconcile that has not seen the credit in status, where the account's sweep has put it, reserves one for the run that it knows as the
// next.
func TestAPrepaidCreditIsReturnedOnceAfterALateReserve(t *testing.T) {
	u := &v1alpha1.AccountLedgerSpec{}
	for _, c := range []ledger.Charge{runOf("a", 2, 0), runOf("a", 3, 0)} {
		if err := ledger.Reserve(u, v1alpha1.AccountSpec{}, c, noon); err != nil {
			t.Fatal(err)
		}
	}
	prepaid := runOf("a", 2, 0)
	if err := ledger.Refund(u, v1alpha1.RefundedCharge{
		Run: prepaid.Run, Workspace: prepaid.Workspace, Article: prepaid.Article, ArticleUID: prepaid.ArticleUID,
	}); err != nil {
		t.Fatal(err)
	}
	if u.CreditsUsed != 0 || len(u.Pending) != 0 {
		t.Errorf("%d credits used, pending %v; want none", u.CreditsUsed, u.Pending)
	}
}

func TestTakeOver(t *testing.T) {
	charged := func(charges ...ledger.Charge) *v1alpha1.AccountLedgerSpec {
		u := &v1alpha1.AccountLedgerSpec{}
		for i, c := range charges {
			if err := ledger.Reserve(u, v1alpha1.AccountSpec{}, c, noon.Add(time.Duration(i)*time.Second)); err != nil {
				t.Fatal(err)
			}
		}
		return u
	}
	for _, c := range []struct {
		name   string
		usage  *v1alpha1.AccountLedgerSpec
		charge ledger.Charge
		uid    string
		want   bool
	}{
		{"a charge without an article", charged(called()), called(), "a", true},
		{"again", charged(called(), runOf("a", 1, 0)), called(), "a", true},
		{"the charge of a run that did not begin", charged(runOf("a", 1, 0)), runOf("a", 1, 0), "a", true},
		{"a charge that another article has", charged(called(), runOf("a", 1, 0)), called(), "b", false},
		{"a charge that the article's next run uses", charged(called(), runOf("a", 2, 0)), called(), "a", true},
		{"a charge that has left the ledger", charged(), called(), "a", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := ledger.TakeOver(c.usage, pending(c.charge), c.uid); got != c.want {
				t.Errorf("TakeOver = %v, want %v", got, c.want)
			}
			if c.want && c.usage.Pending[0].ArticleUID != c.uid {
				t.Errorf("the article is %q", c.usage.Pending[0].ArticleUID)
			}
			if c.usage.CreditsUsed != int64(len(c.usage.Pending)) {
				t.Errorf("%d credits used, %d pending", c.usage.CreditsUsed, len(c.usage.Pending))
			}
		})
	}
}
