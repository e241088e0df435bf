package inflight

import (
	"container/list"

	"k8s.io/apimachinery/pkg/types"
)

// queue holds the objects that wait for a slot. Accounts are served in turn, and so are the hosts of an account. Objects that wait for
// the same host are served in the order in which they were queued.
type queue struct {
	// accounts are *accountQueue in the order in which they are served next.
	accounts  *list.List
	byAccount map[string]*list.Element
	// waiters are elements of a hostQueue, by object.
	waiters map[types.NamespacedName]*list.Element
}

type accountQueue struct {
	name string
	// hosts are *hostQueue in the order in which they are served next.
	hosts  *list.List
	byHost map[string]*list.Element
}

type hostQueue struct {
	account, host string
	// waiters are *waiter in the order in which they were queued.
	waiters *list.List
}

type waiter struct {
	key     types.NamespacedName
	request SlotRequest
}

func newQueue() *queue {
	return &queue{accounts: list.New(), byAccount: map[string]*list.Element{}, waiters: map[types.NamespacedName]*list.Element{}}
}

// add puts an object that is not in the queue at the end of the queue of its account and host.
func (q *queue) add(key types.NamespacedName, request SlotRequest) {
	q.waiters[key] = q.hostQueue(request).waiters.PushBack(&waiter{key: key, request: request})
}

// waiter returns an object in the queue, or nil.
func (q *queue) waiter(key types.NamespacedName) *waiter {
	if e := q.waiters[key]; e != nil {
		return valueOf[*waiter](e)
	}
	return nil
}

// hostQueue returns the queue of an account and host. A new queue is served last.
func (q *queue) hostQueue(r SlotRequest) *hostQueue {
	e := q.byAccount[r.Account]
	if e == nil {
		e = q.accounts.PushBack(&accountQueue{name: r.Account, hosts: list.New(), byHost: map[string]*list.Element{}})
		q.byAccount[r.Account] = e
	}
	a := accountOf(e)
	h := a.byHost[r.Host]
	if h == nil {
		h = a.hosts.PushBack(&hostQueue{account: r.Account, host: r.Host, waiters: list.New()})
		a.byHost[r.Host] = h
	}
	return hostOf(h)
}

// remove takes an object out of the queue if it is there.
func (q *queue) remove(key types.NamespacedName) {
	w := q.waiter(key)
	if w == nil {
		return
	}
	account := q.byAccount[w.request.Account]
	a := accountOf(account)
	host := a.byHost[w.request.Host]
	h := hostOf(host)
	h.waiters.Remove(q.waiters[key])
	delete(q.waiters, key)
	if h.waiters.Len() == 0 {
		a.hosts.Remove(host)
		delete(a.byHost, h.host)
	}
	if a.hosts.Len() == 0 {
		q.accounts.Remove(account)
		delete(q.byAccount, a.name)
	}
}

// next removes and returns the object that is served next, among those whose request is allowed; nil if there is none. Its account and
// its host are served last then.
func (q *queue) next(allows func(SlotRequest) bool) *waiter {
	for account := q.accounts.Front(); account != nil; account = account.Next() {
		a := accountOf(account)
		for host := a.hosts.Front(); host != nil; host = host.Next() {
			w := valueOf[*waiter](hostOf(host).waiters.Front())
			if !allows(w.request) {
				continue
			}
			q.accounts.MoveToBack(account)
			a.hosts.MoveToBack(host)
			q.remove(w.key)
			return w
		}
	}
	return nil
}

func accountOf(e *list.Element) *accountQueue { return valueOf[*accountQueue](e) }

func hostOf(e *list.Element) *hostQueue { return valueOf[*hostQueue](e) }

// valueOf returns what an element holds: only this file fills the lists.
func valueOf[V any](e *list.Element) V {
	v, _ := e.Value.(V)
	return v
}
