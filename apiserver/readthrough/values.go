package readthrough

import (
	"sync"

	"k8s.io/utils/lru"
)

// values are those that were used last: as many as together cost no more than most.
type values[K comparable, V any] struct {
	cost func(V) int64
	most int64
	kept *lru.Cache

	// mu is held while values are added or removed.
	mu sync.Mutex
	// total is what the kept values cost.
	total int64
}

func newValues[K comparable, V any](cost func(V) int64, most int64) *values[K, V] {
	v := &values[K, V]{cost: cost, most: most}
	const entries = 0 // no limit: the cost is one
	v.kept = lru.NewWithEvictionFunc(entries, func(_ lru.Key, removed any) {
		value, _ := removed.(V)
		v.total -= cost(value)
	})
	return v
}

func (v *values[K, V]) get(key K) (V, bool) {
	found, ok := v.kept.Get(key)
	value, _ := found.(V)
	return value, ok
}

func (v *values[K, V]) add(key K, value V) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.kept.Remove(key)
	v.kept.Add(key, value)
	v.total += v.cost(value)
	for v.total > v.most {
		v.kept.RemoveOldest()
	}
}
