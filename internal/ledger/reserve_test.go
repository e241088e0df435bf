package ledger_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

func minuteFull() []time.Duration {
	ages := make([]time.Duration, 0, 60)
	for i := range 60 {
		ages = append(ages, 59*time.Second-time.Duration(i)*time.Millisecond)
	}
	return ages
}

func TestReserve(t *testing.T) {
	midnight := 12 * time.Hour
	for name, tt := range map[string]struct {
		credits   *int64
		daily     *int32
		used      int64
		day       string
		sites     []v1alpha1.SiteUsage
		minute    []time.Duration
		pending   int
		charge    func(*ledger.Charge)
		wantCode  ledger.Code
		wantAfter time.Duration
	}{
		"credits without limit":              {used: 5_000_000},
		"the last credit":                    {credits: new(int64(3)), used: 2},
		"no credits left":                    {credits: new(int64(3)), used: 3, wantCode: ledger.InsufficientCredits},
		"credits taken away afterwards":      {credits: new(int64(1)), used: 3, wantCode: ledger.InsufficientCredits},
		"no credits at all":                  {credits: new(int64(0)), wantCode: ledger.InsufficientCredits},
		"the count at its bound":             {used: 1_000_000_000_000, wantCode: ledger.InsufficientCredits},
		"the 50th article of the site's day": {day: today, sites: []v1alpha1.SiteUsage{{Workspace: "acme-blog", Site: siteName(0), Count: 49}}},
		"the 51st article of the site's day": {
			day: today, sites: []v1alpha1.SiteUsage{{Workspace: "acme-blog", Site: siteName(0), Count: 50}}, wantCode: ledger.DailyLimit, wantAfter: midnight,
		},
		"another site's day is full":  {day: today, sites: []v1alpha1.SiteUsage{{Workspace: "acme-blog", Site: siteName(1), Count: 50}}},
		"yesterday was full":          {day: "2026-11-19", sites: []v1alpha1.SiteUsage{{Workspace: "acme-blog", Site: siteName(0), Count: 50}}},
		"the account's limit reached": {daily: new(int32(2)), day: today, sites: []v1alpha1.SiteUsage{{Workspace: "acme-blog", Site: siteName(0), Count: 2}}, wantCode: ledger.DailyLimit, wantAfter: midnight},
		"the account's limit is more": {daily: new(int32(60)), day: today, sites: []v1alpha1.SiteUsage{{Workspace: "acme-blog", Site: siteName(0), Count: 59}}},
		"the account's limit is zero": {daily: new(int32(0)), wantCode: ledger.DailyLimit, wantAfter: midnight},
		"the site's limit is more than the account's": {
			daily: new(int32(2)), day: today, sites: []v1alpha1.SiteUsage{{Workspace: "acme-blog", Site: siteName(0), Count: 2}},
			charge:   func(c *ledger.Charge) { c.DailyLimit = new(int32(3)) },
			wantCode: ledger.DailyLimit, wantAfter: midnight,
		},
		"the site's limit is more than the default": {
			day: today, sites: []v1alpha1.SiteUsage{{Workspace: "acme-blog", Site: siteName(0), Count: 50}},
			charge:   func(c *ledger.Charge) { c.DailyLimit = new(int32(1_000_000)) },
			wantCode: ledger.DailyLimit, wantAfter: midnight,
		},
		"the site's limit is less than the account's": {
			daily: new(int32(5)), day: today, sites: []v1alpha1.SiteUsage{{Workspace: "acme-blog", Site: siteName(0), Count: 1}},
			charge:   func(c *ledger.Charge) { c.DailyLimit = new(int32(1)) },
			wantCode: ledger.DailyLimit, wantAfter: midnight,
		},
		"the site's limit is zero": {charge: func(c *ledger.Charge) { c.DailyLimit = new(int32(0)) }, wantCode: ledger.DailyLimit, wantAfter: midnight},
		"the day's count at its bound": {
			daily: new(int32(2_000_000)), day: today, sites: []v1alpha1.SiteUsage{{Workspace: "acme-blog", Site: siteName(0), Count: 1_000_000}},
			wantCode: ledger.DailyLimit, wantAfter: midnight,
		},
		"the 60th call of the minute": {minute: minuteFull()[1:]},
		"the 61st call of the minute": {minute: minuteFull(), wantCode: ledger.RateLimited, wantAfter: time.Second},
		"the minute is full, and the charge is not metered": {
			minute: minuteFull(), charge: func(c *ledger.Charge) { c.Metered = false },
		},
		"the ledger is full": {pending: 200, wantCode: ledger.Busy, wantAfter: 5 * time.Second},
		"the run is pending, and nothing else would do": {
			credits: new(int64(0)), daily: new(int32(0)), minute: minuteFull(), pending: 200,
			charge: func(c *ledger.Charge) { c.Run = "pending-7" },
		},
		"429 comes before 402": {
			credits: new(int64(0)), minute: minuteFull(), wantCode: ledger.RateLimited, wantAfter: time.Second,
		},
		"the day's limit too comes before 402": {
			credits: new(int64(0)), daily: new(int32(0)), wantCode: ledger.DailyLimit, wantAfter: midnight,
		},
		"402 comes before busy": {credits: new(int64(0)), pending: 200, wantCode: ledger.InsufficientCredits},
	} {
		t.Run(name, func(t *testing.T) {
			u := v1alpha1.AccountLedgerSpec{CreditsUsed: tt.used, Day: tt.day, Sites: tt.sites}
			for _, age := range tt.minute {
				u.RecentCallTimes = append(u.RecentCallTimes, micro(noon.Add(-age)))
			}
			for i := range tt.pending {
				u.Pending = append(u.Pending, v1alpha1.PendingCharge{
					Run: fmt.Sprintf("pending-%d", i), Workspace: "acme-blog", Article: "article-1", Time: micro(noon),
				})
			}
			c := charge(1)
			if tt.charge != nil {
				tt.charge(&c)
			}
			before := u.DeepCopy()
			spec := v1alpha1.AccountSpec{Credits: tt.credits, Limits: v1alpha1.AccountLimits{ArticlesPerSitePerDay: tt.daily}}
			err := ledger.Reserve(&u, spec, c, noon)
			wantLimit(t, err, tt.wantCode, tt.wantAfter)
			if repeated := strings.HasPrefix(c.Run, "pending-"); err != nil || repeated {
				if !equality.Semantic.DeepEqual(&u, before) {
					t.Errorf("the usage changed: %+v, want %+v", u, before)
				}
				return
			}
			wantCharged(t, before, &u, c)
		})
	}
}

// wantCharged checks that exactly one credit was taken for c at noon.
func wantCharged(t *testing.T, before, u *v1alpha1.AccountLedgerSpec, c ledger.Charge) {
	t.Helper()
	if u.CreditsUsed != before.CreditsUsed+1 || u.Day != today || !ledger.Pending(u, c) {
		t.Errorf("the usage is %+v, want one credit more for %s", u, c.Run)
	}
	last := u.Pending[len(u.Pending)-1]
	want := v1alpha1.PendingCharge{Run: c.Run, Workspace: c.Workspace, Article: c.Article, Site: c.Site, Time: micro(noon)}
	if !equality.Semantic.DeepEqual(last, want) {
		t.Errorf("pending = %+v, want %+v", last, want)
	}
	counted := len(u.RecentCallTimes) > 0 && u.RecentCallTimes[len(u.RecentCallTimes)-1].Time.Equal(noon)
	if counted != c.Metered {
		t.Errorf("counted in the minute: %v, want %v", counted, c.Metered)
	}
}

func TestReserveDoesNotTouchWhatSharesTheUsage(t *testing.T) {
	u := v1alpha1.AccountLedgerSpec{Day: today, Sites: []v1alpha1.SiteUsage{{Workspace: "acme-blog", Site: siteName(0), Count: 1}}}
	shared := u
	mustReserve(t, &u, v1alpha1.AccountSpec{}, charge(1), noon)
	if shared.Sites[0].Count != 1 {
		t.Errorf("the other's count is %d, want 1", shared.Sites[0].Count)
	}
}

func TestReserveIsAsExactAsWhatIsStored(t *testing.T) {
	u := v1alpha1.AccountLedgerSpec{}
	mustReserve(t, &u, v1alpha1.AccountSpec{}, charge(1), noon.Add(1999*time.Nanosecond))
	if want := noon.Add(time.Microsecond); !u.RecentCallTimes[0].Time.Equal(want) {
		t.Errorf("the call is at %s, want %s", u.RecentCallTimes[0].Time, want)
	}
}
