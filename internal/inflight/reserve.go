package inflight

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"
)

// Turn says what an object may do that asks for a slot.
type Turn int

// The turns of an object.
const (
	// Now means that a slot is reserved for it until the end of the reconcile.
	Now Turn = iota
	// Soon means that it is among the next: what needs no slot may be done now. It is notified when a slot is reserved for it.
	Soon
	// Later means that it waits behind others. It is notified when it is among the next.
	Later
	// Stuck means that it is not worth waiting: the host returns no slots, or the object has waited for long. It stays in the queue.
	Stuck
)

// maxAsked is how often Reserve tells an object to wait.
const maxAsked = 12

// Reserve keeps a slot for an object that is to acquire it later in the same reconcile. If none is free, the object is queued as
// by Acquire. It is worth waiting if this is the first time, or slots of the host were taken or returned since the last time, and the
// object has not been told to wait 12 times; never for a host whose last attempts timed out.
func (t *Tracker[T]) Reserve(key types.NamespacedName, claim Claim) (turn Turn) {
	t.change(func() []types.NamespacedName {
		turn = Stuck
		if t.closed {
			return nil
		}
		notify := t.takeFor(key, claim)
		if _, ok := t.reserved[key]; ok {
			turn = Now
			return notify
		}
		w := t.enqueue(key, claim)
		w.prepares = true
		if !t.wait(w) {
			return notify
		}
		turn = Later
		called := t.call(claim)
		if w.called {
			turn = Soon
		}
		return append(notify, slices.DeleteFunc(called, func(k types.NamespacedName) bool { return k == key })...)
	})
	return turn
}

// IsReserved reports whether a slot is reserved for an object.
func (t *Tracker[T]) IsReserved(key types.NamespacedName) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	_, ok := t.reserved[key]
	return ok
}

// Begin is called at the beginning of each reconcile of an object, and the function that it returns at the end: a slot that was
// reserved for the object and that the reconcile has not acquired goes to the next in the queue. One that was reserved during the
// reconcile, and that it did not ask for, stays: the object is notified of it.
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

// reservation is a slot that is kept for an object.
type reservation struct {
	claim Claim
	// seen means that a reconcile of the object has come across it, and releases it at its end.
	seen bool
}

// The methods below are called with the lock held. They return the objects to notify.

// takeFor reserves a slot for an object, if one is free for its claim. A slot for another claim goes to the next in the queue: a
// Site's URL may change while its article has a reserved slot.
func (t *Tracker[T]) takeFor(key types.NamespacedName, claim Claim) []types.NamespacedName {
	if r := t.reserved[key]; r != nil && r.claim == claim {
		r.seen = true
		return nil
	}
	notify := t.release(key)
	if t.usage.allows(claim) {
		t.leave(key)
		t.take(claim)
		t.reserved[key] = &reservation{claim: claim, seen: true}
	}
	return notify
}

// wait reports whether it is worth waiting, and counts that it was asked.
func (t *Tracker[T]) wait(w *waiter) bool {
	moved := t.usage.moved[w.claim.Host]
	wait := w.asked < maxAsked && (w.asked == 0 || w.moved != moved) && !t.usage.isUnresponsive(w.claim.Host)
	w.asked, w.moved = w.asked+1, moved
	return wait
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
	return t.serve()
}

// serve reserves the free slots for objects in the queue.
func (t *Tracker[T]) serve() []types.NamespacedName {
	var notify []types.NamespacedName
	for w := t.queue.next(t.usage.allows); w != nil; w = t.queue.next(t.usage.allows) {
		t.left(w)
		t.take(w.claim)
		t.reserved[w.key] = &reservation{claim: w.claim}
		notify = append(append(notify, w.key), t.call(w.claim)...)
	}
	return notify
}

// enqueue puts an object into the queue, if it is not in it with this claim yet.
func (t *Tracker[T]) enqueue(key types.NamespacedName, claim Claim) *waiter {
	if w := t.queue.waiter(key); w != nil && w.claim == claim {
		return w
	}
	t.leave(key)
	return t.queue.add(key, claim)
}

// leave takes an object out of the queue, if it is in it.
func (t *Tracker[T]) leave(key types.NamespacedName) {
	if w := t.queue.waiter(key); w != nil {
		t.queue.remove(key)
		t.left(w)
	}
}

// left counts an object that has left the queue.
func (t *Tracker[T]) left(w *waiter) {
	if w.called {
		t.called--
	}
}

// call has the first objects that wait for the host of a claim prepare their calls. There are never more of them than slots.
func (t *Tracker[T]) call(c Claim) []types.NamespacedName {
	var notify []types.NamespacedName
	for _, w := range t.queue.first(c, t.usage.limits.ahead()) {
		if w.prepares && !w.called && t.called < t.usage.limits.Total {
			w.called = true
			t.called++
			notify = append(notify, w.key)
		}
	}
	return notify
}
