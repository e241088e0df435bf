// Package ledger keeps what accounts have used: credits, articles of a site in a day, calls in a minute. The arithmetic is
// pure, on the usage in an Account's status; the Charger makes many changes of one account in one compare-and-swap
// (design, section 4).
package ledger

import (
	"errors"
	"fmt"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Bounds of the usage, which are the CRD's.
const (
	// MinuteLimit is the number of metered charges in any 60 seconds (contract, section 8).
	MinuteLimit = 60
	// MaxPending is the number of charges that may wait for their Article.
	MaxPending = 200
	// MaxRefunded is the number of refunds that may wait to be recorded by their Article.
	MaxRefunded = 200
	// MaxSites is the number of sites that one day counts.
	MaxSites = 500
	// maxCredits is as far as the count of credits goes, for accounts without a limit too.
	maxCredits = 1_000_000_000_000
	// maxCount is as far as the count of a site's day goes.
	maxCount = 1_000_000
)

// busyRetry is when to try again while too many charges wait: the controller confirms them every few seconds.
const busyRetry = 5 * time.Second

// Charge is one credit for one run.
type Charge struct {
	// Account to charge, by name.
	Account string
	// Run that the credit is for: the name of the revision that it makes.
	Run string
	// Workspace and Article of the run, by name.
	Workspace, Article string
	// SiteUID is the uid of the site, as the REST API names it.
	SiteUID string
	// DailyLimit is the site's own limit, nil where it sets none.
	DailyLimit *int32
	// Metered charges count among the calls of a minute: those that came through the REST API.
	Metered bool
}

// Reserve takes a credit for a run, to be confirmed by Settle or given back by Return. It answers with a *LimitError, and
// leaves the usage as it is, where a limit forbids it. A run that is pending is not charged again.
func Reserve(u *v1alpha1.AccountUsage, spec v1alpha1.AccountSpec, c Charge, now time.Time) error {
	if err := c.validate(); err != nil {
		return err
	}
	if Pending(u, c.Run) {
		return nil
	}
	// As exact as a MicroTime, so that what is compared is what is stored.
	now = now.UTC().Truncate(time.Microsecond)
	minute := lastMinute(u.Minute, now)
	if c.Metered && len(minute) >= MinuteLimit {
		return &LimitError{Code: RateLimited, RetryAfter: minute[0].Add(time.Minute).Sub(now)}
	}
	today := dayOf(u, now)
	if err := today.admits(c.SiteUID, dailyLimit(spec, c), now); err != nil {
		return err
	}
	if u.CreditsUsed >= credits(spec) {
		return &LimitError{Code: InsufficientCredits}
	}
	if len(u.Pending) >= MaxPending {
		return &LimitError{Code: Busy, RetryAfter: busyRetry}
	}

	if c.Metered {
		minute = insert(minute, now)
	}
	u.Minute = minute
	u.Day, u.Sites = today.name, today.plusOne(c.SiteUID)
	u.CreditsUsed++
	u.Pending = append(u.Pending, v1alpha1.PendingCharge{
		Run: c.Run, Workspace: c.Workspace, Article: c.Article, Site: c.SiteUID, At: metav1.NewMicroTime(now),
	})
	return nil
}

// Pending reports whether a run is charged and not yet confirmed.
func Pending(u *v1alpha1.AccountUsage, run string) bool {
	return slices.ContainsFunc(u.Pending, func(p v1alpha1.PendingCharge) bool { return p.Run == run })
}

// credits returns the number of credits that the account may use in all.
func credits(spec v1alpha1.AccountSpec) int64 {
	if spec.Credits == nil {
		return maxCredits
	}
	return min(*spec.Credits, maxCredits)
}

// dailyLimit returns the site's own limit, else the account's, else the default.
func dailyLimit(spec v1alpha1.AccountSpec, c Charge) int32 {
	switch {
	case c.DailyLimit != nil:
		return *c.DailyLimit
	case spec.Limits.ArticlesPerSitePerDay != nil:
		return *spec.Limits.ArticlesPerSitePerDay
	default:
		return v1alpha1.DefaultArticlesPerSitePerDay
	}
}

// validate refuses what the API server would refuse, so that one bad charge does not take others of its batch with it.
func (c Charge) validate() error {
	for _, field := range []struct {
		name, value string
		min, max    int
	}{
		{"run", c.Run, 1, 253},
		{"workspace", c.Workspace, 1, 63},
		{"article", c.Article, 1, 200},
		{"site", c.SiteUID, 36, 36},
	} {
		if n := len(field.value); n < field.min || n > field.max {
			return fmt.Errorf("the charge's %s has %d characters: %w", field.name, n, errInvalid)
		}
	}
	return nil
}

var errInvalid = errors.New("invalid charge")
