package inflight

import (
	"container/list"

	"k8s.io/apimachinery/pkg/types"
)

// queue holds the objects that wait for a slot. Accounts are served in turn, and so are the hosts of an account. Objects that wait for
// the same host are served in the order in which they were queued.
type queue struct {
	accounts turns[hostQueues]
	requests map[types.NamespacedName]SlotRequest
	// places are those of the objects among the waiters for their hosts.
	places map[types.NamespacedName]*list.Element
}

// hostQueues are the hosts of an account. The waiters for each are the types.NamespacedName of objects, in the order in which they were
// queued. A host may have 50,000, which leave in any order.
type hostQueues = turns[*list.List]

func newQueue() *queue {
	return &queue{
		accounts: newTurns[hostQueues](),
		requests: map[types.NamespacedName]SlotRequest{}, places: map[types.NamespacedName]*list.Element{},
	}
}

// add puts an object that is not in the queue at the end of the queue of its account and host. A new account, and a new host of an
// account, are served last.
func (q *queue) add(key types.NamespacedName, request SlotRequest) {
	q.requests[key] = request
	hosts, known := q.accounts.get(request.Account)
	if !known {
		hosts = newTurns[*list.List]()
		q.accounts.add(request.Account, hosts)
	}
	waiters, known := hosts.get(request.Host)
	if !known {
		waiters = list.New()
		hosts.add(request.Host, waiters)
	}
	q.places[key] = waiters.PushBack(key)
}

// remove takes an object out of the queue if it is there.
func (q *queue) remove(key types.NamespacedName) {
	request, queued := q.requests[key]
	if !queued {
		return
	}
	delete(q.requests, key)
	hosts, _ := q.accounts.get(request.Account)
	waiters, _ := hosts.get(request.Host)
	waiters.Remove(q.places[key])
	delete(q.places, key)
	if waiters.Len() == 0 {
		hosts.remove(request.Host)
	}
	if len(hosts.byName) == 0 {
		q.accounts.remove(request.Account)
	}
}

// next removes and returns the object that is served next, among those whose request is allowed; false if there is none. Its account and
// its host are served last then. The hosts of an account that may have no slot are not looked at.
func (q *queue) next(mayHave func(account string) bool, allows func(SlotRequest) bool) (types.NamespacedName, SlotRequest, bool) {
	for account, hosts := range q.accounts.all() {
		if !mayHave(account) {
			continue
		}
		for host, waiters := range hosts.all() {
			key, _ := waiters.Front().Value.(types.NamespacedName)
			request := q.requests[key]
			if !allows(request) {
				continue
			}
			q.accounts.moveToEnd(account)
			hosts.moveToEnd(host)
			q.remove(key)
			return key, request, true
		}
	}
	return types.NamespacedName{}, SlotRequest{}, false
}
