package ledger_test

import (
	"errors"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

func cachedLedger() *v1alpha1.AccountLedger {
	return &v1alpha1.AccountLedger{ObjectMeta: metav1.ObjectMeta{Name: "acme"}}
}

func TestAttemptsHoldWhatTheyMayTakeOfABudget(t *testing.T) {
	budget := &v1alpha1.AccountBudget{TokensPerMonth: new(int64(1000))}
	book, l := ledger.NewTokenBook(), cachedLedger()
	hold := func(attempt string, tokens, want int64, code ledger.Code, after time.Duration) {
		t.Helper()
		got, err := book.Hold(l, budget, ledger.Wish{Attempt: attempt, Tokens: tokens}, noon)
		wantLimit(t, err, code, after)
		if got != want {
			t.Errorf("%s may take %d tokens, want %d", attempt, got, want)
		}
	}
	hold("a", 600, 600, "", 0)
	hold("b", 600, 400, "", 0)
	hold("c", 600, 0, ledger.BudgetHeld, 30*time.Second)
	// One that was not made, and one that took less.
	book.Release("acme", "b")
	book.End("acme", "a", ledger.SpentTokens{Tokens: 300, At: noon})
	hold("c", 0, 700, "", 0)
	hold("c", 500, 500, "", 0)
	book.End("acme", "c", ledger.SpentTokens{Tokens: 800, At: noon})
	month := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC).Sub(noon)
	hold("d", 600, 0, ledger.BudgetReached, month)
	wantLimit(t, book.Reached(l, budget, noon), ledger.BudgetReached, month)
	wantLimit(t, book.Reached(l, budget, noon.Add(month)), "", 0)
	if got, err := book.Hold(l, nil, ledger.Wish{Attempt: "e", Tokens: 7}, noon); got != 7 || err != nil {
		t.Errorf("without a budget: got %d, %v, want 7", got, err)
	}
}

func TestMoneyBecomesTokensByTheDearestPrice(t *testing.T) {
	budget := &v1alpha1.AccountBudget{SpendPerMonth: &v1alpha1.Money{Amount: "3", Currency: "USD"}}
	book, l := ledger.NewTokenBook(), cachedLedger()
	for _, tt := range []struct {
		attempt             string
		tokens, price, want int64
	}{
		{"two dollars", 200_000, 10_000_000, 200_000},
		{"what is left", 200_000, 10_000_000, 100_000},
	} {
		got, err := book.Hold(l, budget, ledger.Wish{Attempt: tt.attempt, Tokens: tt.tokens, Price: tt.price}, noon)
		if got != tt.want || err != nil {
			t.Errorf("%s: got %d, %v, want %d", tt.attempt, got, err, tt.want)
		}
	}
	_, err := book.Hold(l, budget, ledger.Wish{Attempt: "three", Price: 1}, noon)
	wantLimit(t, err, ledger.BudgetHeld, 30*time.Second)
	book.End("acme", "two dollars", ledger.SpentTokens{Tokens: 1000, Micros: 1_999_999, Currency: "USD", At: noon})
	// A millionth is left, which is less than a token costs.
	if got, err := book.Hold(l, budget, ledger.Wish{Attempt: "three", Price: 10_000_000}, noon); got != 1 || err != nil {
		t.Errorf("got %d, %v, want 1", got, err)
	}
	book.End("acme", "three", ledger.SpentTokens{Tokens: 1, Micros: 10, Currency: "USD", At: noon})
	book.End("acme", "what is left", ledger.SpentTokens{Tokens: 1, Micros: 1_000_000, Currency: "USD", At: noon})
	wantLimit(t, book.Reached(l, budget, noon), ledger.BudgetReached, time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC).Sub(noon))
}

// A write is counted once, whether the cache shows it or not.
func TestWhatWasWrittenCountsUntilTheCacheShowsIt(t *testing.T) {
	budget := &v1alpha1.AccountBudget{TokensPerMonth: new(int64(100))}
	book, cached, live := ledger.NewTokenBook(), cachedLedger(), cachedLedger()
	left := func(l *v1alpha1.AccountLedger, now time.Time) int64 {
		t.Helper()
		got, err := book.Hold(l, budget, ledger.Wish{Attempt: "a"}, now)
		if err != nil {
			t.Fatal(err)
		}
		book.Release("acme", "a")
		return got
	}
	write := func(fail error) error {
		return book.Write("acme", noon, func(spent []ledger.SpentTokens) (v1alpha1.MonthUsage, error) {
			if got := left(cached, noon); got != 60 {
				t.Errorf("%d tokens are left during the write, want 60", got)
			}
			if fail != nil {
				return v1alpha1.MonthUsage{}, fail
			}
			ledger.AddSpent(&live.Spec, budget, spent...)
			return ledger.Month(&live.Spec, noon), nil
		})
	}
	book.Add("acme", ledger.SpentTokens{Tokens: 40, At: noon})
	if err := write(errors.Join(ledger.ErrUnavailable, ledger.ErrNotWritten)); err == nil {
		t.Error("no error")
	}
	if got := left(cached, noon); got != 60 || len(book.Accounts()) != 1 {
		t.Errorf("%d tokens are left after a write that failed, want 60", got)
	}
	if err := write(nil); err != nil {
		t.Fatal(err)
	}
	if len(book.Accounts()) != 0 {
		t.Error("what was written is to be written again")
	}
	// A cache that shows a write does not lag again.
	for _, cache := range []struct {
		what string
		of   *v1alpha1.AccountLedger
	}{{"that lags", cached}, {"that shows it", live}} {
		if got := left(cache.of, noon); got != 60 {
			t.Errorf("%d tokens are left by a cache %s, want 60", got, cache.what)
		}
	}

	book.Add("acme", ledger.SpentTokens{Tokens: 40, At: noon})
	restored := live.DeepCopy()
	err := book.Write("acme", noon, func(spent []ledger.SpentTokens) (v1alpha1.MonthUsage, error) {
		ledger.AddSpent(&live.Spec, budget, spent...)
		return ledger.Month(&live.Spec, noon), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := left(restored, noon.Add(time.Minute-1)); got != 20 {
		t.Errorf("%d tokens are left, want 20", got)
	}
	if got := left(restored, noon.Add(time.Minute)); got != 60 {
		t.Errorf("%d tokens are left of a ledger that was restored, want 60", got)
	}
}

func TestTokensThatMayBeWrittenAreNotWrittenAgain(t *testing.T) {
	book := ledger.NewTokenBook()
	book.Add("acme", ledger.SpentTokens{Tokens: 40, At: noon})
	err := book.Write("acme", noon, func([]ledger.SpentTokens) (v1alpha1.MonthUsage, error) {
		return v1alpha1.MonthUsage{}, ledger.ErrUnavailable
	})
	if err == nil || len(book.Accounts()) != 0 {
		t.Errorf("%v, %v: want an error, and no tokens", err, book.Accounts())
	}
}
