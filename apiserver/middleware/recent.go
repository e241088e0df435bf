package middleware

import (
	"sync"
	"time"

	"k8s.io/utils/clock"
)

// recentFor is how long a Recent remembers.
const recentFor = 5 * time.Minute

// Recent counts what each key has had kept in the last minutes, for a limit of what somebody else counts now and then. Its methods may be
// called from any goroutine.
type Recent struct {
	clock clock.PassiveClock

	mu   sync.Mutex
	kept map[string][]moment
}

// moment is what was kept within a second.
type moment struct {
	second int64
	n      int64
}

// NewRecent returns a Recent that remembers nothing.
func NewRecent(c clock.PassiveClock) *Recent { return &Recent{clock: c, kept: map[string][]moment{}} }

// Take counts one more of a key, and returns a function that takes it back. It is nil, and nothing is counted, if room is used up by what
// was kept since a time, at which the rest was counted.
func (r *Recent) Take(key string, since time.Time, room int64) (undo func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	// What was kept in the second of the count may not be in it.
	r.forget(key, max(since.Unix(), r.clock.Now().Add(-recentFor).Unix()))
	for _, m := range r.kept[key] {
		room -= m.n
	}
	if room <= 0 {
		return nil
	}
	second := r.add(key, r.clock.Now().Unix(), 1)
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.add(key, second, -1)
	}
}

// Add counts n more of a key, whatever the limit is.
func (r *Recent) Add(key string, n int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(key, r.clock.Now().Unix(), n)
}

// add counts n in a second, of those that are remembered, and returns it.
func (r *Recent) add(key string, second, n int64) int64 {
	kept := r.kept[key]
	for i := len(kept) - 1; i >= 0; i-- {
		if kept[i].second == second {
			kept[i].n += n
			return second
		}
	}
	if n > 0 {
		r.kept[key] = append(kept, moment{second, n})
	}
	return second
}

// forget forgets what a key had kept before a second.
func (r *Recent) forget(key string, before int64) {
	kept := r.kept[key]
	for len(kept) > 0 && kept[0].second < before {
		kept = kept[1:]
	}
	if r.kept[key] = kept; len(kept) == 0 {
		delete(r.kept, key)
	}
}
