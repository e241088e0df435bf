package ledger

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// day counts the articles of each site, and the credits of each key, on one UTC day.
type day struct {
	name  string
	sites []v1alpha1.SiteUsage
	keys  []v1alpha1.KeyUsage
}

// dayOf returns the day of now: the one that the usage counts, or a new one.
func dayOf(u *v1alpha1.AccountLedgerSpec, now time.Time) day {
	today := now.Format(time.DateOnly)
	tomorrow := now.AddDate(0, 0, 1).Format(time.DateOnly)
	// If another replica's clock has passed midnight already, going back would forget its count.
	if u.Day == today || u.Day == tomorrow {
		return day{name: u.Day, sites: u.Sites, keys: u.KeysToday}
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

// admitsKey returns a *LimitError if an API key may take no more credits on this day.
func (d day) admitsKey(c Charge, now time.Time) error {
	if c.KeyLimit == nil {
		return nil
	}
	i := keyIndex(d.keys, c.Key)
	switch {
	case *c.KeyLimit <= 0 || i >= 0 && d.keys[i].Count >= min(*c.KeyLimit, maxCount):
		return &LimitError{Code: KeyLimit, RetryAfter: d.end(now).Sub(now), Most: int64(*c.KeyLimit)}
	case i < 0 && len(d.keys) >= MaxKeys:
		return &LimitError{Code: Busy, RetryAfter: d.end(now).Sub(now)}
	}
	return nil
}

// plusKey returns the counts after one more credit of a key; the same ones if its credits are not limited.
func (d day) plusKey(c Charge) []v1alpha1.KeyUsage {
	if c.KeyLimit == nil {
		return d.keys
	}
	keys := slices.Clone(d.keys)
	if i := keyIndex(keys, c.Key); i >= 0 {
		keys[i].Count++
		return keys
	}
	return append(keys, v1alpha1.KeyUsage{Key: c.Key, Count: 1})
}

// CountKey counts one of an API key's credits of the day, for a run that the controller charges: it does not know the key. It returns a
// *LimitError and changes nothing if the key may take no more.
func CountKey(u *v1alpha1.AccountLedgerSpec, c Charge, now time.Time) error {
	now = now.UTC()
	today := dayOf(u, now)
	if err := today.admitsKey(c, now); err != nil {
		return err
	}
	u.Day, u.Sites, u.KeysToday = today.name, today.sites, today.plusKey(c)
	return nil
}

// UncountKey takes back what CountKey has counted at a time.
func UncountKey(u *v1alpha1.AccountLedgerSpec, c Charge, at time.Time) {
	if c.KeyLimit != nil && u.Day == at.UTC().Format(time.DateOnly) {
		minusKey(u, c.Key)
	}
}

// minusKey subtracts one from the count of a key.
func minusKey(u *v1alpha1.AccountLedgerSpec, key string) {
	if i := keyIndex(u.KeysToday, key); i >= 0 {
		if u.KeysToday[i].Count--; u.KeysToday[i].Count <= 0 {
			u.KeysToday = slices.Delete(u.KeysToday, i, i+1)
		}
	}
}

func keyIndex(keys []v1alpha1.KeyUsage, key string) int {
	return slices.IndexFunc(keys, func(k v1alpha1.KeyUsage) bool { return k.Key == key })
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

// minusOne subtracts one from the counts of a charge's site and key if the usage still counts its day.
func minusOne(u *v1alpha1.AccountLedgerSpec, p v1alpha1.PendingCharge) {
	if u.Day != p.Time.UTC().Format(time.DateOnly) {
		return
	}
	minusKey(u, p.Key)
	i := indexOf(u.Sites, types.NamespacedName{Namespace: p.Workspace, Name: p.Site})
	if i < 0 {
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
