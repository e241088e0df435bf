package inflight

import (
	"time"

	"k8s.io/apimachinery/pkg/types"
)

// Calls that begin together time out together. To record them all, and to begin the next calls of their hosts, takes some hundred requests
// to kube-apiserver, and the next calls would time out together again. So the objects of such calls are notified one after the other, and
// then the slots for hosts that did not answer in time are given one after the other (see Limits.Spread). Nothing else waits for that.

// interval is the time between two objects that are notified of a timeout, or get a slot for a host whose last call timed out.
func (l Limits) interval() time.Duration { return l.Spread / time.Duration(max(l.Total, 1)) }

// The methods below are called with the lock held.

// take counts a slot. Those for hosts whose last call timed out are given one after the other.
func (t *Tracker[T]) take(c Claim) {
	t.usage.take(c)
	if t.usage.timeouts[c.Host] > 0 {
		t.rest()
	}
}

// timedOut returns the object of a call that has timed out if it may be notified now. Otherwise it is notified later.
func (t *Tracker[T]) timedOut(key types.NamespacedName) []types.NamespacedName {
	if t.usage.resting && !t.closed {
		t.late = append(t.late, key)
		return nil
	}
	t.rest()
	return []types.NamespacedName{key}
}

// rest begins an interval, unless one has begun.
func (t *Tracker[T]) rest() {
	interval := t.usage.limits.interval()
	if interval <= 0 || t.usage.resting {
		return
	}
	t.usage.resting = true
	time.AfterFunc(interval, func() { t.change(t.goOn) })
}

// goOn ends an interval. It returns the objects to notify: the next one whose call has timed out, or else the next one that waits for a
// host whose last call timed out and has a slot now.
func (t *Tracker[T]) goOn() []types.NamespacedName {
	t.usage.resting = false
	if t.closed {
		return nil
	}
	var notify []types.NamespacedName
	if len(t.late) > 0 {
		notify, t.late = t.late[:1:1], t.late[1:]
		t.rest()
	}
	return append(notify, t.serve()...)
}
