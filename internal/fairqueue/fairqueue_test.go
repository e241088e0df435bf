package fairqueue_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/pressroom-dev/pressroom/internal/fairqueue"
)

type queue = priorityqueue.PriorityQueue[ctrl.Request]

// newQueue returns the queue of a controller. The namespaces a and b belong to the account loud.
func newQueue(t *testing.T) queue {
	t.Helper()
	account := func(namespace string) string {
		if namespace == "a" || namespace == "b" {
			return "loud"
		}
		return namespace
	}
	limiter := workqueue.NewTypedItemExponentialFailureRateLimiter[ctrl.Request](time.Hour, time.Hour)
	q, ok := fairqueue.New(account)(t.Name(), limiter).(queue)
	if !ok {
		t.Fatal("controller-runtime would not see a priority queue")
	}
	t.Cleanup(q.ShutDown)
	return q
}

func request(namespace, name string) ctrl.Request {
	return ctrl.Request{NamespacedName: types.NamespacedName{Namespace: namespace, Name: name}}
}

func add(q queue, namespace string, n int) {
	for i := range n {
		q.Add(request(namespace, fmt.Sprintf("%04d", i)))
	}
}

// take returns what comes next, and with which priority.
func take(q queue) (string, int) {
	r, priority, _ := q.GetWithPriority()
	q.Done(r)
	return r.String(), priority
}

func takeAll(q queue, n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i], _ = take(q)
	}
	return all
}

func TestAnAccountWithMuchQueuedDoesNotHoldUpAnother(t *testing.T) {
	q := newQueue(t)
	add(q, "a", 500)
	add(q, "b", 500)
	add(q, "quiet", 3)
	got := takeAll(q, 1003)
	for _, name := range []string{"quiet/0000", "quiet/0001", "quiet/0002"} {
		if place := slices.Index(got, name); place < 0 || place > 11 {
			t.Errorf("%s has place %d", name, place)
		}
	}
	if got[1002] != "b/0499" {
		t.Errorf("the last is %s: an account's requests are in order of arrival", got[1002])
	}
}

func TestRequestsOfOneAccountKeepTheirOrder(t *testing.T) {
	q := newQueue(t)
	add(q, "quiet", 2000)
	got := takeAll(q, 2000)
	if !slices.IsSorted(got) {
		t.Error("the requests are not in order of arrival")
	}
}

func TestWhatHasBeenTakenCountsNoMore(t *testing.T) {
	q := newQueue(t)
	add(q, "a", 100)
	takeAll(q, 100)
	q.Add(request("a", "again"))
	if _, priority := take(q); priority != 0 {
		t.Errorf("an account with nothing else queued has the priority %d", priority)
	}
}

func TestARequestThatIsQueuedTwiceCountsOnce(t *testing.T) {
	q := newQueue(t)
	for range 100 {
		q.Add(request("a", "same"))
	}
	q.Add(request("a", "other"))
	take(q)
	if _, priority := take(q); priority != 0 {
		t.Errorf("an account with one other request has the priority %d", priority)
	}
}

func TestUrgentRequestsComeBeforeTheOthersOfTheirAccount(t *testing.T) {
	q := newQueue(t)
	add(q, "a", 1000)
	q.AddWithOpts(priorityqueue.AddOpts{Priority: new(10)}, request("a", "0900"), request("b", "holds a slot"))
	if got := takeAll(q, 2); !slices.Equal(got, []string{"a/0900", "b/holds a slot"}) {
		t.Errorf("%v come first", got)
	}
	add(q, "quiet", 8)
	if name, priority := take(q); priority != 0 {
		t.Errorf("then %s comes with the priority %d", name, priority)
	}
}

// A controller that starts puts all objects that there are into its queue. Of an account with many, what had changed since came after those
// of all other accounts.
func TestWhatThereIsWhenAControllerStartsComesLast(t *testing.T) {
	q := newQueue(t)
	for i := range 1000 {
		idle := priorityqueue.AddOpts{Priority: new(handler.LowPriority)}
		q.AddWithOpts(idle, request("a", fmt.Sprintf("%04d", i)), request("quiet", fmt.Sprintf("%04d", i)))
	}
	for i := range 300 {
		q.AddWithOpts(priorityqueue.AddOpts{Priority: new(10)}, request("a", fmt.Sprintf("%04d", 900-i)))
	}
	q.Add(request("a", "0950"))
	var want []string
	for i := range 300 {
		want = append(want, fmt.Sprintf("a/%04d", 900-i))
	}
	got := takeAll(q, 1900)
	if due := slices.DeleteFunc(got[:301], func(r string) bool { return r == "a/0950" }); !slices.Equal(due, want) {
		t.Errorf("%v come first", due)
	}
	if got[301] != "a/0000" {
		t.Errorf("then %s comes", got[301])
	}
}

// A tenant can keep a controller busy for as long as it likes.
func TestAnAccountWithMuchQueuedDoesNotHoldUpWhatOthersHadWhenTheControllerStarted(t *testing.T) {
	q := newQueue(t)
	q.AddWithOpts(priorityqueue.AddOpts{Priority: new(handler.LowPriority)}, request("quiet", "waits for credits"))
	add(q, "a", 1000)
	if got := takeAll(q, 1001); slices.Index(got, "quiet/waits for credits") != 200 {
		t.Errorf("it has place %d", slices.Index(got, "quiet/waits for credits"))
	}
}

func TestManyUrgentRequestsDoNotHoldUpAnotherAccount(t *testing.T) {
	q := newQueue(t)
	for i := range 64 {
		q.AddWithOpts(priorityqueue.AddOpts{Priority: new(10)}, request("a", fmt.Sprintf("%04d", i)))
	}
	add(q, "quiet", 1)
	if got := takeAll(q, 9); got[8] != "quiet/0000" {
		t.Errorf("%v come first", got)
	}
}

// An account has scheduled 50,000 articles for one minute, each on its own; another one has an article due then.
func TestWhatBecomesDueAtOnceDoesNotHoldUpAnotherAccount(t *testing.T) {
	for name, opts := range map[string]priorityqueue.AddOpts{"scheduled": {After: time.Hour}, "failed": {RateLimited: true}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				q := newQueue(t)
				for i := range 50_000 {
					q.AddWithOpts(opts, request("a", fmt.Sprintf("%05d", i)))
				}
				q.AddWithOpts(opts, request("quiet", "due"))
				<-time.After(time.Hour)
				synctest.Wait()
				q.Add(request("other", "at once"))
				first := takeAll(q, 20)
				for _, name := range []string{"quiet/due", "other/at once"} {
					if !slices.Contains(first, name) {
						t.Errorf("%s is not among the first: %v", name, first)
					}
				}
			})
		})
	}
}

// As many workers as articles have, each request takes 100 ms of one, is sent, and comes again with its outcome.
func TestAnotherAccountsFirstArticleIsPublishedWithinASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, began := newQueue(t), time.Now()
		const workers, reconcile, send = 24, 100 * time.Millisecond, 100 * time.Millisecond
		for i := range 50_000 {
			q.AddAfter(request("a", fmt.Sprintf("%05d", i)), time.Hour)
		}
		q.AddAfter(request("quiet", "first"), time.Hour)
		published := make(chan ctrl.Request, 50_001)
		var sent sync.Map
		var running sync.WaitGroup
		for range workers {
			running.Go(func() {
				for {
					r, _, shutdown := q.GetWithPriority()
					if shutdown {
						return
					}
					<-time.After(reconcile)
					if _, again := sent.LoadOrStore(r, true); again {
						published <- r
					} else {
						time.AfterFunc(send, func() { q.AddWithOpts(priorityqueue.AddOpts{Priority: new(10)}, r) })
					}
					q.Done(r)
				}
			})
		}
		for r := range published {
			if r.Namespace == "quiet" {
				break
			}
		}
		if took := time.Since(began) - time.Hour; took > time.Second {
			t.Errorf("it is published %s after it was due", took)
		}
		q.ShutDown()
		running.Wait()
	})
}

func TestARequestThatIsDueNowIsNotHeldUpByAnEarlierTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(t)
		q.AddAfter(request("a", "0"), time.Hour)
		q.AddAfter(request("a", "0"), time.Minute)
		began := time.Now()
		take(q)
		if waited := time.Since(began); waited != time.Minute {
			t.Errorf("it is due after %v, want the earlier time", waited)
		}
		q.Add(request("a", "0"))
		take(q)
		if waited := time.Since(began); waited != time.Minute {
			t.Errorf("it is taken after %v, want at once", waited)
		}
	})
}

func TestWhatIsQueuedLaterIsNotUrgent(t *testing.T) {
	q := newQueue(t)
	q.AddWithOpts(priorityqueue.AddOpts{Priority: new(10), After: time.Nanosecond}, request("a", "later"))
	if name, priority := take(q); priority != 0 {
		t.Errorf("%s has the priority %d", name, priority)
	}
}

func TestPrioritiesHaveFewValues(t *testing.T) {
	q := newQueue(t)
	add(q, "a", 20_000)
	seen := map[int]bool{}
	for range 20_000 {
		_, priority := take(q)
		seen[priority] = true
	}
	if len(seen) != 5 || !seen[0] || !seen[-80] {
		t.Errorf("the priorities are %v", seen)
	}
}
