package inflight_test

import (
	"context"
	"fmt"
	"strconv"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/internal/inflight"
)

// of is a request of an account to call a host of a domain of the same name.
func of(account, host string) inflight.SlotRequest {
	return inflight.SlotRequest{Account: account, Host: host, Domain: host}
}

// held acquires so many slots for a request, and fails if there are fewer.
func held(t *testing.T, tracker *inflight.Tracker[string], request inflight.SlotRequest, n int) []*inflight.Slot[string] {
	t.Helper()
	slots := make([]*inflight.Slot[string], n)
	for i := range slots {
		if slots[i] = tracker.Acquire(key(fmt.Sprint(request.Account, request.Host, i)), request); slots[i] == nil {
			t.Fatalf("%v got %d slots, want %d", request, i, n)
		}
	}
	return slots
}

func TestCaps(t *testing.T) {
	limits := inflight.Limits{Total: 20, PerAccount: 6, PerDomain: 4, PerHost: 2}
	shop := func(account, host string) inflight.SlotRequest {
		return inflight.SlotRequest{Account: account, Host: host, Domain: "shops.example"}
	}
	tests := map[string]struct {
		inUse   []inflight.SlotRequest
		request inflight.SlotRequest
		want    bool
	}{
		"nothing is in use":    {request: of("a", "h"), want: true},
		"the host's slots are": {inUse: []inflight.SlotRequest{of("a", "h"), of("b", "h")}, request: of("c", "h")},
		"another host's":       {inUse: []inflight.SlotRequest{of("a", "h"), of("b", "h")}, request: of("c", "i"), want: true},
		"the domain's":         {inUse: []inflight.SlotRequest{shop("a", "1"), shop("a", "1"), shop("b", "2"), shop("b", "3")}, request: shop("c", "4")},
		"the account's":        {inUse: []inflight.SlotRequest{of("a", "1"), of("a", "2"), of("a", "3"), of("a", "4"), of("a", "5"), of("a", "6")}, request: of("a", "7")},
		"another account's":    {inUse: []inflight.SlotRequest{of("a", "1"), of("a", "2"), of("a", "3"), of("a", "4"), of("a", "5"), of("a", "6")}, request: of("b", "7"), want: true},
		"a serial host's is":   {inUse: []inflight.SlotRequest{of("a", "h")}, request: inflight.SlotRequest{Account: "b", Host: "h", Serial: true, Uncapped: true}},
		"a serial host's free": {inUse: []inflight.SlotRequest{of("a", "i")}, request: inflight.SlotRequest{Account: "b", Host: "h", Serial: true}, want: true},
		"the host is uncapped": {inUse: []inflight.SlotRequest{of("a", "h"), of("b", "h")}, request: inflight.SlotRequest{Account: "c", Host: "h", Domain: "h", Uncapped: true}, want: true},
		"an account is never":  {inUse: []inflight.SlotRequest{of("a", "1"), of("a", "2"), of("a", "3"), of("a", "4"), of("a", "5"), of("a", "6")}, request: inflight.SlotRequest{Account: "a", Host: "h", Uncapped: true}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			tracker := inflight.New(limits, inflight.Results[string]{})
			for i, request := range tt.inUse {
				if tracker.Acquire(key(strconv.Itoa(i)), request) == nil {
					t.Fatalf("%v has no slot", request)
				}
			}
			if got := tracker.Acquire(key("asked"), tt.request) != nil; got != tt.want {
				t.Errorf("a slot was given: %t, want %t", got, tt.want)
			}
		})
	}
}

// granted returns the slot of an object that was notified.
func granted(t *testing.T, tracker *inflight.Tracker[string], requests map[types.NamespacedName]inflight.SlotRequest, k types.NamespacedName) *inflight.Slot[string] {
	t.Helper()
	slot := tracker.Acquire(k, requests[k])
	if slot == nil {
		t.Fatalf("%s was notified and has no slot", k.Name)
	}
	return slot
}

// One account has asked 1,000 times before the others ask once.
func TestAccountsAreServedInTurn(t *testing.T) {
	tracker, notified := newTracker(2, 0)
	requests := map[types.NamespacedName]inflight.SlotRequest{}
	ask := func(account string, n int) {
		k := key(fmt.Sprintf("%s%d", account, n))
		requests[k] = of(account, account)
		tracker.Acquire(k, requests[k])
	}
	slots := held(t, tracker, of("bulk", "bulk"), 2)
	for n := range 1000 {
		ask("bulk", n)
	}
	for n := range 2 {
		ask("small", n)
		ask("other", n)
	}
	var order []string
	for range 7 {
		slots[0].Release()
		k := <-notified
		order = append(order, k.Name)
		slots[0], slots[1] = slots[1], granted(t, tracker, requests, k)
	}
	if got, want := fmt.Sprint(order), "[bulk0 small0 other0 bulk1 small1 other1 bulk2]"; got != want {
		t.Errorf("slots were given to %s, want %s", got, want)
	}
}

func TestTheHostsOfAnAccountAreServedInTurn(t *testing.T) {
	tracker, notified := newTracker(1, 0)
	slot := tracker.Acquire(key("first"), of("a", "h0"))
	requests := map[types.NamespacedName]inflight.SlotRequest{}
	for i, host := range []string{"h1", "h1", "h1", "h2"} {
		k := key(fmt.Sprint(host, "-", i))
		requests[k] = of("a", host)
		tracker.Acquire(k, requests[k])
	}
	var order []string
	for range 4 {
		slot.Release()
		k := <-notified
		order = append(order, k.Name)
		slot = granted(t, tracker, requests, k)
	}
	if got, want := fmt.Sprint(order), "[h1-0 h2-3 h1-1 h1-2]"; got != want {
		t.Errorf("slots were given to %s, want %s", got, want)
	}
}

// hangs and answers are results of calls.
const hangs, answers = "hangs", "answers"

func newTimingOut(limits inflight.Limits) (*inflight.Tracker[string], chan types.NamespacedName) {
	tracker := inflight.New(limits, inflight.Results[string]{TimedOut: func(result string) bool { return result == hangs }})
	notified := make(chan types.NamespacedName, 1000)
	tracker.Notify(func(k types.NamespacedName) { notified <- k })
	return tracker, notified
}

// call makes calls of a host that end so.
func call(tracker *inflight.Tracker[string], notified chan types.NamespacedName, host string, results ...string) {
	for _, result := range results {
		k := key("call of " + host)
		tracker.Acquire(k, of("calls", host)).Go(context.Background(), "id", func(context.Context) string { return result })
		<-notified
		tracker.Drop(k)
	}
}

func TestSlotsAreKeptFromHostsThatTimeOut(t *testing.T) {
	for name, tt := range map[string]struct {
		results []string
		want    int
	}{
		"an answer":                    {[]string{answers}, 4},
		"one timeout":                  {[]string{hangs}, 4},
		"timeouts with an answer":      {[]string{hangs, answers, hangs}, 4},
		"two timeouts":                 {[]string{hangs, hangs}, 1},
		"an answer after the timeouts": {[]string{hangs, hangs, answers}, 4},
	} {
		t.Run(name, func(t *testing.T) {
			tracker, notified := newTimingOut(inflight.Limits{Total: 4, Unresponsive: 1})
			call(tracker, notified, "h", tt.results...)
			got := 0
			for tracker.Acquire(key(strconv.Itoa(got)), of("a", "h")) != nil {
				got++
			}
			if got != tt.want {
				t.Errorf("the host got %d slots, want %d", got, tt.want)
			}
		})
	}
}

func TestAHostThatAnswersAgainHasAllSlotsAtOnce(t *testing.T) {
	tracker, notified := newTimingOut(inflight.Limits{Total: 4, Unresponsive: 1})
	call(tracker, notified, "h", hangs, hangs)
	slot := tracker.Acquire(key("a"), of("a", "h"))
	for _, name := range []string{"b", "c", "d"} {
		if tracker.Acquire(key(name), of("a", "h")) != nil {
			t.Fatal("more slots than one were given")
		}
	}
	slot.Go(t.Context(), "id", func(context.Context) string { return answers })
	for _, want := range []string{"a", "b", "c", "d"} {
		if got := <-notified; got != key(want) {
			t.Errorf("notified of %s, want %s", got.Name, want)
		}
	}
}

// The notification comes while the object is being reconciled, and leads to another reconcile.
func TestASlotThatIsReservedDuringAReconcileStays(t *testing.T) {
	tracker, notified := newTracker(1, 1)
	slot := tracker.Acquire(key("a"), at("h"))
	tracker.Acquire(key("b"), at("h"))
	end := tracker.Begin(key("b"))
	slot.Release()
	<-notified
	end()
	if tracker.Acquire(key("c"), at("h")) != nil {
		t.Fatal("the slot is gone")
	}
	tracker.Begin(key("b"))()
	if got := <-notified; got != key("c") {
		t.Errorf("notified of %s, want c: the next reconcile of b returns the slot", got.Name)
	}
}

func TestAnObjectThatIsGoneLeavesTheQueue(t *testing.T) {
	tracker, notified := newTracker(1, 1)
	slot := tracker.Acquire(key("a"), at("h"))
	tracker.Acquire(key("b"), at("h"))
	tracker.Acquire(key("c"), at("h"))
	tracker.Drop(key("b"))
	slot.Release()
	if got := <-notified; got != key("c") {
		t.Errorf("notified of %s, want c", got.Name)
	}
}

func TestAPanicEndsTheCallAlone(t *testing.T) {
	var object types.NamespacedName
	var cause any
	var trace string
	tracker := inflight.New(inflight.Limits{Total: 1}, inflight.Results[string]{
		Panicked: func(_ context.Context, k types.NamespacedName, value any, stack []byte) string {
			object, cause, trace = k, value, string(stack)
			return "panicked"
		},
	})
	notified := make(chan types.NamespacedName, 1)
	tracker.Notify(func(k types.NamespacedName) { notified <- k })
	tracker.Acquire(key("a"), at("h")).Go(t.Context(), "a/1", func(context.Context) string { panic("no such heading") })
	<-notified
	if got, state := tracker.Look("a/1"); got != "panicked" || state != inflight.Done {
		t.Errorf("Look = %q, %v", got, state)
	}
	if object != key("a") || cause != "no such heading" || trace == "" {
		t.Errorf("told of %v, %v and a stack of %d bytes", object, cause, len(trace))
	}
	if tracker.Acquire(key("b"), at("h")) == nil {
		t.Error("the slot is lost")
	}
}
