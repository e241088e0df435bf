// Package inflight keeps account of the work that is out of the process: model calls and requests to receivers. It bounds
// how much is under way in all and per host, finds work by its attempt's id, keeps results until they are recorded, and
// waits for the rest at shutdown. Nothing in it outlives the process: what matters is in status.
package inflight

import (
	"context"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Limits bound what is under way at once.
type Limits struct {
	// Total bounds all work; at least 1.
	Total int
	// PerHost bounds the work for one host, so that a slow one does not hold up others; at least 1.
	PerHost int
	// Timeout ends each piece of work; zero for none of its own.
	Timeout time.Duration
}

// Tracker keeps account of work whose outcome is a T.
type Tracker[T any] struct {
	limits Limits

	mu sync.Mutex
	// closed lets no more slots out, cancelled no more work go on.
	closed, cancelled bool
	// total counts the slots that are out, whether work has begun in them or not, and hosts those of each host.
	total   int
	hosts   map[string]int
	work    map[string]*piece[T]
	waiting []waiter
	granted map[types.NamespacedName]string
	notify  func(types.NamespacedName)
	// idle is closed when the last slot has come back, once somebody waits for that.
	idle chan struct{}
}

type piece[T any] struct {
	key    types.NamespacedName
	cancel context.CancelFunc
	done   bool
	// unwanted work has its result dropped as soon as it ends.
	unwanted bool
	result   T
}

type waiter struct {
	key  types.NamespacedName
	host string
}

// New returns a Tracker that calls nobody: see Notify.
func New[T any](limits Limits) *Tracker[T] {
	return &Tracker[T]{
		limits: limits,
		hosts:  map[string]int{}, work: map[string]*piece[T]{}, granted: map[types.NamespacedName]string{},
		notify: func(types.NamespacedName) {},
	}
}

// Notify sets what is called, never under a lock, with the object whose work has ended or that has been given the slot it
// waited for.
func (t *Tracker[T]) Notify(f func(types.NamespacedName)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.notify = f
}

// Slot is leave to start one piece of work. It is used up by Go or given back by Release.
type Slot[T any] struct {
	tracker *Tracker[T]
	key     types.NamespacedName
	host    string
	once    sync.Once
}

// Acquire returns a slot, or nil where all are taken: the object then stands in line, in the order of asking, and is
// notified when a slot is kept for it.
func (t *Tracker[T]) Acquire(key types.NamespacedName, host string) *Slot[T] {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.closed {
		return nil
	}
	if held, ok := t.granted[key]; ok && held == host {
		delete(t.granted, key)
		return &Slot[T]{tracker: t, key: key, host: host}
	}
	if !t.free(host) {
		t.enqueue(key, host)
		return nil
	}
	t.take(host)
	return &Slot[T]{tracker: t, key: key, host: host}
}

// Settle is called at the end of each look at an object: a slot that was kept for it and that it did not use goes to the
// next in line.
func (t *Tracker[T]) Settle(key types.NamespacedName) {
	t.tell(func() []types.NamespacedName {
		host, ok := t.granted[key]
		if !ok {
			return nil
		}
		delete(t.granted, key)
		return t.put(host)
	})
}

// Release gives an unused slot back.
func (s *Slot[T]) Release() {
	s.once.Do(func() {
		s.tracker.tell(func() []types.NamespacedName { return s.tracker.put(s.host) })
	})
}

// Go starts a piece of work under an attempt's id. It keeps the values of the caller's context and not its end: only the
// tracker's timeout, Cancel and CancelAll end it early. Of earlier work for the object nothing is wanted any more.
func (s *Slot[T]) Go(ctx context.Context, id string, do func(context.Context) T) {
	s.once.Do(func() {
		t := s.tracker
		ctx, cancel := t.limits.detach(ctx)
		p := &piece[T]{key: s.key, cancel: cancel}
		t.mu.Lock()
		t.drop(s.key)
		t.work[id] = p
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

// detach returns what a piece of work runs under.
func (l Limits) detach(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx = context.WithoutCancel(ctx)
	if l.Timeout > 0 {
		return context.WithTimeout(ctx, l.Timeout)
	}
	return context.WithCancel(ctx)
}

// end keeps a result and gives the slot back, both at once: who sees the one finds the other.
func (t *Tracker[T]) end(id, host string, result T) {
	t.tell(func() []types.NamespacedName {
		p := t.work[id]
		p.done, p.result = true, result
		if p.unwanted {
			delete(t.work, id)
		}
		return append([]types.NamespacedName{p.key}, t.put(host)...)
	})
}

// tell makes a change under the lock, and notifies the objects that it returns when the lock is free again.
func (t *Tracker[T]) tell(change func() []types.NamespacedName) {
	t.mu.Lock()
	keys, notify := change(), t.notify
	t.mu.Unlock()
	for _, key := range keys {
		notify(key)
	}
}

// State says how a piece of work stands.
type State int

// The states of work.
const (
	// Unknown work was never started here, or nobody asks for its result any more.
	Unknown State = iota
	// Running work has not ended.
	Running
	// Done work has a result.
	Done
)

// Look returns the result of the work under this id, if it has ended, or what it has reported. A result stays until Forget,
// Drop, or the object's next work.
func (t *Tracker[T]) Look(id string) (T, State) {
	t.mu.Lock()
	defer t.mu.Unlock()
	p, ok := t.work[id]
	switch {
	case !ok:
		var none T
		return none, Unknown
	case !p.done:
		return p.result, Running
	default:
		return p.result, Done
	}
}

// Report has Look return how far running work is.
func (t *Tracker[T]) Report(id string, soFar T) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p, ok := t.work[id]; ok && !p.done {
		p.result = soFar
	}
}

// Forget drops a result that status tells of.
func (t *Tracker[T]) Forget(id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p, ok := t.work[id]; ok && p.done {
		delete(t.work, id)
	}
}

// Drop drops what came of the work for an object that is gone, and what comes of it later.
func (t *Tracker[T]) Drop(key types.NamespacedName) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.drop(key)
}

// Cancel ends the context of the work for an object.
func (t *Tracker[T]) Cancel(key types.NamespacedName) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.work {
		if p.key == key {
			p.cancel()
		}
	}
}

// Len returns how many pieces of work have not ended. One counts as ended before anybody is notified of it.
func (t *Tracker[T]) Len() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := 0
	for _, p := range t.work {
		if !p.done {
			n++
		}
	}
	return n
}
