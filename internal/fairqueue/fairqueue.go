// Package fairqueue orders a controller's work queue so that no account with much to reconcile holds up the others.
package fairqueue

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
)

// queue gives each request a priority from 0 to lowest: the more requests of its account are queued, the lower. Requests of one
// priority are in order of arrival. Priorities above 0, which are for what holds a slot, stay as they are.
type queue struct {
	priorityqueue.PriorityQueue[ctrl.Request]

	accountOf func(namespace string) string

	mu sync.Mutex
	// accounts of the requests that are queued, and how many each account has.
	accounts map[types.NamespacedName]string
	queued   map[string]int
}

// Constructor makes the work queue of the controller of a name.
type Constructor = func(name string, limiter workqueue.TypedRateLimiter[ctrl.Request]) workqueue.TypedRateLimitingInterface[ctrl.Request]

// New returns what makes the work queue of a controller (see controller.Options). accountOf returns the account of a namespace, and
// must not wait.
func New(accountOf func(namespace string) string) Constructor {
	return func(name string, limiter workqueue.TypedRateLimiter[ctrl.Request]) workqueue.TypedRateLimitingInterface[ctrl.Request] {
		return &queue{
			PriorityQueue: priorityqueue.New(name, func(o *priorityqueue.Opts[ctrl.Request]) { o.RateLimiter = limiter }),
			accountOf:     accountOf, accounts: map[types.NamespacedName]string{}, queued: map[string]int{},
		}
	}
}

// Add adds a request.
func (q *queue) Add(r ctrl.Request) { q.AddWithOpts(priorityqueue.AddOpts{}, r) }

// AddWithOpts adds requests. A priority of 0 or less is replaced by that of the account. What is to be queued later has the priority
// that it would have now.
func (q *queue) AddWithOpts(o priorityqueue.AddOpts, requests ...ctrl.Request) {
	later := o.After > 0 || o.RateLimited
	for _, r := range requests {
		own := o
		if later || o.Priority == nil || *o.Priority <= 0 {
			own.Priority = new(q.priority(r, later))
		}
		q.PriorityQueue.AddWithOpts(own, r)
	}
}

// priority returns the priority of a request, which counts as queued from now on unless it is to be queued later.
func (q *queue) priority(r ctrl.Request, later bool) int {
	account := q.accountOf(r.Namespace)
	q.mu.Lock()
	defer q.mu.Unlock()
	before := q.queued[account]
	if _, known := q.accounts[r.NamespacedName]; !known && !later {
		q.accounts[r.NamespacedName] = account
		q.queued[account]++
	}
	return of(before)
}

// lowest is the priority of an account that has a thousand requests queued, or more.
const lowest = -4

// of returns the priority of a request of an account that has so many others queued. There are few different ones, because metrics
// have a label for each.
func of(queued int) int {
	priority := 0
	for bound := 8; queued >= bound && priority > lowest; bound *= 5 {
		priority--
	}
	return priority
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
	if account, known := q.accounts[r.NamespacedName]; known {
		delete(q.accounts, r.NamespacedName)
		if q.queued[account]--; q.queued[account] <= 0 {
			delete(q.queued, account)
		}
	}
	return r, priority, shutdown
}
