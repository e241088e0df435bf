package middleware

import (
	"context"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Turns bounds how many requests of a key are worked on at the same time. Others wait. Its methods may be called from any goroutine.
type Turns struct {
	most int64

	mu   sync.Mutex
	keys map[string]*turn
}

// turn has what a key may do at once. It is forgotten when nobody uses it.
type turn struct {
	*semaphore.Weighted

	users int
}

// NewTurns returns Turns of which each key has so many at once.
func NewTurns(most int) *Turns { return &Turns{most: int64(most), keys: map[string]*turn{}} }

// Wait waits for a turn of a key. The function that it returns ends the turn.
func (t *Turns) Wait(ctx context.Context, key string) (end func(), err error) {
	of := t.join(key)
	if err := of.Acquire(ctx, 1); err != nil {
		t.leave(key)
		return nil, err
	}
	return func() {
		of.Release(1)
		t.leave(key)
	}, nil
}

func (t *Turns) join(key string) *turn {
	t.mu.Lock()
	defer t.mu.Unlock()
	of := t.keys[key]
	if of == nil {
		of = &turn{Weighted: semaphore.NewWeighted(t.most)}
		t.keys[key] = of
	}
	of.users++
	return of
}

func (t *Turns) leave(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.keys[key].users--; t.keys[key].users == 0 {
		delete(t.keys, key)
	}
}
