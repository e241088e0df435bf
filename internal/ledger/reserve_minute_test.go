package ledger_test

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// unlimited has no limit but that of the minute.
var unlimited = v1alpha1.AccountSpec{Limits: v1alpha1.AccountLimits{ArticlesPerSitePerDay: new(int32(1_000_000))}}

func TestThe61stCallWaitsExactlyUntilTheFirstIsAMinuteOld(t *testing.T) {
	u := v1alpha1.AccountLedgerSpec{}
	for i := range 60 {
		mustReserve(t, &u, unlimited, charge(i), noon.Add(time.Duration(i)*500*time.Millisecond))
	}
	now := noon.Add(45*time.Second + 123*time.Microsecond)
	wantLimit(t, ledger.Reserve(&u, unlimited, charge(60), now), ledger.RateLimited, 15*time.Second-123*time.Microsecond)
	now = noon.Add(time.Minute - time.Microsecond)
	wantLimit(t, ledger.Reserve(&u, unlimited, charge(60), now), ledger.RateLimited, time.Microsecond)
	mustReserve(t, &u, unlimited, charge(60), noon.Add(time.Minute))
	wantLimit(t, ledger.Reserve(&u, unlimited, charge(61), noon.Add(time.Minute)), ledger.RateLimited, 500*time.Millisecond)
}

// Callers that ask at random, and at the times that Retry-After names, get exactly as many as fit: never more than 60 within any 60
// seconds, and never a refusal that was not needed.
func TestAny60SecondsHaveAtMost60Calls(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	u, now := v1alpha1.AccountLedgerSpec{}, noon
	var accepted []time.Time
	for n := range 5000 {
		now = now.Add(time.Duration(random.IntN(1_000_000)) * time.Microsecond)
		err := ledger.Reserve(&u, unlimited, charge(n), now)
		inWindow := 0
		for _, at := range slices.Backward(accepted) {
			if now.Sub(at) >= time.Minute {
				break
			}
			inWindow++
		}
		if want := inWindow < 60; (err == nil) != want {
			t.Fatalf("call %d with %d in the last minute: err = %v", n, inWindow, err)
		}
		if err == nil {
			accepted = append(accepted, now)
			ledger.ConfirmCharges(&u, pending(charge(n)))
		}
		if len(u.RecentCallTimes) > 60 {
			t.Fatalf("%d times are kept, the CRD allows 60", len(u.RecentCallTimes))
		}
	}
	if len(accepted) == 5000 {
		t.Error("nothing was refused: the test proves nothing")
	}
}

func TestARefusalLeavesTheTimesAlone(t *testing.T) {
	u := v1alpha1.AccountLedgerSpec{}
	for i := range 60 {
		mustReserve(t, &u, unlimited, charge(i), noon)
	}
	for i := range 1000 {
		wantLimit(t, ledger.Reserve(&u, unlimited, charge(100+i), noon.Add(59*time.Second)), ledger.RateLimited, time.Second)
	}
	mustReserve(t, &u, unlimited, charge(60), noon.Add(time.Minute))
}

func TestReplicasWhoseClocksDifferKeepTheTimesInOrder(t *testing.T) {
	u := v1alpha1.AccountLedgerSpec{}
	for i, skew := range []time.Duration{0, 2 * time.Second, -time.Second, 3 * time.Second, -2 * time.Second, time.Second} {
		mustReserve(t, &u, unlimited, charge(i), noon.Add(skew))
	}
	if !slices.IsSortedFunc(u.RecentCallTimes, func(a, b v1alpha1.MicroTime) int { return a.Compare(b.Time) }) || len(u.RecentCallTimes) != 6 {
		t.Errorf("minute = %v, want 6 times in order", u.RecentCallTimes)
	}
}

func TestAClockThatIsHoursFastDoesNotLockTheAccount(t *testing.T) {
	u := v1alpha1.AccountLedgerSpec{}
	for i := range 60 {
		mustReserve(t, &u, unlimited, charge(i), noon.Add(3*time.Hour))
	}
	mustReserve(t, &u, unlimited, charge(60), noon)
}
