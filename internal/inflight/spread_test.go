package inflight_test

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/internal/inflight"
)

const spreadHosts = 4

// spreadLimits leave a second between two objects that are notified.
func spreadLimits() inflight.Limits {
	return inflight.Limits{Total: 20, PerHost: 1, Spread: 20 * time.Second, Timeout: 30 * time.Second}
}

// hanging has a call in progress to each of some hosts that never answer, and an object that waits for each of them.
func hanging(t *testing.T, limits inflight.Limits) (tracker *inflight.Tracker[string], notified chan types.NamespacedName) {
	t.Helper()
	tracker, notified = newTimingOut(limits)
	t.Cleanup(tracker.CancelAll)
	for n := range spreadHosts {
		hang(t, tracker, key(fmt.Sprint("called-", n)), n)
	}
	for n := range spreadHosts {
		if tracker.Acquire(key(fmt.Sprint("waits-", n)), of("loud", strconv.Itoa(n))) != nil {
			t.Fatalf("the host %d has two slots", n)
		}
	}
	return tracker, notified
}

// hang begins a call that times out.
func hang(t *testing.T, tracker *inflight.Tracker[string], k types.NamespacedName, host int) {
	t.Helper()
	slot := tracker.Acquire(k, of("loud", strconv.Itoa(host)))
	if slot == nil {
		t.Fatalf("%s has no slot", k.Name)
	}
	slot.Go(t.Context(), k.Name, func(ctx context.Context) string {
		<-ctx.Done()
		return hangs
	})
}

// now returns the names of the objects that were notified and not received yet.
func now(notified chan types.NamespacedName) []string {
	synctest.Wait()
	var names []string
	for len(notified) > 0 {
		names = append(names, (<-notified).Name)
	}
	slices.Sort(names)
	return names
}

func expectNow(t *testing.T, notified chan types.NamespacedName, want ...string) {
	t.Helper()
	if got := now(notified); !slices.Equal(got, want) {
		t.Errorf("notified of %q, want %q", got, want)
	}
}

// sorts returns the first letter of each name.
func sorts(names []string) string {
	var kinds strings.Builder
	for _, name := range names {
		kinds.WriteByte(name[0])
	}
	return kinds.String()
}

func TestCallsThatTimeOutTogetherAreRecordedOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tracker, notified := hanging(t, spreadLimits())
		var times []string
		for range 40 {
			time.Sleep(time.Second)
			names := now(notified)
			times = append(times, sorts(names))
			for _, name := range names {
				if name[0] == 'w' {
					n, _ := strconv.Atoi(name[len("waits-"):])
					hang(t, tracker, key(name), n)
				}
			}
		}
		// The calls that have timed out, and then the next ones, which begin.
		if got, want := fmt.Sprint(times[29:38]), "[c c c c w w w w ]"; got != want {
			t.Errorf("from the timeout on, notified of %s each second, want %s", got, want)
		}
	})
}

// What began one after the other times out one after the other, and never together again.
func TestCallsOfHostsThatTimeOutAreNotMadeTogetherAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tracker, notified := hanging(t, spreadLimits())
		most, begun := 0, map[string]bool{}
		for second := range 200 {
			time.Sleep(time.Second)
			names := now(notified)
			most = max(most, len(names))
			for _, name := range names {
				if name[0] == 'c' || begun[name] {
					continue // it has timed out
				}
				host, _ := strconv.Atoi(name[len(name)-1:])
				hang(t, tracker, key(name), host)
				begun[name] = true
				tracker.Acquire(key(fmt.Sprintf("waits-%d-%d", second, host)), of("loud", strconv.Itoa(host)))
			}
		}
		if len(begun) < 20 {
			t.Errorf("%d calls were made in 200 seconds of 4 hosts that take 30 seconds each, want more than 20", len(begun))
		}
		if most > 1 {
			t.Errorf("%d objects were notified at once", most)
		}
	})
}

func TestHostsThatAnswerDoNotWaitForThoseThatDoNot(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tracker, notified := hanging(t, spreadLimits())
		time.Sleep(30 * time.Second)
		if got := len(now(notified)); got != 1 {
			t.Fatalf("%d objects were notified, want one", got)
		}
		slot := tracker.Acquire(key("healthy"), of("quiet", "healthy"))
		if slot == nil {
			t.Fatal("a host that answers got no slot")
		}
		slot.Go(t.Context(), "healthy", func(context.Context) string { return answers })
		expectNow(t, notified, "healthy")
	})
}

func TestWithoutASpreadAllAreNotifiedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		limits := spreadLimits()
		limits.Spread = 0
		_, notified := hanging(t, limits)
		time.Sleep(30 * time.Second)
		expectNow(t, notified, "called-0", "called-1", "called-2", "called-3", "waits-0", "waits-1", "waits-2", "waits-3")
	})
}

// A process that stops records all timeouts.
func TestTimeoutsThatWaitForTheirTurnAreDrained(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tracker, notified := hanging(t, spreadLimits())
		time.Sleep(30 * time.Second)
		now(notified)
		if got := len(tracker.Drain(t.Context())); got != spreadHosts {
			t.Errorf("%d calls are to be recorded, want %d", got, spreadHosts)
		}
	})
}
