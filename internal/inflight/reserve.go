package inflight

import "k8s.io/apimachinery/pkg/types"

// Begin is called at the beginning of each reconcile of an object, and the function that it returns at the end: a slot that was
// reserved for the object and that the reconcile has not acquired goes to the next in the queue. One that was reserved during the
// reconcile stays: the object is notified of it.
func (t *Tracker[T]) Begin(key types.NamespacedName) (end func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.reserved[key]; r != nil {
		r.seen = true
	}
	return func() {
		t.change(func() []types.NamespacedName {
			if r := t.reserved[key]; r == nil || !r.seen {
				return nil
			}
			return t.release(key)
		})
	}
}

// reservation is a slot for an object that was in the queue. The object is notified of it, and acquires it in its next reconcile.
type reservation struct {
	claim Claim
	// seen means that a reconcile of the object has begun since, and releases it at its end.
	seen bool
}

// The methods below are called with the lock held. They return the objects to notify.

// takeFor takes a slot for an object: the reserved one, or one that is free for the claim. A reserved slot for another claim goes to
// the next in the queue: a Site's URL may have changed since the object was queued.
func (t *Tracker[T]) takeFor(key types.NamespacedName, claim Claim) (taken bool, notify []types.NamespacedName) {
	if r := t.reserved[key]; r != nil && r.claim == claim {
		delete(t.reserved, key)
		return true, nil
	}
	notify = t.release(key)
	if !t.usage.allows(claim) {
		return false, notify
	}
	t.queue.remove(key)
	t.usage.take(claim)
	return true, notify
}

// release returns a slot that is reserved for an object, if there is one.
func (t *Tracker[T]) release(key types.NamespacedName) []types.NamespacedName {
	r := t.reserved[key]
	if r == nil {
		return nil
	}
	delete(t.reserved, key)
	return t.put(r.claim)
}

// put returns a slot, and reserves the free ones for objects in the queue.
func (t *Tracker[T]) put(claim Claim) []types.NamespacedName {
	t.usage.put(claim)
	if t.closed {
		t.signalIdle()
		return nil
	}
	var notify []types.NamespacedName
	for w := t.queue.next(t.usage.allows); w != nil; w = t.queue.next(t.usage.allows) {
		t.usage.take(w.claim)
		t.reserved[w.key] = &reservation{claim: w.claim}
		notify = append(notify, w.key)
	}
	return notify
}

// enqueue puts an object into the queue, if it is not in it with this claim yet.
func (t *Tracker[T]) enqueue(key types.NamespacedName, claim Claim) {
	if w := t.queue.waiter(key); w != nil && w.claim == claim {
		return
	}
	t.queue.remove(key)
	t.queue.add(key, claim)
}
