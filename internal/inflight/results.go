package inflight

import "k8s.io/apimachinery/pkg/types"

// State is how a call stands.
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

// Look returns the result of the call with this id if it has ended, else what it has reported. A result stays until Forget,
// Drop, or the object's next call.
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

// Report has Look return the progress of a running call.
func (t *Tracker[T]) Report(id string, soFar T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c, ok := t.calls[id]; ok && !c.done {
		c.result = soFar
	}
}

// Forget drops a result that status holds.
func (t *Tracker[T]) Forget(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if c, ok := t.calls[id]; ok && c.done {
		delete(t.calls, id)
	}
}

// Ended returns the results of an object's calls that have ended and were not forgotten, by the ids of their attempts.
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

// Leave takes an object out of the queue.
func (t *Tracker[T]) Leave(key types.NamespacedName) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue.remove(key)
}

// Drop drops the results, present and future, of the calls for an object that is gone, and takes it out of the queue.
func (t *Tracker[T]) Drop(key types.NamespacedName) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.queue.remove(key)
	t.drop(key)
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

// Len returns the number of calls in progress. A call counts as ended before anybody is notified of it.
func (t *Tracker[T]) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for _, c := range t.calls {
		if !c.done {
			n++
		}
	}
	return n
}

// drop drops the results of an object's calls, of running ones as soon as they end. It is called with the lock held.
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
