package inflight

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
)

// Close gives no more slots. An object that has one may still begin its call: the attempt may already be written to status.
func (t *Tracker[T]) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.queue = newQueue()
	for key := range t.reserved {
		t.release(key)
	}
}

// CancelAll ends the context of all calls, and of those that still begin.
func (t *Tracker[T]) CancelAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cancelled = true
	for _, c := range t.calls {
		c.cancel()
	}
}

// Drain closes the tracker and waits until no slot is in use or ctx has ended. It returns the objects with results that may
// not have been recorded.
func (t *Tracker[T]) Drain(ctx context.Context) []types.NamespacedName {
	t.Close()
	select {
	case <-t.whenIdle():
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var keys []types.NamespacedName
	for _, c := range t.calls {
		if c.done {
			keys = append(keys, c.key)
		}
	}
	return keys
}

// whenIdle returns a channel that is closed when no slot is in use.
func (t *Tracker[T]) whenIdle() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.usage.total == 0 {
		none := make(chan struct{})
		close(none)
		return none
	}
	if t.idle == nil {
		t.idle = make(chan struct{})
	}
	return t.idle
}

// signalIdle notifies whoever waits for the last slot. It is called with the lock held.
func (t *Tracker[T]) signalIdle() {
	if t.usage.total == 0 && t.idle != nil {
		close(t.idle)
		t.idle = nil
	}
}
