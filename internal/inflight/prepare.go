package inflight

import (
	"context"

	"k8s.io/apimachinery/pkg/types"
)

// preparation is a call that is made before the call of a slot, and is in progress.
type preparation struct{ cancel context.CancelFunc }

// prepared is how a preparation ended.
type prepared[T any] struct {
	id      string
	problem *T
}

// Prepare makes a call in the slot that comes before the slot's own call, such as a look at a file that is sent. It returns at once. When
// the preparation has ended, the slot is reserved for the object, and the object is notified. id says what was prepared; do returns a
// result because of which the slot's own call is useless, or nil.
func (s *Slot[T]) Prepare(ctx context.Context, id string, do func(context.Context) *T) {
	s.once.Do(func() {
		t := s.tracker
		ctx, cancel := t.usage.limits.detach(ctx)
		p := &preparation{cancel}
		t.mu.Lock()
		t.preparing[s.key] = p
		if t.closed {
			cancel()
		}
		t.mu.Unlock()
		go func() {
			defer cancel()
			t.endPreparation(s, p, &prepared[T]{id, t.prepare(ctx, s.key, do)})
		}()
	})
}

// prepare makes the call of a preparation. The result of a panic is a problem.
func (t *Tracker[T]) prepare(ctx context.Context, key types.NamespacedName, do func(context.Context) *T) *T {
	var problem *T
	ended := false
	result := t.do(ctx, key, func(ctx context.Context) (none T) {
		problem = do(ctx)
		ended = true
		return none
	})
	if !ended {
		return &result
	}
	return problem
}

// endPreparation reserves the slot of a preparation for its object, unless that has left.
func (t *Tracker[T]) endPreparation(s *Slot[T], p *preparation, result *prepared[T]) {
	t.change(func() {
		wanted := t.preparing[s.key] == p
		if wanted {
			delete(t.preparing, s.key)
		}
		if !wanted || t.closed {
			t.put(s.request)
			return
		}
		t.reserved[s.key] = &reservation[T]{request: s.request, prepared: result}
		t.due = append(t.due, s.key)
	})
}

// Prepared reports whether the slot comes from a preparation of this id, and returns the problem that it found; nil if it found none.
func (s *Slot[T]) Prepared(id string) (problem *T, ok bool) {
	if s.prepared == nil || s.prepared.id != id {
		return nil, false
	}
	return s.prepared.problem, true
}

// Preparing reports whether a preparation for an object is in progress.
func (t *Tracker[T]) Preparing(key types.NamespacedName) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.preparing[key] != nil
}

// abandon ends the preparation for an object, if there is one. It is called with the lock held.
func (t *Tracker[T]) abandon(key types.NamespacedName) {
	if p := t.preparing[key]; p != nil {
		delete(t.preparing, key)
		p.cancel()
	}
}
