package event

import (
	"sync"
	"time"

	"github.com/tidwall/btree"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Kept has the deliveries of each account in the order in which they are removed if there are too many: those that have ended come first,
// and of these the oldest.
type Kept struct {
	mu       sync.Mutex
	accounts map[string]*btree.BTreeG[keptDelivery]
	entries  map[types.NamespacedName]keptDelivery
}

// keptDelivery is a delivery with what its place in the order of its account depends on.
type keptDelivery struct {
	key     types.NamespacedName
	account string
	ended   bool
	// at is when it ended, or else when the event happened.
	at time.Time
}

// removedBefore orders the deliveries of an account. No two are equal.
func removedBefore(a, b keptDelivery) bool {
	switch {
	case a.ended != b.ended:
		return a.ended
	case !a.at.Equal(b.at):
		return a.at.Before(b.at)
	default:
		return a.key.String() < b.key.String()
	}
}

// NewKept returns a Kept of no deliveries.
func NewKept() *Kept {
	return &Kept{accounts: map[string]*btree.BTreeG[keptDelivery]{}, entries: map[types.NamespacedName]keptDelivery{}}
}

// add adds a delivery of an account, or brings it up to date, and returns those that are too many.
func (k *Kept) add(account string, most int, d *v1alpha1.EventDelivery) (over []types.NamespacedName) {
	k.mu.Lock()
	defer k.mu.Unlock()
	entry := keptDelivery{key: types.NamespacedName{Namespace: d.Namespace, Name: d.Name}, account: account, at: d.Spec.Time.Time}
	if d.Status.FinishTime != nil {
		entry.ended, entry.at = true, d.Status.FinishTime.Time
	}
	k.remove(entry.key)
	if k.accounts[account] == nil {
		k.accounts[account] = btree.NewBTreeGOptions(removedBefore, btree.Options{NoLocks: true})
	}
	k.entries[entry.key] = entry
	k.accounts[account].Set(entry)
	for all := k.accounts[account]; all.Len() > most; {
		oldest, _ := all.Min()
		k.remove(oldest.key)
		over = append(over, oldest.key)
	}
	return over
}

// forget forgets a delivery that does not exist any more.
func (k *Kept) forget(key types.NamespacedName) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.remove(key)
}

// remove is called with the lock.
func (k *Kept) remove(key types.NamespacedName) {
	entry, known := k.entries[key]
	if !known {
		return
	}
	delete(k.entries, key)
	all := k.accounts[entry.account]
	if all.Delete(entry); all.Len() == 0 {
		delete(k.accounts, entry.account)
	}
}
