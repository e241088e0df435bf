package middleware

import "sync"

// Budget bounds what the requests in progress of a replica hold together, such as the bytes of their bodies. One key has at most
// its share, so that it cannot use up the whole. Its methods may be called from any goroutine.
type Budget struct {
	total, share int64

	mu   sync.Mutex
	used int64
	keys map[string]int64
}

// NewBudget returns a Budget of a total, and a share of it for each key.
func NewBudget(total, share int64) *Budget {
	return &Budget{total: total, share: share, keys: map[string]int64{}}
}

// Take takes n for a key, and reports whether that much is left. What was taken must be given back.
func (b *Budget) Take(key string, n int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.used+n > b.total || b.keys[key]+n > b.share {
		return false
	}
	b.used += n
	b.keys[key] += n
	return true
}

// Give gives n back.
func (b *Budget) Give(key string, n int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.used -= n
	if b.keys[key] -= n; b.keys[key] == 0 {
		delete(b.keys, key)
	}
}
