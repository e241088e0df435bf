// Package fairqueue orders a controller's work queue so that no account with much to reconcile holds up the others.
package fairqueue

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// queue gives each request a priority: the more requests of its account are queued, the lower. Requests of one priority are in order of
// arrival. Urgent requests, which are added with a priority above 0 because they hold a slot, are counted for themselves: they come
// before the others of their account, and few of them before those of other accounts.
type queue struct {
	priorityqueue.PriorityQueue[ctrl.Request]

	accountOf func(namespace string) string

	mu sync.Mutex
	// requests are those that are queued, and lengths how many each account has.
	requests map[types.NamespacedName]backlog
	lengths  map[backlog]int
}

// backlog is what an account has queued that is urgent, or that is not.
type backlog struct {
	account string
	urgent  bool
}

// Constructor makes the work queue of the controller of a name.
type Constructor = func(name string, limiter workqueue.TypedRateLimiter[ctrl.Request]) workqueue.TypedRateLimitingInterface[ctrl.Request]

// New returns what makes the work queue of a controller (see controller.Options). accountOf returns the account of a namespace, and
// must not wait.
func New(accountOf func(namespace string) string) Constructor {
	return func(name string, limiter workqueue.TypedRateLimiter[ctrl.Request]) workqueue.TypedRateLimitingInterface[ctrl.Request] {
		return &queue{
			PriorityQueue: priorityqueue.New(name, func(o *priorityqueue.Opts[ctrl.Request]) { o.RateLimiter = limiter }),
			accountOf:     accountOf, requests: map[types.NamespacedName]backlog{}, lengths: map[backlog]int{},
		}
	}
}

// Add adds a request.
func (q *queue) Add(r ctrl.Request) { q.AddWithOpts(priorityqueue.AddOpts{}, r) }

// AddWithOpts adds requests. What is to be queued later is not urgent then, and has the priority that it would have now.
func (q *queue) AddWithOpts(o priorityqueue.AddOpts, requests ...ctrl.Request) {
	later := o.After > 0 || o.RateLimited
	urgent := !later && o.Priority != nil && *o.Priority > 0
	for _, r := range requests {
		own := o
		own.Priority = new(q.priority(r.NamespacedName, backlog{q.accountOf(r.Namespace), urgent}, later))
		q.PriorityQueue.AddWithOpts(own, r)
	}
}

// priority returns the priority of a request, which counts as queued from now on unless it is to be queued later.
func (q *queue) priority(key types.NamespacedName, of backlog, later bool) int {
	q.mu.Lock()
	defer q.mu.Unlock()
	before := q.lengths[of]
	if known, queued := q.requests[key]; !later && (!queued || of.urgent && !known.urgent) {
		q.forget(key)
		q.requests[key] = of
		q.lengths[of]++
	}
	return priorityBehind(before, of.urgent)
}

// forget counts a request no longer. It is called with the lock.
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
	// levels of priority, of which the lowest is for an account that has a thousand requests queued, or more. They are few because
	// metrics have a label for each.
	levels = 5
	// step is between two levels, and urgent is how much an urgent request is above its level.
	step, urgent = 20, 10
)

// priorityBehind returns the priority of a request of an account that has so many others queued.
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

// GetWithPriority returns the next request with its priority. It is no longer queued.
func (q *queue) GetWithPriority() (ctrl.Request, int, bool) {
	r, priority, shutdown := q.PriorityQueue.GetWithPriority()
	q.mu.Lock()
	defer q.mu.Unlock()
	q.forget(r.NamespacedName)
	return r, priority, shutdown
}
