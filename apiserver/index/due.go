package index

import (
	"fmt"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// phaseAt returns an article's phase at a time from the one that Transform found. Only one thing moves by the clock: what
// is Scheduled is Approved once its time has come (design, section 2).
func phaseAt(a *v1alpha1.Article, now time.Time) v1alpha1.ArticlePhase {
	if a.Status.Phase == v1alpha1.PhaseScheduled && (a.Spec.PublishAfter == nil || !a.Spec.PublishAfter.After(now)) {
		return v1alpha1.PhaseApproved
	}
	return a.Status.Phase
}

// await notes when an entry's phase will move by the clock.
func (x *Index) await(e *entry, now time.Time) {
	at := e.Object.Spec.PublishAfter
	if e.Phase != v1alpha1.PhaseScheduled || at == nil || !at.After(now) {
		return
	}
	e.dueKey = dueKey(at.Time) + e.Object.Namespace + "/" + e.Object.Name
	x.due.Set(e.dueKey, e)
}

// settleDue files the entries anew whose time has come: a list by status is then right without waiting for an event.
// Each is filed anew once, so that lists still cost the same.
func (x *Index) settleDue(now time.Time) {
	// Every key of this time or an earlier one sorts before.
	bound := dueKey(now.Add(time.Second))
	x.mu.RLock()
	key, _, ok := x.due.Min()
	x.mu.RUnlock()
	if !ok || key >= bound {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for key, e, ok := x.due.Min(); ok && key < bound; key, e, ok = x.due.Min() {
		r := x.rooms[e.Object.Namespace]
		x.drop(r, e)
		x.file(r, e, now)
	}
}

// dueKey writes a time, of whole seconds as in every metav1.Time, so that later ones sort later.
func dueKey(at time.Time) string {
	return fmt.Sprintf("%020d/", max(at.Unix(), 0))
}
