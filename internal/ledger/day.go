package ledger

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// day counts the articles of each site on one UTC day.
type day struct {
	name  string
	sites []v1alpha1.SiteUsage
}

// dayOf returns the day of now: the one that the usage counts, or a new one.
func dayOf(u *v1alpha1.AccountLedgerSpec, now time.Time) day {
	today := now.Format(time.DateOnly)
	tomorrow := now.AddDate(0, 0, 1).Format(time.DateOnly)
	// If another replica's clock has passed midnight already, going back would forget its count.
	if u.Day == today || u.Day == tomorrow {
		return day{name: u.Day, sites: u.Sites}
	}
	return day{name: today}
}

// admits returns a *LimitError if the site may have no more articles on this day.
func (d day) admits(site types.NamespacedName, limit int32, now time.Time) error {
	i := indexOf(d.sites, site)
	if i < 0 {
		if limit <= 0 {
			return &LimitError{Code: DailyLimit, RetryAfter: d.end(now).Sub(now), Most: int64(limit)}
		}
		// Sites without articles have no entry. MaxSites is more sites than list-sites returns (docs/reference/contract.md, Limits).
		if len(d.sites) >= MaxSites {
			return &LimitError{Code: Busy, RetryAfter: d.end(now).Sub(now)}
		}
		return nil
	}
	if d.sites[i].Count >= min(limit, maxCount) {
		return &LimitError{Code: DailyLimit, RetryAfter: d.end(now).Sub(now), Most: int64(limit)}
	}
	return nil
}

// end returns the midnight at the end of the day.
func (d day) end(now time.Time) time.Time {
	begin, err := time.Parse(time.DateOnly, d.name)
	if err != nil {
		begin = now.Truncate(24 * time.Hour)
	}
	return begin.AddDate(0, 0, 1)
}

// plusOne returns the counts after one more article of a site.
func (d day) plusOne(site types.NamespacedName) []v1alpha1.SiteUsage {
	sites := slices.Clone(d.sites)
	if i := indexOf(sites, site); i >= 0 {
		sites[i].Count++
		return sites
	}
	return append(sites, v1alpha1.SiteUsage{Workspace: site.Namespace, Site: site.Name, Count: 1})
}

// minusOne subtracts one from the site's count if the usage still counts the day of at.
func minusOne(u *v1alpha1.AccountLedgerSpec, site types.NamespacedName, at time.Time) {
	i := indexOf(u.Sites, site)
	if i < 0 || u.Day != at.UTC().Format(time.DateOnly) {
		return
	}
	if u.Sites[i].Count--; u.Sites[i].Count <= 0 && u.Sites[i].Tokens == 0 {
		u.Sites = slices.Delete(u.Sites, i, i+1)
	}
}

func indexOf(sites []v1alpha1.SiteUsage, site types.NamespacedName) int {
	return slices.IndexFunc(sites, func(s v1alpha1.SiteUsage) bool { return s.Workspace == site.Namespace && s.Site == site.Name })
}

// lastMinute returns the times less than 60 seconds ago. Times up to a minute in the future count too: a replica whose clock
// is fast wrote them. Times further in the future do not, so that a wrong clock cannot lock the account.
func lastMinute(times []v1alpha1.MicroTime, now time.Time) []v1alpha1.MicroTime {
	recent := make([]v1alpha1.MicroTime, 0, len(times)+1)
	for _, t := range times {
		if age := now.Sub(t.Time); age < time.Minute && age > -time.Minute {
			recent = append(recent, t)
		}
	}
	return recent
}

// insert adds now in the order of time, even if the clocks of replicas differ.
func insert(times []v1alpha1.MicroTime, now time.Time) []v1alpha1.MicroTime {
	i := len(times)
	for i > 0 && times[i-1].After(now) {
		i--
	}
	return slices.Insert(times, i, v1alpha1.NewMicroTime(now))
}
