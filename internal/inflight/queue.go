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

func (t *Tracker[T]) enqueue(key types.NamespacedName, host string) {
	i := slices.IndexFunc(t.waiting, func(w waiter) bool { return w.key == key })
	if i < 0 {
		t.waiting = append(t.waiting, waiter{key: key, host: host})
		return
	}
	t.waiting[i].host = host
}

// put gives a slot back and returns the objects that are now kept one.
func (t *Tracker[T]) put(host string) []types.NamespacedName {
	t.total--
	if t.hosts[host]--; t.hosts[host] == 0 {
		delete(t.hosts, host)
	}
	if t.closed {
		t.rest()
		return nil
	}
	var wake []types.NamespacedName
	for i := 0; i < len(t.waiting) && t.total < t.limits.Total; {
		w := t.waiting[i]
		if !t.free(w.host) {
			i++
			continue
		}
		t.take(w.host)
		t.granted[w.key] = w.host
		t.waiting = slices.Delete(t.waiting, i, i+1)
		wake = append(wake, w.key)
	}
	return wake
}

// rest tells who waits for the last slot.
func (t *Tracker[T]) rest() {
	if t.total == 0 && t.idle != nil {
		close(t.idle)
		t.idle = nil
	}
}

// drop drops the results of an object's work, of running work as soon as there is one.
func (t *Tracker[T]) drop(key types.NamespacedName) {
	for id, p := range t.work {
		if p.key != key {
			continue
		}
		p.unwanted = true
		if p.done {
			delete(t.work, id)
		}
	}
}
