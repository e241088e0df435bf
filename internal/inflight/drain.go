package inflight

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
)

// Close lets no more work begin.
func (t *Tracker[T]) Close() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.closed = true
	t.waiting = nil
}

// Cancel ends the context of all work that is under way.
func (t *Tracker[T]) Cancel() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, p := range t.work {
		p.cancel()
	}
}

// Drain closes the tracker and waits until all work has ended or ctx has. It returns the objects whose results have not
// been recorded.
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

// whenIdle returns a channel that is closed when no work is under way.
func (t *Tracker[T]) whenIdle() <-chan struct{} {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.running == 0 {
		none := make(chan struct{})
		close(none)
		return none
	}
	if t.idle == nil {
		t.idle = make(chan struct{})
	}
	return t.idle
}
