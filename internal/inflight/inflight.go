// Package inflight tracks calls of external endpoints that run outside of reconciles: model calls and requests to receivers. It limits
// the calls in progress, in total and for each account, registrable domain and host, and gives free slots to accounts in turn. It finds
// a call by the id of its attempt, keeps the result until it is recorded, and waits for calls at shutdown. Its state ends with the
// process: attempts are in status.
package inflight

import (
	"context"
	"runtime/debug"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Tracker tracks calls whose result is a T.
type Tracker[T any] struct {
	results Results[T]

	mu sync.Mutex
	// closed means that no slot is given any more; cancelled means that the context of every call is cancelled.
	closed, cancelled bool
	usage             *usage
	// queue holds the objects that wait for a slot. The limits allow none of them a slot now: put reserves one as soon as they do.
	queue *queue
	// reserved holds the slots that are reserved for objects from the queue, until they acquire them.
	reserved map[types.NamespacedName]*reservation[T]
	// preparing holds the preparations in progress.
	preparing map[types.NamespacedName]*preparation
	// calls are by the id of the attempt.
	calls  map[string]*call[T]
	notify func(types.NamespacedName)
	// due are the objects to notify when the lock is given back.
	due []types.NamespacedName
	// returned is signaled when a slot is returned.
	returned *sync.Cond
}

// Results tells a tracker how to read the results of calls, and what the result of a panic is.
type Results[T any] struct {
	// TimedOut reports whether a call ended because its host did not answer in time. If it is nil, no call did.
	TimedOut func(T) bool
	// RetryAfter returns how long a host asks not to be called again; 0 if it does not ask. If it is nil, no host asks.
	RetryAfter func(T) time.Duration
	// Panicked returns the result of a call that panicked with a value. If it is nil, the result is the zero T.
	Panicked func(ctx context.Context, key types.NamespacedName, value any, stack []byte) T
}

type call[T any] struct {
	key    types.NamespacedName
	uid    types.UID
	cancel context.CancelFunc
	done   bool
	// dropped means that the result is discarded when the call ends.
	dropped bool
	result  T
}

// New returns a Tracker. Notify sets the function that it notifies objects with.
func New[T any](limits Limits, results Results[T]) *Tracker[T] {
	if results.TimedOut == nil {
		results.TimedOut = func(T) bool { return false }
	}
	if results.RetryAfter == nil {
		results.RetryAfter = func(T) time.Duration { return 0 }
	}
	if results.Panicked == nil {
		results.Panicked = func(context.Context, types.NamespacedName, any, []byte) (none T) { return none }
	}
	t := &Tracker[T]{
		results: results, usage: newUsage(limits), queue: newQueue(),
		reserved: map[types.NamespacedName]*reservation[T]{}, preparing: map[types.NamespacedName]*preparation{},
		calls: map[string]*call[T]{}, notify: func(types.NamespacedName) {},
	}
	t.returned = sync.NewCond(&t.mu)
	return t
}

// Notify sets the function that is called with an object when its call has ended or a slot is reserved for it. The function is called
// without the tracker's lock.
func (t *Tracker[T]) Notify(f func(types.NamespacedName)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notify = f
}

// Slot is the right to start one call. Go uses it, Release returns it.
type Slot[T any] struct {
	tracker *Tracker[T]
	key     types.NamespacedName
	request SlotRequest
	// prepared is the preparation that the slot comes from; nil if there was none.
	prepared *prepared[T]
	once     sync.Once
}

// Acquire returns a slot, or nil if none is free for the request. In that case the object is queued, and notified when a slot is
// reserved for it. While a preparation for the object is in progress, that has the slot, and the object is notified when it has ended.
// As long as there is a call of an earlier object of the name, whose result is not forgotten, none is free for the object: its result comes
// first. The name is notified when such a call ends.
func (t *Tracker[T]) Acquire(key types.NamespacedName, request SlotRequest) (slot *Slot[T]) {
	t.change(func() {
		if t.closed || t.preparing[key] != nil || t.hasOthers(key, request.UID) {
			return
		}
		result, taken := t.takeFor(key, request)
		if !taken {
			t.enqueue(key, request)
			return
		}
		slot = &Slot[T]{tracker: t, key: key, request: request, prepared: result}
	})
	return slot
}

// Release returns a slot that Go has not used.
func (s *Slot[T]) Release() {
	s.once.Do(func() {
		s.tracker.change(func() { s.tracker.put(s.request) })
	})
}

// Go starts a call under the id of its attempt. The call's context has the values of ctx, but not its cancellation: only the tracker's
// timeout, Cancel and CancelAll end a call early. The results of earlier calls for the object, if it
// is the same by its UID, are dropped. A panic ends only this call.
func (s *Slot[T]) Go(ctx context.Context, id string, do func(context.Context) T) {
	s.once.Do(func() {
		t := s.tracker
		ctx, cancel := t.usage.limits.detach(ctx)
		c := &call[T]{key: s.key, uid: s.request.UID, cancel: cancel}
		t.mu.Lock()
		t.drop(s.key, func(uid types.UID) bool { return uid == s.request.UID })
		t.calls[id] = c
		if t.cancelled {
			cancel()
		}
		t.mu.Unlock()
		go func() {
			var result T
			defer cancel()
			defer func() { t.end(id, s.request, result) }()
			result = t.do(ctx, s.key, do)
		}()
	})
}

// do makes a call and returns its result, even if it panics.
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

// end records a result and returns the slot in one change, so that nobody sees one without the other.
func (t *Tracker[T]) end(id string, request SlotRequest, result T) {
	t.CoolDown(request, t.results.RetryAfter(result))
	t.change(func() {
		c := t.calls[id]
		c.done, c.result = true, result
		if c.dropped {
			delete(t.calls, id)
		}
		t.usage.ended(request.Host, t.results.TimedOut(result))
		t.due = append(t.due, c.key)
		t.put(request)
	})
}

// CoolDown starts the cooldown of a host for an account: the host asked not to be called for this time. A cooldown that ends later stays.
// The objects that wait for the host get their slots after it.
func (t *Tracker[T]) CoolDown(request SlotRequest, wait time.Duration) {
	if wait <= 0 {
		return
	}
	later := false
	t.change(func() { later = t.usage.coolDown(request, wait) })
	if !later {
		return
	}
	over := t.usage.limits.Clock.NewTimer(wait)
	go func() {
		<-over.C()
		t.change(t.reserveFree)
	}()
}

// change calls apply with the lock held, and then notifies the objects that are due, without the lock.
func (t *Tracker[T]) change(apply func()) {
	t.mu.Lock()
	apply()
	keys, notify := t.due, t.notify
	t.due = nil
	t.mu.Unlock()
	for _, key := range keys {
		notify(key)
	}
}
