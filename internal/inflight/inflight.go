// Package inflight tracks calls of external endpoints that run apart from reconciles: model calls and requests to receivers. It
// bounds how many are in progress in total and per host, finds a call by the id of its attempt, keeps results until they are
// recorded, and waits for the rest at shutdown. Nothing in it outlives the process: what matters is in status.
package inflight

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Limits bound the calls in progress.
type Limits struct {
	// Total bounds all calls; at least 1.
	Total int
	// PerHost bounds the calls to one host, so that a slow host does not delay others; at least 1.
	PerHost int
	// Timeout ends each call; zero means no timeout.
	Timeout time.Duration
}

// Tracker tracks calls whose result is a T.
type Tracker[T any] struct {
	limits Limits

	mu sync.Mutex
	// closed means that no slot is given any more, cancelled that every call is cut off.
	closed, cancelled bool
	// total counts the slots in use, whether their call has begun or not, and hosts those of each host.
	total int
	hosts map[string]int
	// returned counts the slots of each host with slots in use that have been returned.
	returned map[string]uint64
	// calls are by the id of the attempt.
	calls map[string]*call[T]
	// queue is in the order of asking.
	queue []waiter
	// reserved are the slots that are kept for objects that waited, by host.
	reserved map[types.NamespacedName]string
	notify   func(types.NamespacedName)
	// idle is closed when no slot is in use, once somebody waits for that.
	idle chan struct{}
}

type call[T any] struct {
	key    types.NamespacedName
	cancel context.CancelFunc
	done   bool
	// dropped means that nobody needs the result.
	dropped bool
	result  T
}

type waiter struct {
	key  types.NamespacedName
	host string
	// asked is how often Reserve has found no slot for it, and returned how many slots of the host had been returned by then.
	asked    int
	returned uint64
}

// New returns a Tracker that notifies nobody: see Notify.
func New[T any](limits Limits) *Tracker[T] {
	return &Tracker[T]{
		limits: limits,
		hosts:  map[string]int{}, returned: map[string]uint64{}, calls: map[string]*call[T]{}, reserved: map[types.NamespacedName]string{},
		notify: func(types.NamespacedName) {},
	}
}

// Notify sets what is called, never under a lock, with an object whose call has ended or for which a slot has been reserved.
func (t *Tracker[T]) Notify(f func(types.NamespacedName)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notify = f
}

// Slot is the right to start one call. Go uses it, Release returns it.
type Slot[T any] struct {
	tracker *Tracker[T]
	key     types.NamespacedName
	host    string
	once    sync.Once
}

// Acquire returns a slot, or nil if none is free: the object is then queued, in the order of asking, and notified when a slot
// is reserved for it.
func (t *Tracker[T]) Acquire(key types.NamespacedName, host string) *Slot[T] {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	if reserved, ok := t.reserved[key]; ok && reserved == host {
		delete(t.reserved, key)
		return &Slot[T]{tracker: t, key: key, host: host}
	}
	if !t.free(host) {
		t.enqueue(key, host)
		return nil
	}
	t.take(host)
	return &Slot[T]{tracker: t, key: key, host: host}
}

// maxAsked is how often Reserve tells an object to wait.
const maxAsked = 12

// Reserve keeps a slot for an object that is to acquire it later in the same reconcile, and reports whether it has. If none is
// free, the object is queued as by Acquire, and Reserve reports whether it is worth waiting: it is the first time, or slots of
// the host were returned since the last time, and the object has not been told to wait 12 times.
func (t *Tracker[T]) Reserve(key types.NamespacedName, host string) (reserved, wait bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	held, ok := t.reserved[key]
	switch {
	case t.closed:
		return false, false
	case ok && held == host:
		return true, false
	case !ok && t.free(host):
		t.take(host)
		t.reserved[key] = host
		return true, false
	}
	w := t.enqueue(key, host)
	wait = w.asked < maxAsked && (w.asked == 0 || w.returned != t.returned[host])
	w.asked, w.returned = w.asked+1, t.returned[host]
	return false, wait
}

// ReleaseUnused is called at the end of each reconcile of an object: a slot that was reserved for it and that it did not
// acquire goes to the next in the queue.
func (t *Tracker[T]) ReleaseUnused(key types.NamespacedName) {
	t.change(func() []types.NamespacedName {
		host, ok := t.reserved[key]
		if !ok {
			return nil
		}
		delete(t.reserved, key)
		return t.put(host)
	})
}

// Release returns a slot that Go has not used.
func (s *Slot[T]) Release() {
	s.once.Do(func() {
		s.tracker.change(func() []types.NamespacedName { return s.tracker.put(s.host) })
	})
}

// Go starts a call under the id of its attempt. It keeps the values of the caller's context and not its end: only the
// tracker's timeout, Cancel and CancelAll end it early. The results of earlier calls for the object are dropped.
func (s *Slot[T]) Go(ctx context.Context, id string, do func(context.Context) T) {
	s.once.Do(func() {
		t := s.tracker
		ctx, cancel := t.limits.detach(ctx)
		c := &call[T]{key: s.key, cancel: cancel}
		t.mu.Lock()
		t.drop(s.key)
		t.calls[id] = c
		if t.cancelled {
			cancel()
		}
		t.mu.Unlock()
		go func() {
			defer cancel()
			t.end(id, s.host, do(ctx))
		}()
	})
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
func (t *Tracker[T]) end(id, host string, result T) {
	t.change(func() []types.NamespacedName {
		c := t.calls[id]
		c.done, c.result = true, result
		if c.dropped {
			delete(t.calls, id)
		}
		return append([]types.NamespacedName{c.key}, t.put(host)...)
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

// Drop drops the results, present and future, of the calls for an object that is gone.
func (t *Tracker[T]) Drop(key types.NamespacedName) {
	t.mu.Lock()
	defer t.mu.Unlock()
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
