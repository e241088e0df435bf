package inflight

import (
	"container/list"
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// queue holds the objects that wait for a slot. Accounts are served in turn, and so are the hosts of an account. Objects that wait for
// the same host are served in the order in which they were queued.
type queue struct {
	// accounts are in the order in which they are served next.
	accounts []*accountQueue
	requests map[types.NamespacedName]SlotRequest
	// places are those of the objects among the waiters for their hosts.
	places map[types.NamespacedName]*list.Element
}

type accountQueue struct {
	name string
	// hosts are in the order in which they are served next.
	hosts []*hostQueue
}

type hostQueue struct {
	name string
	// waiters are the types.NamespacedName of objects, in the order in which they were queued. A host may have 50,000, which leave in any
	// order.
	waiters *list.List
}

func newQueue() *queue {
	return &queue{requests: map[types.NamespacedName]SlotRequest{}, places: map[types.NamespacedName]*list.Element{}}
}

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
		j, a.hosts = len(a.hosts), append(a.hosts, &hostQueue{name: request.Host, waiters: list.New()})
	}
	q.places[key] = a.hosts[j].waiters.PushBack(key)
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
	h.waiters.Remove(q.places[key])
	delete(q.places, key)
	if h.waiters.Len() == 0 {
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
			key, _ := h.waiters.Front().Value.(types.NamespacedName)
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
