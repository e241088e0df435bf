package inflight

import "k8s.io/apimachinery/pkg/types"

// State is the state of a call.
type State int

// The states of a call.
const (
	// Unknown means that this process never started the call, or that its result was dropped.
	Unknown State = iota
	// Running means that the call has not ended.
	Running
	// Done means that the call has a result.
	Done
)

// Look returns the state of the call with this id, and its result if it has ended, or else the progress that it has reported. A result
// stays until Forget, Drop, or the object's next call.
func (t *Tracker[T]) Look(id string) (T, State) {
	t.mu.Lock()
	defer t.mu.Unlock()
	c, ok := t.calls[id]
	switch {
	case !ok:
		var none T
		return none, Unknown
	case !c.done:
		return c.result, Running
	default:
		return c.result, Done
	}
}

// Report sets the progress of a running call, which Look returns.
func (t *Tracker[T]) Report(id string, soFar T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c, ok := t.calls[id]; ok && !c.done {
		c.result = soFar
	}
}

// Forget drops the results of attempts that status holds.
func (t *Tracker[T]) Forget(ids ...string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range ids {
		if c, ok := t.calls[id]; ok && c.done {
			delete(t.calls, id)
		}
	}
}

// Ended returns the results of an object's calls that have ended and are not forgotten, by the id of the attempt.
func (t *Tracker[T]) Ended(key types.NamespacedName) map[string]T {
	t.mu.Lock()
	defer t.mu.Unlock()
	ended := map[string]T{}
	for id, c := range t.calls {
		if c.key == key && c.done {
			ended[id] = c.result
		}
	}
	return ended
}

// EndedOfOthers returns the results of the calls for earlier objects of a name that have ended and are not forgotten, by the id of the
// attempt. uid is that of the present object.
func (t *Tracker[T]) EndedOfOthers(key types.NamespacedName, uid types.UID) map[string]T {
	t.mu.Lock()
	defer t.mu.Unlock()
	ended := map[string]T{}
	for id, c := range t.calls {
		if c.key == key && c.uid != uid && c.done {
			ended[id] = c.result
		}
	}
	return ended
}

// HasOthers reports whether there is a call for an earlier object of a name that is in progress, or whose result is not forgotten. Calls
// whose results were dropped do not count.
func (t *Tracker[T]) HasOthers(key types.NamespacedName, uid types.UID) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.hasOthers(key, uid)
}

// hasOthers is called with the lock held.
func (t *Tracker[T]) hasOthers(key types.NamespacedName, uid types.UID) bool {
	for _, c := range t.calls {
		if c.key == key && c.uid != uid && !c.dropped {
			return true
		}
	}
	return false
}

// DropOthers ends the context of the calls for earlier objects of a name, and discards their results.
func (t *Tracker[T]) DropOthers(key types.NamespacedName, uid types.UID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.calls {
		if c.key == key && c.uid != uid {
			c.cancel()
		}
	}
	t.drop(key, func(other types.UID) bool { return other != uid })
}

// Leave takes an object out of the queue, and ends its preparation.
func (t *Tracker[T]) Leave(key types.NamespacedName) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue.remove(key)
	t.abandon(key)
}

// Drop discards the results of the calls for a deleted object, those of running calls when they end, and takes the object out of the
// queue. It ends the object's preparation.
func (t *Tracker[T]) Drop(key types.NamespacedName) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue.remove(key)
	t.abandon(key)
	t.drop(key, func(types.UID) bool { return true })
}

// Cancel ends the context of the calls for an object.
func (t *Tracker[T]) Cancel(key types.NamespacedName) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.calls {
		if c.key == key {
			c.cancel()
		}
	}
}

// Reserved reports whether a slot is reserved for an object.
func (t *Tracker[T]) Reserved(key types.NamespacedName) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.reserved[key] != nil
}

// Len returns the number of calls in progress, and of preparations. None is counted any more when its object is notified.
func (t *Tracker[T]) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(t.preparing)
	for _, c := range t.calls {
		if !c.done {
			n++
		}
	}
	return n
}

// drop discards the results of the calls for those objects of a name, those of running calls when they end. It is called with the lock
// held.
func (t *Tracker[T]) drop(key types.NamespacedName, whose func(types.UID) bool) {
	for id, c := range t.calls {
		if c.key != key || !whose(c.uid) {
			continue
		}
		c.dropped = true
		if c.done {
			delete(t.calls, id)
		}
	}
}
