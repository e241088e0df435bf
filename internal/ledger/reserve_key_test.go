package ledger_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

func TestAKeyTakesAtMostItsCreditsOfTheDay(t *testing.T) {
	byKey := func(n int, key string, limit *int32) ledger.Charge {
		return with(charge(n), func(c *ledger.Charge) { c.Key, c.KeyLimit = key, limit })
	}
	two := new(int32(2))
	u, spec := v1alpha1.AccountLedgerSpec{}, v1alpha1.AccountSpec{}
	mustReserve(t, &u, spec, byKey(1, "agent", two), noon)
	if err := ledger.Reserve(&u, spec, byKey(2, "agent", two), noon); err != nil {
		t.Fatal(err)
	}
	wantLimit(t, ledger.Reserve(&u, spec, byKey(3, "agent", two), noon), ledger.KeyLimit, 12*time.Hour)
	wantLimit(t, ledger.Reserve(&u, spec, byKey(3, "idle", new(int32(0))), noon), ledger.KeyLimit, 12*time.Hour)
	mustReserve(t, &u, spec, byKey(4, "other", two), noon)
	mustReserve(t, &u, spec, byKey(5, "agent", nil), noon)
	if got := ledger.UsageOf(&u, spec, noon).OfKey("agent"); got != 2 {
		t.Errorf("the key took %d credits, want 2", got)
	}

	ledger.Return(&u, "acme-blog", charge(2).Run)
	mustReserve(t, &u, spec, byKey(6, "agent", two), noon)
	wantLimit(t, ledger.Reserve(&u, spec, byKey(7, "agent", two), noon), ledger.KeyLimit, 12*time.Hour)
	ledger.AddSpent(&u, nil, ledger.SpentTokens{Tokens: 1, At: noon})
	wantLimit(t, ledger.Reserve(&u, spec, byKey(7, "agent", two), noon), ledger.KeyLimit, 12*time.Hour)
	mustReserve(t, &u, spec, byKey(7, "agent", two), noon.Add(12*time.Hour))
}

func TestARunThatTheControllerChargesCountsForTheKey(t *testing.T) {
	c := ledger.Charge{Key: "agent", KeyLimit: new(int32(2))}
	u, spec := v1alpha1.AccountLedgerSpec{}, v1alpha1.AccountSpec{}
	mustReserve(t, &u, spec, with(charge(1), func(of *ledger.Charge) { of.Key, of.KeyLimit = c.Key, c.KeyLimit }), noon)
	before := u.DeepCopy()
	if err := ledger.CountKey(&u, c, noon); err != nil {
		t.Fatal(err)
	}
	if u.CreditsUsed != before.CreditsUsed || len(u.Pending) != len(before.Pending) || ledger.UsageOf(&u, spec, noon).OfKey("agent") != 2 {
		t.Errorf("got %+v, want one more of the key alone", u)
	}
	wantLimit(t, ledger.CountKey(&u, c, noon), ledger.KeyLimit, 12*time.Hour)
	ledger.UncountKey(&u, c, noon)
	if err := ledger.CountKey(&u, c, noon); err != nil {
		t.Error(err)
	}
	if err := ledger.CountKey(&u, c, noon.Add(12*time.Hour)); err != nil {
		t.Error(err)
	}
	ledger.UncountKey(&u, c, noon)
	if got := ledger.UsageOf(&u, spec, noon.Add(12*time.Hour)).OfKey("agent"); got != 1 {
		t.Errorf("the day after, %d are counted, want 1: what was given back is of the day before", got)
	}
	if err := ledger.CountKey(&u, ledger.Charge{Key: "other"}, noon); err != nil || len(u.KeysToday) != 1 {
		t.Errorf("a key without a limit: %v, %v", err, u.KeysToday)
	}
}

func TestOneDayCountsAtMost100Keys(t *testing.T) {
	u, spec := v1alpha1.AccountLedgerSpec{}, v1alpha1.AccountSpec{Limits: v1alpha1.AccountLimits{ArticlesPerSitePerDay: new(int32(1000))}}
	of := func(n int) ledger.Charge {
		return with(unmetered(n), func(c *ledger.Charge) { c.Key, c.KeyLimit = fmt.Sprintf("key-%d", n), new(int32(5)) })
	}
	for n := range 100 {
		mustReserve(t, &u, spec, of(n), noon)
	}
	wantLimit(t, ledger.Reserve(&u, spec, of(100), noon), ledger.Busy, 12*time.Hour)
	mustReserve(t, &u, spec, of(7), noon)
	mustReserve(t, &u, spec, of(100), noon.Add(12*time.Hour))
}
