package inflight

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// The methods of this file are called with the lock held.

func (t *Tracker[T]) free(host string) bool {
	return t.total < t.limits.Total && t.hosts[host] < t.limits.PerHost
}

func (t *Tracker[T]) take(host string) {
	t.total++
	t.hosts[host]++
}

// enqueue puts an object at the end of the queue, if it is not in it yet.
func (t *Tracker[T]) enqueue(key types.NamespacedName, host string) *waiter {
	i := slices.IndexFunc(t.queue, func(w waiter) bool { return w.key == key })
	if i < 0 {
		i = len(t.queue)
		t.queue = append(t.queue, waiter{key: key})
	}
	t.queue[i].host = host
	return &t.queue[i]
}

// put returns a slot, and reserves the free ones for objects in the queue, which it returns.
func (t *Tracker[T]) put(host string) []types.NamespacedName {
	t.total--
	t.returned[host]++
	if t.hosts[host]--; t.hosts[host] == 0 {
		delete(t.hosts, host)
	}
	defer t.forgetIdle(host)
	if t.closed {
		t.signalIdle()
		return nil
	}
	return t.reserve()
}

// forgetIdle forgets how many slots were returned of a host that has none in use.
func (t *Tracker[T]) forgetIdle(host string) {
	if t.hosts[host] == 0 {
		delete(t.returned, host)
	}
}

// reserve keeps each free slot for the first object in the queue that may use it, and returns these objects. An object has one
// reserved slot at the most.
func (t *Tracker[T]) reserve() []types.NamespacedName {
	var notify []types.NamespacedName
	for i := 0; i < len(t.queue) && t.total < t.limits.Total; {
		w := t.queue[i]
		if _, has := t.reserved[w.key]; has || !t.free(w.host) {
			i++
			continue
		}
		t.take(w.host)
		t.reserved[w.key] = w.host
		t.queue = slices.Delete(t.queue, i, i+1)
		notify = append(notify, w.key)
	}
	return notify
}

// signalIdle notifies whoever waits for the last slot.
func (t *Tracker[T]) signalIdle() {
	if t.total == 0 && t.idle != nil {
		close(t.idle)
		t.idle = nil
	}
}

// drop drops the results of an object's calls, of running ones as soon as they end.
func (t *Tracker[T]) drop(key types.NamespacedName) {
	for id, c := range t.calls {
		if c.key != key {
			continue
		}
		c.dropped = true
		if c.done {
			delete(t.calls, id)
		}
	}
}
