package ledger_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// noon of the day on which these tests happen.
var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

const today = "2026-11-20"

// siteName makes the name of site number n.
func siteName(n int) string { return fmt.Sprintf("site-%d", n) }

// charge number n, of the REST API, for site 0.
func charge(n int) ledger.Charge {
	return ledger.Charge{
		Account: "acme", Run: fmt.Sprintf("run-%d", n), Workspace: "acme-blog", Article: fmt.Sprintf("article-%d", n),
		Site: siteName(0), Metered: true,
	}
}

// with changes a charge.
func with(c ledger.Charge, change func(*ledger.Charge)) ledger.Charge {
	change(&c)
	return c
}

func micro(at time.Time) v1alpha1.MicroTime { return v1alpha1.NewMicroTime(at) }

// mustReserve charges and confirms, so that pending does not fill.
func mustReserve(t *testing.T, u *v1alpha1.AccountLedgerSpec, spec v1alpha1.AccountSpec, c ledger.Charge, now time.Time) {
	t.Helper()
	if err := ledger.Reserve(u, spec, c, now); err != nil {
		t.Fatalf("Reserve(%s): %v", c.Run, err)
	}
	ledger.ConfirmCharges(u, pending(c))
}

// pending returns the entry of a charge that is pending.
func pending(c ledger.Charge) v1alpha1.PendingCharge {
	return v1alpha1.PendingCharge{Run: c.Run, Workspace: c.Workspace, Article: c.Article, ArticleUID: c.ArticleUID, Site: c.Site}
}

// wantLimit checks a refusal; an empty code means none.
func wantLimit(t *testing.T, err error, code ledger.Code, after time.Duration) {
	t.Helper()
	if code == "" {
		if err != nil {
			t.Errorf("err = %v, want none", err)
		}
		return
	}
	limit, ok := errors.AsType[*ledger.LimitError](err)
	if !ok || limit.Code != code || limit.RetryAfter != after {
		t.Errorf("err = %#v, want %s with RetryAfter %s", err, code, after)
	}
}
