// Package ledger counts what accounts use: credits, articles of a site in a day, calls in a minute. The arithmetic is pure, on the
// spec of an AccountLedger. The Charger writes many changes of one ledger in one compare-and-swap.
package ledger

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Bounds of the usage, as in the CRD.
const (
	// MinuteLimit is the number of metered charges in any 60 seconds (docs/reference/contract.md, Limits).
	MinuteLimit = 60
	// MaxPending is the number of charges that may wait for their Article.
	MaxPending = 200
	// MaxRefunded is the number of refunds that may wait to be recorded by their Article.
	MaxRefunded = 200
	// MaxSites is the number of sites that one day counts.
	MaxSites = 500
	// MaxKeys is the number of API keys with a limit that one day counts.
	MaxKeys = 100
	// maxCredits bounds the count of credits, also of accounts without a limit.
	maxCredits = 1_000_000_000_000
	// maxCount bounds the count of a site's day.
	maxCount = 1_000_000
)

// busyRetry is when to try again if too many charges are pending. The controller confirms them every few seconds.
const busyRetry = 5 * time.Second

// heldRetry is when to try again if attempts in progress hold what is left of a budget. An attempt takes minutes.
const heldRetry = 30 * time.Second

// Charge describes one credit for one run.
type Charge struct {
	// Account to charge, by name.
	Account string
	// Run that the credit is for: the name of the revision that the run makes.
	Run string
	// Workspace and Article of the run, by name.
	Workspace, Article string
	// ArticleUID is the metadata.uid of the Article, which takes the charge over. It is empty if the Article does not exist yet.
	ArticleUID string
	// LastRun is the number of the last run that the Article's status records, or 0. Only the controller sets it.
	LastRun int32
	// Site of the article, by name.
	Site string
	// DailyLimit is the site's own limit, or nil if it sets none.
	DailyLimit *int32
	// Key is the name of the API key that asks, and KeyLimit its credits of a day, or nil if it has no limit.
	Key      string
	KeyLimit *int32
	// Metered charges count as calls of the minute: those of the REST API.
	Metered bool
}

// Reserve takes a credit for a run, to be confirmed by ConfirmCharges or undone by Return. If a limit refuses it, Reserve
// returns a *LimitError and leaves the usage as it is. A run that is pending is not charged again.
//
// An Article that exists takes over the charge of the call that created it, and the charge of a run of its own that did not
// begin: for any of its runs, because one that did not begin has cost nothing. The charge keeps the name of its run, by which the
// Article's status may know it already (prepaid). The charge of an earlier Article of its name is never used again.
func Reserve(u *v1alpha1.AccountLedgerSpec, spec v1alpha1.AccountSpec, c Charge, now time.Time) error {
	if i := pendingIndex(u, c); i >= 0 {
		if c.ArticleUID != "" {
			u.Pending = slices.Clone(u.Pending)
			u.Pending[i].ArticleUID = c.ArticleUID
		}
		return nil
	}
	// Truncated to the precision of MicroTime, so that comparisons see the stored value.
	now = now.UTC().Truncate(time.Microsecond)
	minute := lastMinute(u.RecentCallTimes, now)
	if c.Metered && len(minute) >= MinuteLimit {
		return &LimitError{Code: RateLimited, RetryAfter: minute[0].Add(time.Minute).Sub(now)}
	}
	today, site := dayOf(u, now), types.NamespacedName{Namespace: c.Workspace, Name: c.Site}
	if err := today.admits(site, dailyLimit(spec, c), now); err != nil {
		return err
	}
	if err := today.admitsKey(c, now); err != nil {
		return err
	}
	if u.CreditsUsed >= credits(spec) {
		return &LimitError{Code: InsufficientCredits}
	}
	if err := CheckBudget(u, spec.Budget, now); err != nil {
		return err
	}
	if len(u.Pending) >= MaxPending {
		return &LimitError{Code: Busy, RetryAfter: busyRetry}
	}

	if c.Metered {
		minute = insert(minute, now)
	}
	u.RecentCallTimes = minute
	u.Day, u.Sites, u.KeysToday = today.name, today.plusOne(site), today.plusKey(c)
	u.CreditsUsed++
	p := v1alpha1.PendingCharge{
		Run: c.Run, Workspace: c.Workspace, Article: c.Article, ArticleUID: c.ArticleUID, Site: c.Site, Time: v1alpha1.NewMicroTime(now),
	}
	if c.KeyLimit != nil {
		p.Key = c.Key
	}
	u.Pending = append(u.Pending, p)
	return nil
}

// Check returns the error that Reserve would return, and changes nothing. It copies no list but that of the calls: Reserve replaces the
// others, or appends to them.
func Check(u *v1alpha1.AccountLedgerSpec, spec v1alpha1.AccountSpec, c Charge, now time.Time) error {
	tried := *u
	tried.Pending, tried.RecentCallTimes = slices.Clip(u.Pending), slices.Clone(u.RecentCallTimes)
	return Reserve(&tried, spec, c, now)
}

// Pending reports whether a charge is pending that pays for c, so that Reserve would take no credit.
func Pending(u *v1alpha1.AccountLedgerSpec, c Charge) bool { return pendingIndex(u, c) >= 0 }

// pendingIndex returns the index of the pending charge that pays for c, or -1. A charge that the Article has already is preferred to
// one that it would take over.
func pendingIndex(u *v1alpha1.AccountLedgerSpec, c Charge) int {
	free := -1
	for i, p := range u.Pending {
		switch {
		case p.Workspace != c.Workspace || p.Article != c.Article:
		case c.ArticleUID == "" && p.Run == c.Run:
			return i
		case c.ArticleUID != "" && p.ArticleUID == c.ArticleUID && RunNumber(p.Run) > c.LastRun:
			return i
		case c.ArticleUID != "" && p.ArticleUID == "":
			free = i
		}
	}
	return free
}

// RunNumber returns the number at the end of a run's id; 0 if it has none.
func RunNumber(run string) int32 {
	n, err := strconv.ParseInt(run[strings.LastIndexByte(run, '-')+1:], 10, 32)
	if err != nil {
		return 0
	}
	return int32(n)
}

// LastRun returns the number of the last run that an article's status records, or 0.
func LastRun(a *v1alpha1.Article) int32 {
	if a.Status.Run == nil {
		return 0
	}
	return a.Status.Run.Number
}

// credits returns how many credits the account may use in total.
func credits(spec v1alpha1.AccountSpec) int64 {
	if spec.Credits == nil {
		return maxCredits
	}
	return min(*spec.Credits, maxCredits)
}

// dailyLimit returns the account's limit, or the site's own if that is lower: people who may write Sites cannot raise the account's
// limit.
func dailyLimit(spec v1alpha1.AccountSpec, c Charge) int32 {
	limit := ptr.Deref(spec.Limits.ArticlesPerSitePerDay, v1alpha1.DefaultArticlesPerSitePerDay)
	return min(limit, ptr.Deref(c.DailyLimit, limit))
}
