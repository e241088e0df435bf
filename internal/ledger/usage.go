package ledger

import (
	"errors"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Usage is the usage of an account at a time.
type Usage struct {
	// CreditsUsed so far, minus refunds, of Credits in total; nil without a limit.
	CreditsUsed int64
	Credits     *int64
	// MinuteUsed is the number of metered charges in the last 60 seconds, of MinuteLimit. FreeAt is when the first of them is older;
	// the zero time if there are none.
	MinuteUsed int
	FreeAt     time.Time
	// DayEnds is the end of the UTC day of Today.
	DayEnds time.Time
	// Budget is what the account has used in this month, and what is left of its budget.
	Budget Left

	spec v1alpha1.AccountSpec
	day  day
}

// UsageOf returns the usage of an account with that spec.
func UsageOf(u *v1alpha1.AccountLedgerSpec, spec v1alpha1.AccountSpec, now time.Time) Usage {
	now = now.UTC()
	minute := lastMinute(u.RecentCallTimes, now)
	out := Usage{
		CreditsUsed: u.CreditsUsed, Credits: spec.Credits, MinuteUsed: len(minute), spec: spec, day: dayOf(u, now),
	}
	out.DayEnds, out.Budget = out.day.end(now), BudgetLeft(u, spec.Budget, Held{}, now)
	if len(minute) > 0 {
		out.FreeAt = minute[0].Add(time.Minute)
	}
	return out
}

// CreditsLeft returns how many credits the account may still use.
func (u Usage) CreditsLeft() int64 { return max(credits(u.spec)-u.CreditsUsed, 0) }

// Today returns how many articles were generated for a site today, and how many may be. own is the site's limit, nil if it sets none.
func (u Usage) Today(site types.NamespacedName, own *int32) (used, limit int32) {
	if i := indexOf(u.day.sites, site); i >= 0 {
		used = u.day.sites[i].Count
	}
	return used, dailyLimit(u.spec, Charge{DailyLimit: own})
}

// OfKey returns how many credits an API key has taken today; 0 if they are not limited.
func (u Usage) OfKey(name string) int32 {
	if i := keyIndex(u.day.keys, name); i >= 0 {
		return u.day.keys[i].Count
	}
	return 0
}

// Code names the limit that refuses a charge.
type Code string

const (
	// RateLimited is the account's 60 calls in any minute.
	RateLimited Code = "RateLimited"
	// DailyLimit is the site's articles of a UTC day.
	DailyLimit Code = "DailyLimit"
	// KeyLimit is the API key's credits of a UTC day.
	KeyLimit Code = "KeyLimit"
	// BudgetReached is the account's budget of the month.
	BudgetReached Code = "BudgetReached"
	// BudgetHeld is a budget of which attempts in progress hold what is left.
	BudgetHeld Code = "BudgetHeld"
	// InsufficientCredits is the account's credits.
	InsufficientCredits Code = "InsufficientCredits"
	// Missing is an account without a ledger: a new one, for a moment, or one that was restored without it.
	Missing Code = "Missing"
	// Busy is a ledger that holds the maximum number of entries, or that other replicas kept writing to.
	Busy Code = "Busy"
)

// LimitError means that a limit refuses a charge. Nothing was charged and nothing was counted.
type LimitError struct {
	Code Code
	// RetryAfter is the time after which the limit may have ended. It is zero if time alone does not end it.
	RetryAfter time.Duration
	// Most is how many articles a DailyLimit allows, and how many credits a KeyLimit.
	Most int64
}

// Error describes the limit.
func (e *LimitError) Error() string {
	switch e.Code {
	case RateLimited:
		return fmt.Sprintf("%d articles were asked for within a minute", MinuteLimit)
	case DailyLimit:
		return "the site's daily limit of articles is reached"
	case KeyLimit:
		return "the API key's daily limit of credits is reached"
	case BudgetReached:
		return "the account's budget of the month is reached"
	case BudgetHeld:
		return "attempts in progress hold what is left of the account's budget"
	case InsufficientCredits:
		return "the account has no credits left"
	case Missing:
		return "the account has no ledger"
	default:
		return "the account's ledger is busy"
	}
}

// IgnoreMissing returns nil if the ledger is missing, and otherwise the error: nothing is given back to a ledger that does not exist.
func IgnoreMissing(err error) error {
	if limit, ok := errors.AsType[*LimitError](err); ok && limit.Code == Missing {
		return nil
	}
	return err
}

// ErrUnavailable is wrapped by every error after which it is not known whether the change was made: kube-apiserver failed, or
// the caller gave up.
var ErrUnavailable = errors.New("the ledger cannot be reached")

// ErrNotWritten is wrapped by those errors that wrap ErrUnavailable after which it is certain that the change was not made.
var ErrNotWritten = errors.New("nothing was written")
