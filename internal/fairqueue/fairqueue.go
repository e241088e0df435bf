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

// queue gives each request a priority: the more requests of its class are queued of its account, the lower. Requests of the same priority
// are served in order of arrival.
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

// backlog identifies the queued requests of an account that have a class.
type backlog struct {
	account string
	class   class
}

// class is what the priority says with which a request is added.
type class int

const (
	// idle requests come after the others, but for those of accounts with hundreds of them: controller-runtime adds with a priority below 0
	// what there is when a controller starts, and objects that have not changed.
	idle class = iota
	ordinary
	// urgent requests, whose priority is above 0, come before the others of their account, and if there are few of them, also before those
	// of other accounts.
	urgent
)

// classOf returns the class of a request that is added with these options. A request that is to be queued later is ordinary then.
func classOf(o priorityqueue.AddOpts) class {
	switch {
	case o.After != 0 || o.RateLimited || o.Priority == nil || *o.Priority == 0:
		return ordinary
	case *o.Priority > 0:
		return urgent
	default:
		return idle
	}
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

// AddWithOpts adds requests.
func (q *queue) AddWithOpts(o priorityqueue.AddOpts, requests ...ctrl.Request) {
	for _, r := range requests {
		if after := q.wait(o, r); after > 0 {
			q.later.AddAfter(r, after)
			continue
		}
		priority := q.priority(r.NamespacedName, backlog{q.accountOf(r.Namespace), classOf(o)})
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
	if known, queued := q.requests[key]; !queued || of.class > known.class {
		q.forget(key)
		q.requests[key] = of
		q.lengths[of]++
	}
	return priorityBehind(before, of.class)
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
	// levels is the number of priorities of a class. The lowest is for accounts with a thousand queued requests or more. There are few,
	// because metrics have a label for each.
	levels = 5
	// step is the distance between two levels.
	step = 20
)

// highest are the priorities of the first level of each class. That of idle is between the fourth levels of the other two: an account with
// many ordinary requests does not hold up the idle ones of others.
var highest = [...]int{idle: -55, ordinary: 0, urgent: 10}

// priorityBehind returns the priority of a request whose account has this many other requests of its class queued.
func priorityBehind(others int, of class) int {
	level := 0
	for bound := 8; others >= bound && level < levels-1; bound *= 5 {
		level++
	}
	return highest[of] - level*step
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
