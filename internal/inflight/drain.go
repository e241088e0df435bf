package inflight

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
)

// Close lets no more slots out. What has one may still begin its work: it may have been written ahead already.
func (t *Tracker[T]) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.waiting = nil
	for key, host := range t.granted {
		delete(t.granted, key)
		t.put(host)
	}
}

// CancelAll ends the context of all work, and of what still begins.
func (t *Tracker[T]) CancelAll() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cancelled = true
	for _, p := range t.work {
		p.cancel()
	}
}

// Drain closes the tracker and waits until all slots have come back or ctx has ended. It returns the objects with results that
// may not have been recorded.
func (t *Tracker[T]) Drain(ctx context.Context) []types.NamespacedName {
	t.Close()
	select {
	case <-t.whenIdle():
	case <-ctx.Done():
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var keys []types.NamespacedName
	for _, p := range t.work {
		if p.done {
			keys = append(keys, p.key)
		}
	}
	return keys
}

// whenIdle returns a channel that is closed when no slot is out.
func (t *Tracker[T]) whenIdle() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.total == 0 {
		none := make(chan struct{})
		close(none)
		return none
	}
	if t.idle == nil {
		t.idle = make(chan struct{})
	}
	return t.idle
}
