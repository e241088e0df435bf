package ledger_test

import (
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// once allows one article in a day.
var once = v1alpha1.AccountSpec{Limits: v1alpha1.AccountLimits{ArticlesPerSitePerDay: new(int32(1))}}

func unmetered(n int) ledger.Charge {
	return with(charge(n), func(c *ledger.Charge) { c.Metered = false })
}

func TestTheDayBeginsAtMidnightUTC(t *testing.T) {
	midnight := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	// Berlin is an hour ahead: its day is the 21st already.
	berlin := time.FixedZone("CET", 3600)
	u := v1alpha1.AccountLedgerSpec{}
	mustReserve(t, &u, once, unmetered(1), midnight.Add(-90*time.Minute).In(berlin))
	if u.Day != today {
		t.Errorf("day = %s, want %s", u.Day, today)
	}
	wantLimit(t, ledger.Reserve(&u, once, unmetered(2), midnight.Add(-30*time.Minute).In(berlin)), ledger.DailyLimit, 30*time.Minute)
	wantLimit(t, ledger.Reserve(&u, once, unmetered(2), midnight.Add(-time.Microsecond)), ledger.DailyLimit, time.Microsecond)
	mustReserve(t, &u, once, unmetered(2), midnight)
	if u.Day != "2026-11-21" || len(u.Sites) != 1 || u.Sites[0].Count != 1 {
		t.Errorf("after midnight: %s %+v, want one article on the 21st", u.Day, u.Sites)
	}
}

func TestAReplicaWhoseClockIsSlowDoesNotForgetTheNewDay(t *testing.T) {
	u := v1alpha1.AccountLedgerSpec{}
	midnight := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	mustReserve(t, &u, once, unmetered(1), midnight.Add(time.Second))
	slow := midnight.Add(-time.Second)
	wantLimit(t, ledger.Reserve(&u, once, unmetered(2), slow), ledger.DailyLimit, 24*time.Hour+time.Second)
}

func TestADayThatCannotBeIsForgotten(t *testing.T) {
	for _, day := range []string{"2099-01-01", "tomorrow", "2026-11-2"} {
		u := v1alpha1.AccountLedgerSpec{Day: day, Sites: []v1alpha1.SiteUsage{{Workspace: "acme-blog", Site: siteName(0), Count: 1}}}
		mustReserve(t, &u, once, unmetered(1), noon)
		if u.Day != today {
			t.Errorf("day = %s, want %s", u.Day, today)
		}
	}
}

func TestOneDayCountsAtMost500Sites(t *testing.T) {
	u := v1alpha1.AccountLedgerSpec{}
	forSite := func(n, site int) ledger.Charge {
		return with(unmetered(n), func(c *ledger.Charge) { c.Site = siteName(site) })
	}
	for i := range 500 {
		mustReserve(t, &u, v1alpha1.AccountSpec{}, forSite(i, i), noon)
	}
	wantLimit(t, ledger.Reserve(&u, v1alpha1.AccountSpec{}, forSite(500, 500), noon), ledger.Busy, 12*time.Hour)
	// Those that are counted go on, and the new day has room.
	mustReserve(t, &u, v1alpha1.AccountSpec{}, forSite(501, 0), noon)
	mustReserve(t, &u, v1alpha1.AccountSpec{}, forSite(502, 500), noon.Add(12*time.Hour))
}

func TestASiteWhoseArticlesWereAllReturnedMakesRoom(t *testing.T) {
	u := v1alpha1.AccountLedgerSpec{}
	if err := ledger.Reserve(&u, once, unmetered(1), noon); err != nil {
		t.Fatal(err)
	}
	ledger.Return(&u, "acme-blog", charge(1).Run)
	if len(u.Sites) != 0 {
		t.Errorf("sites = %+v, want none", u.Sites)
	}
}
