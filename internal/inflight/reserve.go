package inflight

import "k8s.io/apimachinery/pkg/types"

// Begin is called when a reconcile of an object begins, and end when that reconcile ends. If a slot was reserved for the object before
// Begin and the reconcile did not acquire it, end gives the slot to the next object in the queue. A slot that was reserved during the
// reconcile stays reserved, because the object is notified of it and reconciled again.
func (t *Tracker[T]) Begin(key types.NamespacedName) (end func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if r := t.reserved[key]; r != nil {
		r.seen = true
	}
	return func() {
		t.change(func() {
			if r := t.reserved[key]; r != nil && r.seen {
				t.release(key)
			}
		})
	}
}

// reservation is a slot for an object from the queue, or whose preparation has ended. The object is notified of it, and acquires it in its
// next reconcile.
type reservation[T any] struct {
	request SlotRequest
	// prepared is the preparation that the slot comes from; nil if there was none.
	prepared *prepared[T]
	// seen means that a reconcile of the object has begun since the reservation was made. The end of that reconcile releases the slot.
	seen bool
}

// The methods below are called with the lock held.

// takeFor takes a slot for an object: the one that is reserved for it, or a free one. If the reserved slot is for another request,
// because a Site's URL has changed since the object was queued, it goes to the next object in the queue.
func (t *Tracker[T]) takeFor(key types.NamespacedName, request SlotRequest) (result *prepared[T], taken bool) {
	if r := t.reserved[key]; r != nil && r.request == request {
		delete(t.reserved, key)
		return r.prepared, true
	}
	t.release(key)
	if !t.usage.allows(request) {
		return nil, false
	}
	t.queue.remove(key)
	t.usage.take(request)
	return nil, true
}

// release returns the slot that is reserved for an object, if there is one.
func (t *Tracker[T]) release(key types.NamespacedName) {
	if r := t.reserved[key]; r != nil {
		delete(t.reserved, key)
		t.put(r.request)
	}
}

// put returns a slot, and reserves the slots that are free for objects in the queue.
func (t *Tracker[T]) put(request SlotRequest) {
	t.usage.put(request)
	t.returned.Broadcast()
	t.reserveFree()
}

// reserveFree reserves the slots that are free for objects in the queue, which is empty once the tracker is closed.
func (t *Tracker[T]) reserveFree() {
	for t.usage.total < t.usage.limits.Total {
		key, request, found := t.queue.next(t.usage.allowsAccount, t.usage.allows)
		if !found {
			return
		}
		t.usage.take(request)
		t.reserved[key] = &reservation[T]{request: request}
		t.due = append(t.due, key)
	}
}

// enqueue adds an object to the queue. If it is queued with another request, it is queued again, at the end.
func (t *Tracker[T]) enqueue(key types.NamespacedName, request SlotRequest) {
	if queued, ok := t.queue.requests[key]; ok && queued == request {
		return
	}
	t.queue.remove(key)
	t.queue.add(key, request)
}
