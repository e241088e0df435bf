package ledger_test

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

func at(month time.Month, day, hour, minute int) time.Time {
	return time.Date(2026, month, day, hour, minute, 0, 0, time.UTC)
}

// spent are tokens at a time, and what they cost.
func spent(when time.Time, tokens, micros int64, currency string) ledger.SpentTokens {
	return ledger.SpentTokens{Tokens: tokens, Micros: micros, Currency: currency, At: when}
}

func usd(amount string) v1alpha1.Cost { return v1alpha1.Cost{Amount: amount, Currency: "USD"} }

func TestTokensAndMoneyAreCountedByMonth(t *testing.T) {
	february := time.Date(2028, 2, 29, 23, 59, 0, 0, time.UTC)
	budget := &v1alpha1.AccountBudget{SpendPerMonth: &v1alpha1.Money{Amount: "1", Currency: "CHF"}}
	for _, tt := range []struct {
		name   string
		before []v1alpha1.MonthUsage
		budget *v1alpha1.AccountBudget
		spent  []ledger.SpentTokens
		want   []v1alpha1.MonthUsage
	}{
		{
			name:  "several attempts are added up",
			spent: []ledger.SpentTokens{spent(at(11, 1, 0, 0), 100, 2_500_000, "USD"), spent(at(11, 30, 23, 59), 20, 500_001, "USD"), spent(at(11, 2, 0, 0), 3, 0, "")},
			want:  []v1alpha1.MonthUsage{{Month: "2026-11", Tokens: 123, Spend: []v1alpha1.Cost{usd("3.000001")}}},
		},
		{
			name:  "no tokens cost nothing",
			spent: []ledger.SpentTokens{spent(at(11, 1, 0, 0), 0, 5, "USD"), spent(at(11, 1, 0, 0), -5, 5, "USD")},
		},
		{
			name:  "the month before is kept, and no earlier one",
			spent: []ledger.SpentTokens{spent(at(10, 31, 23, 59), 1, 0, ""), spent(at(11, 1, 0, 0), 2, 0, ""), spent(at(12, 1, 0, 0), 3, 0, "")},
			want:  []v1alpha1.MonthUsage{{Month: "2026-11", Tokens: 2}, {Month: "2026-12", Tokens: 3}},
		},
		{
			name:  "a month in which nothing was used is no month before",
			spent: []ledger.SpentTokens{spent(at(9, 1, 0, 0), 1, 0, ""), spent(at(11, 1, 0, 0), 2, 0, "")},
			want:  []v1alpha1.MonthUsage{{Month: "2026-11", Tokens: 2}},
		},
		{
			name:  "February ends on the 29th in a leap year",
			spent: []ledger.SpentTokens{spent(february, 1, 0, ""), spent(february.Add(time.Minute), 2, 0, "")},
			want:  []v1alpha1.MonthUsage{{Month: "2028-02", Tokens: 1}, {Month: "2028-03", Tokens: 2}},
		},
		{
			name:  "the year ends",
			spent: []ledger.SpentTokens{spent(at(12, 31, 23, 59), 1, 0, ""), spent(at(12, 31, 23, 59).Add(time.Minute), 2, 0, "")},
			want:  []v1alpha1.MonthUsage{{Month: "2026-12", Tokens: 1}, {Month: "2027-01", Tokens: 2}},
		},
		{
			name:  "a clock that is a minute behind does not go back",
			spent: []ledger.SpentTokens{spent(at(12, 1, 0, 0), 1, 0, ""), spent(at(11, 30, 23, 59), 2, 0, "")},
			want:  []v1alpha1.MonthUsage{{Month: "2026-12", Tokens: 3}},
		},
		{
			name:   "a month that cannot be is forgotten",
			before: []v1alpha1.MonthUsage{{Month: "2099-01", Tokens: 7}},
			spent:  []ledger.SpentTokens{spent(at(11, 1, 0, 0), 1, 0, "")},
			want:   []v1alpha1.MonthUsage{{Month: "2026-11", Tokens: 1}},
		},
		{
			name:  "another currency in the middle of a month is counted beside the first",
			spent: []ledger.SpentTokens{spent(at(11, 1, 0, 0), 1, 1, "USD"), spent(at(11, 2, 0, 0), 1, 2, "EUR"), spent(at(11, 3, 0, 0), 1, 3, "USD")},
			want:  []v1alpha1.MonthUsage{{Month: "2026-11", Tokens: 3, Spend: []v1alpha1.Cost{usd("0.000004"), {Amount: "0.000002", Currency: "EUR"}}}},
		},
		{
			name: "of more than 4 currencies, that of the budget is counted",
			before: []v1alpha1.MonthUsage{{Month: "2026-11", Spend: []v1alpha1.Cost{
				usd("1.000000"), {Amount: "1.000000", Currency: "EUR"}, {Amount: "1.000000", Currency: "GBP"}, {Amount: "1.000000", Currency: "JPY"},
			}}},
			budget: budget,
			spent:  []ledger.SpentTokens{spent(at(11, 1, 0, 0), 1, 5, "SEK"), spent(at(11, 1, 0, 0), 1, 5, "CHF")},
			want: []v1alpha1.MonthUsage{{Month: "2026-11", Tokens: 2, Spend: []v1alpha1.Cost{
				usd("1.000000"), {Amount: "1.000000", Currency: "EUR"}, {Amount: "1.000000", Currency: "GBP"}, {Amount: "0.000005", Currency: "CHF"},
			}}},
		},
		{
			name:   "the counts have bounds",
			before: []v1alpha1.MonthUsage{{Month: "2026-11", Tokens: 999_999_999_999, Spend: []v1alpha1.Cost{usd("999999999.999998")}}},
			spent:  []ledger.SpentTokens{spent(at(11, 1, 0, 0), 5, 5, "USD")},
			want:   []v1alpha1.MonthUsage{{Month: "2026-11", Tokens: 1_000_000_000_000, Spend: []v1alpha1.Cost{usd("999999999.999999")}}},
		},
	} {
		u := &v1alpha1.AccountLedgerSpec{Months: tt.before}
		for _, s := range tt.spent {
			shared, before := *u, u.DeepCopy()
			ledger.AddSpent(u, tt.budget, s)
			if diff := cmp.Diff(before.Months, shared.Months); diff != "" {
				t.Errorf("%s: a list that the cache shares was changed: %s", tt.name, diff)
			}
		}
		if diff := cmp.Diff(tt.want, u.Months); diff != "" {
			t.Errorf("%s: %s", tt.name, diff)
		}
	}
}

func TestWhatIsLeftOfABudget(t *testing.T) {
	tokens := func(n int64) *v1alpha1.AccountBudget { return &v1alpha1.AccountBudget{TokensPerMonth: &n} }
	money := func(amount, currency string) *v1alpha1.AccountBudget {
		return &v1alpha1.AccountBudget{SpendPerMonth: &v1alpha1.Money{Amount: amount, Currency: currency}}
	}
	both := &v1alpha1.AccountBudget{TokensPerMonth: new(int64(1000)), SpendPerMonth: &v1alpha1.Money{Amount: "4", Currency: "USD"}}
	used := &v1alpha1.AccountLedgerSpec{Months: []v1alpha1.MonthUsage{
		{Month: "2026-10", Tokens: 5000},
		{Month: "2026-11", Tokens: 300, Spend: []v1alpha1.Cost{usd("2.500000"), {Amount: "9.000000", Currency: "EUR"}}},
	}}
	noon := at(11, 20, 12, 0)
	const unlimited = int64(math.MaxInt64)
	for _, tt := range []struct {
		name       string
		budget     *v1alpha1.AccountBudget
		held       ledger.Held
		now        time.Time
		wantTokens int64
		wantMicros int64
		wantEnds   time.Time
		percent    int32
		reached    bool
	}{
		{"no budget", nil, ledger.Held{}, noon, unlimited, unlimited, at(12, 1, 0, 0), 0, false},
		{"tokens", tokens(1000), ledger.Held{}, noon, 700, unlimited, at(12, 1, 0, 0), 30, false},
		{"tokens that others hold", tokens(1000), ledger.Held{Tokens: 700}, noon, 0, unlimited, at(12, 1, 0, 0), 30, true},
		{"exactly used", tokens(300), ledger.Held{}, noon, 0, unlimited, at(12, 1, 0, 0), 100, true},
		{"lowered below what is used", tokens(100), ledger.Held{}, noon, -200, unlimited, at(12, 1, 0, 0), 300, true},
		{"lowered to the least", tokens(1), ledger.Held{}, noon, -299, unlimited, at(12, 1, 0, 0), 30_000, true},
		{"money", money("5.00", "USD"), ledger.Held{}, noon, unlimited, 2_500_000, at(12, 1, 0, 0), 50, false},
		{"money that others hold", money("5.00", "USD"), ledger.Held{Micros: 2_499_999}, noon, unlimited, 1, at(12, 1, 0, 0), 50, false},
		{"another currency since", money("5.00", "CHF"), ledger.Held{}, noon, unlimited, 5_000_000, at(12, 1, 0, 0), 0, false},
		{"both, of which money is used more", both, ledger.Held{}, noon, 700, 1_500_000, at(12, 1, 0, 0), 62, false},
		{"the next month", tokens(300), ledger.Held{}, at(12, 1, 0, 0), 300, unlimited, at(12, 1, 0, 0).AddDate(0, 1, 0), 0, false},
		{"a clock before the month that counts", tokens(300), ledger.Held{}, at(10, 31, 23, 59), 0, unlimited, at(12, 1, 0, 0), 100, true},
		{"the month before", tokens(300), ledger.Held{}, at(10, 30, 23, 59), -4700, unlimited, at(11, 1, 0, 0), 1666, true},
	} {
		got := ledger.BudgetLeft(used, tt.budget, tt.held, tt.now)
		if got.Tokens != tt.wantTokens || got.Micros != tt.wantMicros || !got.Ends.Equal(tt.wantEnds) || got.UsedPercent != tt.percent || got.Reached() != tt.reached {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt)
		}
	}
}

func TestACallBeyondTheBudgetIsRefused(t *testing.T) {
	spec := v1alpha1.AccountSpec{Budget: &v1alpha1.AccountBudget{TokensPerMonth: new(int64(100))}}
	u := v1alpha1.AccountLedgerSpec{}
	ledger.AddSpent(&u, spec.Budget, spent(noon, 99, 0, ""))
	mustReserve(t, &u, spec, charge(1), noon)
	ledger.AddSpent(&u, spec.Budget, spent(noon, 1, 0, ""))
	end := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	wantLimit(t, ledger.Reserve(&u, spec, charge(2), noon), ledger.BudgetReached, end.Sub(noon))
	if u.CreditsUsed != 1 {
		t.Errorf("%d credits were taken, want 1", u.CreditsUsed)
	}
	mustReserve(t, &u, spec, charge(2), end)
}
