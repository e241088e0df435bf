package inflight

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
)

// Close stops giving slots, and ends preparations. An object that already has a slot may still start its call, because the attempt may
// already be in status.
func (t *Tracker[T]) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.queue = newQueue()
	for key := range t.reserved {
		t.release(key)
	}
	for key := range t.preparing {
		t.abandon(key)
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
	stop := context.AfterFunc(ctx, func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.returned.Broadcast()
	})
	defer stop()
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.usage.total > 0 && ctx.Err() == nil {
		t.returned.Wait()
	}
	var keys []types.NamespacedName
	for _, c := range t.calls {
		if c.done {
			keys = append(keys, c.key)
		}
	}
	return keys
}
