package ledger

import (
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
	out.DayEnds = out.day.end(now)
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
