package inflight

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
)

// Close stops giving slots. An object that already has a slot may still start its call, because the attempt may already be in status.
func (t *Tracker[T]) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.queue = newQueue()
	for key := range t.reserved {
		t.release(key)
	}
}

// CancelAll cancels the contexts of all calls in progress, and of calls that start later.
func (t *Tracker[T]) CancelAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cancelled = true
	for _, c := range t.calls {
		c.cancel()
	}
}

// Drain closes the tracker and waits until no slot is in use, or ctx ends. It returns the objects of calls whose results may not be
// recorded yet.
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

// signalIdle closes the channel of whenIdle if no slot is in use. It is called with the lock held.
func (t *Tracker[T]) signalIdle() {
	if t.usage.total == 0 && t.idle != nil {
		close(t.idle)
		t.idle = nil
	}
}
