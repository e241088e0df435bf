package inflight

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// queue holds the objects that wait for a slot. Accounts are served in turn, and so are the hosts of an account. Objects that wait for
// the same host are served in the order in which they were queued.
type queue struct {
	// accounts are in the order in which they are served next.
	accounts []*accountQueue
	requests map[types.NamespacedName]SlotRequest
}

type accountQueue struct {
	name string
	// hosts are in the order in which they are served next.
	hosts []*hostQueue
}

type hostQueue struct {
	name string
	// waiters are in the order in which they were queued.
	waiters []types.NamespacedName
}

func newQueue() *queue { return &queue{requests: map[types.NamespacedName]SlotRequest{}} }

// add puts an object that is not in the queue at the end of the queue of its account and host. A new account, and a new host of an
// account, are served last.
func (q *queue) add(key types.NamespacedName, request SlotRequest) {
	q.requests[key] = request
	i, j := q.find(request)
	if i < 0 {
		i, q.accounts = len(q.accounts), append(q.accounts, &accountQueue{name: request.Account})
	}
	a := q.accounts[i]
	if j < 0 {
		j, a.hosts = len(a.hosts), append(a.hosts, &hostQueue{name: request.Host})
	}
	a.hosts[j].waiters = append(a.hosts[j].waiters, key)
}

// find returns the places of an account and of its host; -1 for one that is not in the queue.
func (q *queue) find(request SlotRequest) (account, host int) {
	account = slices.IndexFunc(q.accounts, func(a *accountQueue) bool { return a.name == request.Account })
	if account < 0 {
		return -1, -1
	}
	return account, slices.IndexFunc(q.accounts[account].hosts, func(h *hostQueue) bool { return h.name == request.Host })
}

// remove takes an object out of the queue if it is there.
func (q *queue) remove(key types.NamespacedName) {
	request, queued := q.requests[key]
	if !queued {
		return
	}
	delete(q.requests, key)
	i, j := q.find(request)
	a := q.accounts[i]
	h := a.hosts[j]
	if h.waiters[0] == key {
		h.waiters = h.waiters[1:] // The rest is not moved: a host may have 50,000 waiters, which leave in order.
	} else {
		place := slices.Index(h.waiters, key)
		h.waiters = slices.Delete(h.waiters, place, place+1)
	}
	if len(h.waiters) == 0 {
		a.hosts = slices.Delete(a.hosts, j, j+1)
	}
	if len(a.hosts) == 0 {
		q.accounts = slices.Delete(q.accounts, i, i+1)
	}
}

// next removes and returns the object that is served next, among those whose request is allowed; false if there is none. Its account and
// its host are served last then.
func (q *queue) next(allows func(SlotRequest) bool) (types.NamespacedName, SlotRequest, bool) {
	for i, a := range q.accounts {
		for j, h := range a.hosts {
			key := h.waiters[0]
			request := q.requests[key]
			if !allows(request) {
				continue
			}
			q.accounts = append(slices.Delete(q.accounts, i, i+1), a)
			a.hosts = append(slices.Delete(a.hosts, j, j+1), h)
			q.remove(key)
			return key, request, true
		}
	}
	return types.NamespacedName{}, SlotRequest{}, false
}
