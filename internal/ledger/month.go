package ledger

import (
	"math"
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/money"
)

const (
	monthForm = "2006-01"
	// maxCurrencies is the number of currencies that one month counts.
	maxCurrencies = 4
	// maxSpend bounds the cost of a month, in millionths of its currency.
	maxSpend = 1_000_000_000*money.Million - 1
)

// Month returns what an account has used in the month of now. A month that another clock has begun stays.
func Month(u *v1alpha1.AccountLedgerSpec, now time.Time) v1alpha1.MonthUsage {
	now = now.UTC()
	name := now.Format(monthForm)
	if tomorrow := now.AddDate(0, 0, 1).Format(monthForm); monthIndex(u, tomorrow) >= 0 {
		name = tomorrow
	}
	if i := monthIndex(u, name); i >= 0 {
		return u.Months[i]
	}
	return v1alpha1.MonthUsage{Month: name}
}

func monthIndex(u *v1alpha1.AccountLedgerSpec, name string) int {
	return slices.IndexFunc(u.Months, func(m v1alpha1.MonthUsage) bool { return m.Month == name })
}

// monthAfter returns the beginning of the month that is so many months after that of a name.
func monthAfter(name string, months int) time.Time {
	begin, err := time.Parse(monthForm, name)
	if err != nil {
		return time.Time{}
	}
	return begin.AddDate(0, months, 0)
}

// AddSpent counts what attempts have used: in the day of their sites, and in the month. budget, which may be nil, is that of the account:
// its currency is counted in any case, and others up to 4 of a month.
func AddSpent(u *v1alpha1.AccountLedgerSpec, budget *v1alpha1.AccountBudget, spent ...SpentTokens) {
	for _, s := range spent {
		if s.Tokens > 0 {
			addToDay(u, s)
			addToMonth(u, budget, s)
		}
	}
}

// addToMonth replaces the list of months, and changes nothing in it. It keeps the month, and the one before.
func addToMonth(u *v1alpha1.AccountLedgerSpec, budget *v1alpha1.AccountBudget, s SpentTokens) {
	m := Month(u, s.At)
	m.Tokens = min(m.Tokens+s.Tokens, maxTokens)
	m.Spend = plusCost(m.Spend, currencyOf(budget), s)
	months := []v1alpha1.MonthUsage{m}
	if i := monthIndex(u, monthAfter(m.Month, -1).Format(monthForm)); i >= 0 {
		months = []v1alpha1.MonthUsage{u.Months[i], m}
	}
	u.Months = months
}

// plusCost returns the costs of a month after one more.
func plusCost(spend []v1alpha1.Cost, own v1alpha1.Currency, s SpentTokens) []v1alpha1.Cost {
	if s.Currency == "" || s.Micros <= 0 {
		return spend
	}
	spend = slices.Clone(spend)
	currency := s.Currency
	i := costIndex(spend, currency)
	switch {
	case i >= 0:
	case len(spend) < maxCurrencies:
		i, spend = len(spend), append(spend, v1alpha1.Cost{Currency: currency})
	case currency == own:
		i = len(spend) - 1
		spend[i] = v1alpha1.Cost{Currency: currency}
	default:
		return spend
	}
	spend[i].Amount = money.Format(min(millionths(spend[i].Amount)+s.Micros, maxSpend))
	return spend
}

func costIndex(spend []v1alpha1.Cost, currency v1alpha1.Currency) int {
	return slices.IndexFunc(spend, func(c v1alpha1.Cost) bool { return c.Currency == currency })
}

// millionths reads an amount that the schema admits. Another one is 0.
func millionths(amount string) int64 {
	n, _ := money.Parse(amount)
	return n
}

// currencyOf returns the currency of a budget; empty if it is not in money.
func currencyOf(budget *v1alpha1.AccountBudget) v1alpha1.Currency {
	if budget == nil || budget.SpendPerMonth == nil {
		return ""
	}
	return budget.SpendPerMonth.Currency
}

// Held are the tokens that attempts in progress hold of a budget, and what they may cost, in millionths of the budget's currency.
type Held struct{ Tokens, Micros int64 }

// Left is what is left of an account's budget in a month.
type Left struct {
	// Used is what the account has used in the month, without what is held.
	Used v1alpha1.MonthUsage
	// Ends is when the next month begins.
	Ends time.Time
	// Tokens and Micros are what is left of tokens, and of money in millionths of the budget's currency: zero or less if the budget is
	// reached, and math.MaxInt64 without a limit.
	Tokens, Micros int64
	// UsedPercent is how much of the budget is used, without what is held, rounded down.
	UsedPercent int32
}

// Reached reports whether nothing is left of the tokens, or of the money.
func (l Left) Reached() bool { return l.Tokens <= 0 || l.Micros <= 0 }

// BudgetLeft returns what is left of a budget, which is nil without a limit, in the month of now.
func BudgetLeft(u *v1alpha1.AccountLedgerSpec, budget *v1alpha1.AccountBudget, held Held, now time.Time) Left {
	used := Month(u, now)
	left := Left{Used: used, Ends: monthAfter(used.Month, 1), Tokens: math.MaxInt64, Micros: math.MaxInt64}
	if budget == nil {
		return left
	}
	if limit := budget.TokensPerMonth; limit != nil {
		left.Tokens, left.UsedPercent = *limit-used.Tokens-held.Tokens, percent(used.Tokens, *limit)
	}
	if own := budget.SpendPerMonth; own != nil {
		limit, spent := millionths(own.Amount), int64(0)
		if i := costIndex(used.Spend, own.Currency); i >= 0 {
			spent = millionths(used.Spend[i].Amount)
		}
		left.Micros, left.UsedPercent = limit-spent-held.Micros, max(left.UsedPercent, percent(spent, limit))
	}
	return left
}

// CheckBudget returns a *LimitError if a budget, which is nil without a limit, is reached.
func CheckBudget(u *v1alpha1.AccountLedgerSpec, budget *v1alpha1.AccountBudget, now time.Time) error {
	if left := BudgetLeft(u, budget, Held{}, now); left.Reached() {
		return &LimitError{Code: BudgetReached, RetryAfter: left.Ends.Sub(now)}
	}
	return nil
}

// maxPercent bounds how much of a budget is said to be used, which can have been lowered.
const maxPercent = 1_000_000

func percent(used, limit int64) int32 {
	return int32(min(used*100/max(limit, 1), maxPercent)) //nolint:gosec // it is bounded
}

// costBound returns what tokens cost at the most, in millionths, if the dearest million of them costs price.
func costBound(tokens, price int64) int64 {
	if price > 0 && tokens > (math.MaxInt64-money.Million)/price {
		return maxSpend
	}
	return min((tokens*price+money.Million-1)/money.Million, maxSpend)
}

// affordable returns how many tokens an amount buys for certain, if the dearest million of them costs price.
func affordable(micros, price int64) int64 {
	switch {
	case price <= 0:
		return math.MaxInt64
	case micros > math.MaxInt64/money.Million:
		return micros / price * money.Million
	default:
		return micros * money.Million / price
	}
}
