package event

import (
	"container/heap"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Kept has the deliveries of each account in the order in which they are removed if there are too many: those that have ended come first,
// and of these the oldest.
type Kept struct {
	mu       sync.Mutex
	accounts map[string]*removals
	entries  map[types.NamespacedName]*keptDelivery
}

// keptDelivery is a delivery with its place in the order of its account.
type keptDelivery struct {
	key     types.NamespacedName
	account string
	ended   bool
	// at is when it ended, or else when the event happened.
	at    time.Time
	index int
}

// NewKept returns a Kept of no deliveries.
func NewKept() *Kept {
	return &Kept{accounts: map[string]*removals{}, entries: map[types.NamespacedName]*keptDelivery{}}
}

// add adds a delivery of an account, or brings it up to date, and returns those that are too many.
func (k *Kept) add(account string, most int, d *v1alpha1.EventDelivery) (over []types.NamespacedName) {
	k.mu.Lock()
	defer k.mu.Unlock()
	entry := &keptDelivery{key: types.NamespacedName{Namespace: d.Namespace, Name: d.Name}, account: account, at: d.Spec.Time.Time}
	if d.Status.FinishTime != nil {
		entry.ended, entry.at = true, d.Status.FinishTime.Time
	}
	k.remove(entry.key)
	if k.accounts[account] == nil {
		k.accounts[account] = &removals{}
	}
	k.entries[entry.key] = entry
	heap.Push(k.accounts[account], entry)
	for all := k.accounts[account]; all.Len() > most; {
		oldest := (*all)[0]
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
	entry := k.entries[key]
	if entry == nil {
		return
	}
	delete(k.entries, key)
	all := k.accounts[entry.account]
	if heap.Remove(all, entry.index); all.Len() == 0 {
		delete(k.accounts, entry.account)
	}
}

// removals is a heap of the deliveries of an account, the next to be removed first.
type removals []*keptDelivery

func (r removals) Len() int { return len(r) }

func (r removals) Less(i, j int) bool {
	if r[i].ended != r[j].ended {
		return r[i].ended
	}
	return r[i].at.Before(r[j].at)
}

func (r removals) Swap(i, j int) {
	r[i], r[j] = r[j], r[i]
	r[i].index, r[j].index = i, j
}

// Push implements heap.Interface.
func (r *removals) Push(entry any) {
	if e, ok := entry.(*keptDelivery); ok {
		e.index = len(*r)
		*r = append(*r, e)
	}
}

// Pop implements heap.Interface.
func (r *removals) Pop() any {
	last := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return last
}
