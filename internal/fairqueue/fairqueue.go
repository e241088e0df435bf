// Package fairqueue orders a controller's work queue, so that an account with many queued requests does not delay the others.
package fairqueue

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// queue gives each request a priority: the more requests of its account are queued, the lower. Requests of the same priority are served
// in order of arrival. A request that is added with a priority above 0, because its object holds a slot, is urgent. Urgent requests are
// counted separately: they come before the others of their account, and if there are few of them, also before those of other accounts.
type queue struct {
	priorityqueue.PriorityQueue[ctrl.Request]

	accountOf func(namespace string) string
	limiter   workqueue.TypedRateLimiter[ctrl.Request]
	// later holds requests that are to be queued later. They are counted, and get their priority, when they are queued.
	later workqueue.TypedDelayingInterface[ctrl.Request]

	mu sync.Mutex
	// requests has the backlog of each queued request, lengths the number of requests in each backlog.
	requests map[types.NamespacedName]backlog
	lengths  map[backlog]int
}

// backlog identifies the queued requests of an account that are urgent, or those that are not.
type backlog struct {
	account string
	urgent  bool
}

// Constructor makes the work queue of the controller with this name.
type Constructor = func(name string, limiter workqueue.TypedRateLimiter[ctrl.Request]) workqueue.TypedRateLimitingInterface[ctrl.Request]

// New returns the constructor of a controller's work queue (see controller.Options). accountOf returns the account of a namespace, and
// must not block.
func New(accountOf func(namespace string) string) Constructor {
	return func(name string, limiter workqueue.TypedRateLimiter[ctrl.Request]) workqueue.TypedRateLimitingInterface[ctrl.Request] {
		q := &queue{
			PriorityQueue: priorityqueue.New(name, func(o *priorityqueue.Opts[ctrl.Request]) { o.RateLimiter = limiter }),
			accountOf:     accountOf, limiter: limiter, requests: map[types.NamespacedName]backlog{}, lengths: map[backlog]int{},
		}
		q.later = workqueue.NewTypedDelayingQueueWithConfig(workqueue.TypedDelayingQueueConfig[ctrl.Request]{
			Name: name, Queue: due{q}, Clock: newClock(),
		})
		return q
	}
}

// Add adds a request.
func (q *queue) Add(r ctrl.Request) { q.AddWithOpts(priorityqueue.AddOpts{}, r) }

// AddAfter adds a request after a time.
func (q *queue) AddAfter(r ctrl.Request, after time.Duration) {
	q.AddWithOpts(priorityqueue.AddOpts{After: after}, r)
}

// AddRateLimited adds a request after the time that the rate limiter gives.
func (q *queue) AddRateLimited(r ctrl.Request) {
	q.AddWithOpts(priorityqueue.AddOpts{RateLimited: true}, r)
}

// AddWithOpts adds requests. A request that is to be queued later is not urgent then.
func (q *queue) AddWithOpts(o priorityqueue.AddOpts, requests ...ctrl.Request) {
	for _, r := range requests {
		if after := q.wait(o, r); after > 0 {
			q.later.AddAfter(r, after)
			continue
		}
		urgent := o.After == 0 && !o.RateLimited && o.Priority != nil && *o.Priority > 0
		priority := q.priority(r.NamespacedName, backlog{q.accountOf(r.Namespace), urgent})
		q.PriorityQueue.AddWithOpts(priorityqueue.AddOpts{Priority: &priority}, r)
	}
}

// wait returns how much later a request is to be queued.
func (q *queue) wait(o priorityqueue.AddOpts, r ctrl.Request) time.Duration {
	if !o.RateLimited {
		return o.After
	}
	limited := q.limiter.When(r)
	if o.After == 0 {
		return limited
	}
	return min(o.After, limited)
}

// ShutDown ends the queue.
func (q *queue) ShutDown() { q.later.ShutDown() }

// due takes the requests that were to be queued later.
type due struct{ *queue }

// ShutDown ends the queue that requests are taken from.
func (d due) ShutDown() { d.PriorityQueue.ShutDown() }

// priority counts a request as queued, and returns its priority.
func (q *queue) priority(key types.NamespacedName, of backlog) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	before := q.lengths[of]
	if known, queued := q.requests[key]; !queued || of.urgent && !known.urgent {
		q.forget(key)
		q.requests[key] = of
		q.lengths[of]++
	}
	return priorityBehind(before, of.urgent)
}

// forget stops counting a request as queued. It is called with the lock held.
func (q *queue) forget(key types.NamespacedName) {
	of, queued := q.requests[key]
	if !queued {
		return
	}
	delete(q.requests, key)
	if q.lengths[of]--; q.lengths[of] <= 0 {
		delete(q.lengths, of)
	}
}

const (
	// levels is the number of priorities. The lowest is for accounts with a thousand queued requests or more. There are few, because
	// metrics have a label for each.
	levels = 5
	// step is the distance between two levels; urgent is how much higher an urgent request is than its level.
	step, urgent = 20, 10
)

// priorityBehind returns the priority of a request whose account has this many other requests queued.
func priorityBehind(others int, isUrgent bool) int {
	level := 0
	for bound := 8; others >= bound && level < levels-1; bound *= 5 {
		level++
	}
	if isUrgent {
		return urgent - level*step
	}
	return -level * step
}

// Get returns the next request.
func (q *queue) Get() (ctrl.Request, bool) {
	r, _, shutdown := q.GetWithPriority()
	return r, shutdown
}

// GetWithPriority returns the next request with its priority. The request no longer counts as queued.
func (q *queue) GetWithPriority() (ctrl.Request, int, bool) {
	r, priority, shutdown := q.PriorityQueue.GetWithPriority()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.forget(r.NamespacedName)
	return r, priority, shutdown
}
