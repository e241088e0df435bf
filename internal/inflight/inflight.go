// Package inflight tracks calls of external endpoints that run apart from reconciles: model calls and requests to receivers. It
// bounds how many are in progress, in total and for each account, registrable domain and host, gives free slots to accounts in
// turn, finds a call by the id of its attempt, keeps results until they are recorded, and waits for the rest at shutdown. Nothing
// in it outlives the process: what matters is in status.
package inflight

import (
	"context"
	"runtime/debug"
	"sync"

	"k8s.io/apimachinery/pkg/types"
)

// Tracker tracks calls whose result is a T.
type Tracker[T any] struct {
	results Results[T]

	mu sync.Mutex
	// closed means that no slot is given any more, cancelled that every call is cut off.
	closed, cancelled bool
	usage             *usage
	// queue holds the objects that wait for a slot. None of them may have one of the free slots.
	queue *queue
	// reserved are the slots for objects that were in the queue.
	reserved map[types.NamespacedName]*reservation
	// calls are by the id of the attempt.
	calls  map[string]*call[T]
	notify func(types.NamespacedName)
	// idle is closed when no slot is in use, once somebody waits for that.
	idle chan struct{}
}

// Results says what a tracker has to know of results.
type Results[T any] struct {
	// TimedOut reports whether a call ended because its host did not answer in time; nil if that is never so.
	TimedOut func(T) bool
	// Panicked returns the result of a call that panicked with a value; nil if that is the zero T.
	Panicked func(ctx context.Context, key types.NamespacedName, value any, stack []byte) T
}

type call[T any] struct {
	key    types.NamespacedName
	cancel context.CancelFunc
	done   bool
	// dropped means that nobody needs the result.
	dropped bool
	result  T
}

// New returns a Tracker that notifies nobody: see Notify.
func New[T any](limits Limits, results Results[T]) *Tracker[T] {
	if results.TimedOut == nil {
		results.TimedOut = func(T) bool { return false }
	}
	if results.Panicked == nil {
		results.Panicked = func(context.Context, types.NamespacedName, any, []byte) (none T) { return none }
	}
	return &Tracker[T]{
		results: results, usage: newUsage(limits), queue: newQueue(),
		reserved: map[types.NamespacedName]*reservation{}, calls: map[string]*call[T]{}, notify: func(types.NamespacedName) {},
	}
}

// Notify sets what is called, never under a lock, with an object whose call has ended, or for which a slot has been reserved.
func (t *Tracker[T]) Notify(f func(types.NamespacedName)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notify = f
}

// Slot is the right to start one call. Go uses it, Release returns it.
type Slot[T any] struct {
	tracker *Tracker[T]
	key     types.NamespacedName
	claim   Claim
	once    sync.Once
}

// Acquire returns a slot, or nil if none is free for the claim: the object is then queued and notified when a slot is reserved for
// it.
func (t *Tracker[T]) Acquire(key types.NamespacedName, claim Claim) (slot *Slot[T]) {
	t.change(func() []types.NamespacedName {
		if t.closed {
			return nil
		}
		taken, notify := t.takeFor(key, claim)
		if taken {
			slot = &Slot[T]{tracker: t, key: key, claim: claim}
		} else {
			t.enqueue(key, claim)
		}
		return notify
	})
	return slot
}

// Release returns a slot that Go has not used.
func (s *Slot[T]) Release() {
	s.once.Do(func() {
		s.tracker.change(func() []types.NamespacedName { return s.tracker.put(s.claim) })
	})
}

// Go starts a call under the id of its attempt. It keeps the values of the caller's context and not its end: only the
// tracker's timeout, Cancel and CancelAll end it early. The results of earlier calls for the object are dropped. A panic ends the
// call alone.
func (s *Slot[T]) Go(ctx context.Context, id string, do func(context.Context) T) {
	s.once.Do(func() {
		t := s.tracker
		ctx, cancel := t.usage.limits.detach(ctx)
		c := &call[T]{key: s.key, cancel: cancel}
		t.mu.Lock()
		t.drop(s.key)
		t.calls[id] = c
		if t.cancelled {
			cancel()
		}
		t.mu.Unlock()
		go func() {
			var result T
			defer cancel()
			defer func() { t.end(id, s.claim, result) }()
			result = t.do(ctx, s.key, do)
		}()
	})
}

// do makes a call and returns its result, also if it panics.
func (t *Tracker[T]) do(ctx context.Context, key types.NamespacedName, do func(context.Context) T) (result T) {
	defer func() {
		if value := recover(); value != nil {
			result = t.results.Panicked(ctx, key, value, debug.Stack())
		}
	}()
	return do(ctx)
}

// detach returns the context that a call runs under.
func (l Limits) detach(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx = context.WithoutCancel(ctx)
	if l.Timeout > 0 {
		return context.WithTimeout(ctx, l.Timeout)
	}
	return context.WithCancel(ctx)
}

// end keeps a result and returns the slot in one change: a caller that sees one of them sees both.
func (t *Tracker[T]) end(id string, claim Claim, result T) {
	t.change(func() []types.NamespacedName {
		c := t.calls[id]
		c.done, c.result = true, result
		if c.dropped {
			delete(t.calls, id)
		}
		t.usage.ended(claim.Host, t.results.TimedOut(result))
		return append([]types.NamespacedName{c.key}, t.put(claim)...)
	})
}

// change makes a change under the lock, and notifies the objects that it returns once the lock is free.
func (t *Tracker[T]) change(apply func() []types.NamespacedName) {
	t.mu.Lock()
	keys, notify := apply(), t.notify
	t.mu.Unlock()
	for _, key := range keys {
		notify(key)
	}
}
