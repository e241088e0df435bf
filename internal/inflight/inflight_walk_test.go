package inflight

import (
	"container/list"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"k8s.io/apimachinery/pkg/types"
)

// A walk makes random steps with a tracker, as reconciles of many objects would, and compares it with its own books after each.
const (
	walks, walkSteps = 20, 1500
	walkObjects      = 40
)

var walkLimits = Limits{Total: 7, PerAccount: 4, PerDomain: 4, PerHost: 3, Unresponsive: 2}

// walkAccounts are asked for unevenly: most objects are the first one's.
var walkAccounts = []string{"bulk", "bulk", "bulk", "bulk", "small", "other", "third"}

// Hosts of three domains. Those that end in a zero never answer.
var walkHosts = []string{"a.0", "a.1", "b.0", "b.1", "b.2", "c.1"}

type walk struct {
	*testing.T
	random   *rand.Rand
	tracker  *Tracker[string]
	requests map[types.NamespacedName]SlotRequest

	mu sync.Mutex
	// notified are the objects that are to be reconciled, each once.
	notified map[types.NamespacedName]bool
	// held are the slots that were given and have not been used; running are the calls in progress, by the id of the attempt.
	held    map[types.NamespacedName]*Slot[string]
	running map[string]*walkCall
	ids     int
	// timeouts are the timeouts in a row of each host.
	timeouts map[string]int
	// passedOver counts, by an account's turn in the queue, the slots that went to others while it might have had one.
	passedOver map[*list.List]int
	worst      int
}

type walkCall struct {
	request SlotRequest
	end     chan string
}

func TestRandomWalk(t *testing.T) {
	worst := 0
	for seed := range uint64(walks) {
		synctest.Test(t, func(t *testing.T) {
			w := newWalk(t, seed)
			for range walkSteps {
				w.step()
				w.look(w.check)
			}
			w.finish()
			worst = max(worst, w.worst)
		})
	}
	t.Logf("%d walks of %d steps: an account that waited was passed over %d times at the most", walks, walkSteps, worst)
}

func newWalk(t *testing.T, seed uint64) *walk {
	t.Helper()
	w := &walk{
		T: t, random: rand.New(rand.NewPCG(seed, 1)), requests: map[types.NamespacedName]SlotRequest{},
		notified: map[types.NamespacedName]bool{}, held: map[types.NamespacedName]*Slot[string]{}, running: map[string]*walkCall{},
		timeouts: map[string]int{}, passedOver: map[*list.List]int{},
	}
	w.tracker = New(walkLimits, Results[string]{
		TimedOut: func(result string) bool { return result == "timeout" },
		Panicked: func(context.Context, types.NamespacedName, any, []byte) string { return "panic" },
	})
	w.tracker.Notify(func(key types.NamespacedName) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.notified[key] = true
	})
	for i := range walkObjects {
		w.move(types.NamespacedName{Name: strconv.Itoa(i)}, walkAccounts[i%len(walkAccounts)])
	}
	return w
}

// move has an object call another host.
func (w *walk) move(key types.NamespacedName, account string) {
	host := walkHosts[w.random.IntN(len(walkHosts))]
	w.requests[key] = SlotRequest{Account: account, Host: host, Domain: host[:1]}
}

func (w *walk) step() {
	key := types.NamespacedName{Name: strconv.Itoa(w.random.IntN(walkObjects))}
	var before map[types.NamespacedName]*reservation[string]
	var waited map[types.NamespacedName]SlotRequest
	var flagged int
	w.look(func() {
		before, waited = maps.Clone(w.tracker.reserved), maps.Clone(w.tracker.queue.requests)
		flagged = w.unresponsiveBy(w.tracker.usage.hosts)
	})
	switch n := w.random.IntN(100); {
	case n < 35:
		w.reconcile(key)
	case n < 60:
		w.reconcileNotified()
	case n < 85:
		w.endCall()
	case n < 88:
		w.tracker.Begin(key)() // a reconcile that needs no slot
	case n < 91:
		w.tracker.Drop(key)
	case n < 96:
		w.move(key, w.requests[key].Account)
	default:
		w.useHeld()
	}
	synctest.Wait()
	w.look(func() {
		w.countPassedOver(before, waited)
		if after := w.unresponsiveBy(w.tracker.usage.hosts); after > max(flagged, walkLimits.Unresponsive) && !w.justFlagged() {
			w.Fatalf("%d slots went to hosts that do not answer, %d before", after, flagged)
		}
	})
}

// look reads what the tracker has.
func (w *walk) look(f func()) {
	w.tracker.mu.Lock()
	defer w.tracker.mu.Unlock()
	f()
}

// reconcile is one reconcile of an object: it asks for a slot, and uses it or not.
func (w *walk) reconcile(key types.NamespacedName) {
	delete(w.notified, key)
	end := w.tracker.Begin(key)
	defer end()
	if w.held[key] != nil || w.isRunning(key) {
		return
	}
	if w.random.IntN(10) == 0 {
		return // it finds that it needs no slot
	}
	if slot := w.tracker.Acquire(key, w.requests[key]); slot != nil {
		w.held[key] = slot
		if w.random.IntN(3) > 0 {
			w.use(key, slot)
		}
	}
}

func (w *walk) isRunning(key types.NamespacedName) bool {
	for id, c := range w.running {
		if c.request == w.requests[key] && id[:len(key.Name)+1] == key.Name+"/" {
			return true
		}
	}
	return false
}

func (w *walk) reconcileNotified() {
	if key, ok := pick(w.random, w.notified); ok {
		w.reconcile(key)
	}
}

func (w *walk) useHeld() {
	if key, ok := pick(w.random, w.held); ok {
		w.use(key, w.held[key])
	}
}

// use releases a slot or makes a call with it.
func (w *walk) use(key types.NamespacedName, slot *Slot[string]) {
	delete(w.held, key)
	if w.random.IntN(5) == 0 {
		slot.Release()
		return
	}
	w.ids++
	id, c := fmt.Sprintf("%s/%d", key.Name, w.ids), &walkCall{request: slot.request, end: make(chan string)}
	w.running[id] = c
	slot.Go(context.Background(), id, func(context.Context) string {
		switch result := <-c.end; result {
		case "panic":
			panic("as told")
		case "exit":
			runtime.Goexit()
			return ""
		default:
			return result
		}
	})
}

// endCall ends a call: one of a host that never answers by its timeout, and others in any way.
func (w *walk) endCall() {
	id, ok := pick(w.random, w.running)
	if !ok {
		return
	}
	result := []string{"answer", "answer", "answer", "timeout", "panic", "exit"}[w.random.IntN(6)]
	host := w.running[id].request.Host
	if host[2] == '0' {
		result = "timeout"
	}
	if result == "timeout" {
		w.timeouts[host]++
	} else {
		w.timeouts[host] = 0
	}
	w.running[id].end <- result
	delete(w.running, id)
}

// inUse counts the slots in use, by the walk's books and the tracker's reservations.
func (w *walk) inUse() *usage {
	u := newUsage(walkLimits)
	for _, slot := range w.held {
		u.take(slot.request)
	}
	for _, c := range w.running {
		u.take(c.request)
	}
	for _, r := range w.tracker.reserved {
		u.take(r.request)
	}
	return u
}

// check compares the tracker with the books.
func (w *walk) check() {
	want, got := w.inUse(), w.tracker.usage
	if got.total != want.total || !maps.Equal(got.accounts, want.accounts) ||
		!maps.Equal(got.domains, want.domains) || !maps.Equal(got.hosts, want.hosts) {
		w.Fatalf("slots in use: %+v, want %+v", got, want)
	}
	if n := w.unresponsiveBy(want.hosts); got.unresponsive != n {
		w.Fatalf("%d slots are used for hosts that do not answer, want %d", got.unresponsive, n)
	}
	if got.total > walkLimits.Total || most(got.accounts) > walkLimits.PerAccount || most(got.domains) > walkLimits.PerDomain ||
		most(got.hosts) > walkLimits.PerHost {
		w.Fatalf("a cap is passed: %+v", got)
	}
	for key, request := range w.tracker.queue.requests {
		if got.allows(request) {
			w.Fatalf("%v waits although a slot is free for it", request)
		}
		if w.tracker.reserved[key] != nil {
			w.Fatalf("%v waits although it has a slot", request)
		}
	}
}

func most(counts map[string]int) int {
	return slices.Max(append(slices.Collect(maps.Values(counts)), 0))
}

func (w *walk) unresponsiveBy(hosts map[string]int) int {
	n := 0
	for host, used := range hosts {
		if w.timeouts[host] >= timeoutsInRow {
			n += used
		}
	}
	return n
}

// justFlagged reports whether a host has become unresponsive with slots in use.
func (w *walk) justFlagged() bool {
	return slices.Contains(slices.Collect(maps.Values(w.timeouts)), timeoutsInRow)
}

// countPassedOver counts for each account that waited before the step, and that only the total keeps from a slot, that a
// slot was reserved for another account.
func (w *walk) countPassedOver(before map[types.NamespacedName]*reservation[string], waited map[types.NamespacedName]SlotRequest) {
	var given []string
	for key, r := range w.tracker.reserved {
		if before[key] != r && !r.seen {
			given = append(given, r.request.Account)
		}
	}
	for _, account := range given {
		delete(w.passedOver, w.queueOf(account))
	}
	if len(given) != 1 {
		return // which of them came first is not known
	}
	u := *w.tracker.usage
	u.total--
	eligible := map[string]bool{}
	for key, request := range w.tracker.queue.requests {
		if waited[key] == request && request.Account != given[0] && u.allows(request) {
			eligible[request.Account] = true
		}
	}
	for account := range eligible {
		waiting := w.queueOf(account)
		w.passedOver[waiting]++
		w.worst = max(w.worst, w.passedOver[waiting])
		if w.passedOver[waiting] > 3 {
			w.Fatalf("%s was passed over %d times by 3 other accounts", account, w.passedOver[waiting])
		}
	}
}

// queueOf returns the queue of an account; nil if it has none.
func (w *walk) queueOf(account string) *list.List {
	hosts, _ := w.tracker.queue.accounts.get(account)
	return hosts.order
}

// asking counts the objects that wait, or that have a slot reserved.
func (w *walk) asking() (n int) {
	w.look(func() { n = len(w.tracker.queue.requests) + len(w.tracker.reserved) })
	return n
}

// finish ends all calls and serves all objects in the queue, and expects that no slot is lost.
func (w *walk) finish() {
	for len(w.running)+len(w.held)+len(w.notified)+w.asking() > 0 {
		for id, c := range w.running {
			w.timeouts[c.request.Host] = 0
			c.end <- "answer"
			delete(w.running, id)
			synctest.Wait()
		}
		for key, slot := range w.held {
			delete(w.held, key)
			slot.Release()
		}
		synctest.Wait()
		if n := w.asking(); len(w.notified) == 0 && n > 0 {
			w.Fatalf("%d wait or have a slot, and nobody is notified", n)
		}
		w.reconcileNotified()
		synctest.Wait()
		w.look(w.check)
	}
	w.look(func() {
		if got := w.tracker.usage.total; got != 0 {
			w.Fatalf("%d slots are lost", got)
		}
	})
	w.tracker.Drain(context.Background())
}

// pick returns a random key of a map, the same for the same state of the random numbers.
func pick[K comparable, V any](random *rand.Rand, from map[K]V) (key K, ok bool) {
	if len(from) == 0 {
		return key, false
	}
	keys := slices.SortedFunc(maps.Keys(from), func(a, b K) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	return keys[random.IntN(len(keys))], true
}
