package event

import (
	"sync"
	"time"

	"github.com/tidwall/btree"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Eviction orders the deliveries of each account for removal if there are too many: finished first, then oldest.
type Eviction struct {
	mu       sync.Mutex
	accounts map[string]*btree.BTreeG[evictable]
	entries  map[types.NamespacedName]evictable
}

// evictable is a delivery with the facts by which Eviction orders it.
type evictable struct {
	key     types.NamespacedName
	account string
	ended   bool
	// at is when it ended, or else when the event happened.
	at time.Time
}

// evictedBefore orders the deliveries of an account. No two are equal.
func evictedBefore(a, b evictable) bool {
	switch {
	case a.ended != b.ended:
		return a.ended
	case !a.at.Equal(b.at):
		return a.at.Before(b.at)
	default:
		return a.key.String() < b.key.String()
	}
}

// NewEviction returns an Eviction without deliveries.
func NewEviction() *Eviction {
	return &Eviction{accounts: map[string]*btree.BTreeG[evictable]{}, entries: map[types.NamespacedName]evictable{}}
}

// add adds or updates a delivery of an account, and returns the deliveries above the limit.
func (e *Eviction) add(account string, limit int, d *v1alpha1.EventDelivery) (over []types.NamespacedName) {
	e.mu.Lock()
	defer e.mu.Unlock()
	entry := evictable{key: types.NamespacedName{Namespace: d.Namespace, Name: d.Name}, account: account, at: d.Spec.Time.Time}
	if d.Status.FinishTime != nil {
		entry.ended, entry.at = true, d.Status.FinishTime.Time
	}
	e.remove(entry.key)
	if e.accounts[account] == nil {
		e.accounts[account] = btree.NewBTreeGOptions(evictedBefore, btree.Options{NoLocks: true})
	}
	e.entries[entry.key] = entry
	e.accounts[account].Set(entry)
	for all := e.accounts[account]; all.Len() > limit; {
		oldest, _ := all.Min()
		e.remove(oldest.key)
		over = append(over, oldest.key)
	}
	return over
}

// forget forgets a delivery that no longer exists.
func (e *Eviction) forget(key types.NamespacedName) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.remove(key)
}

// remove is called with the lock.
func (e *Eviction) remove(key types.NamespacedName) {
	entry, known := e.entries[key]
	if !known {
		return
	}
	delete(e.entries, key)
	all := e.accounts[entry.account]
	if all.Delete(entry); all.Len() == 0 {
		delete(e.accounts, entry.account)
	}
}
