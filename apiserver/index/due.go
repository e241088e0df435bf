package index

import (
	"fmt"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// phaseAt returns the phase at a time of an article whose status.phase Transform has set. The clock changes one phase only:
// Scheduled becomes Approved once its time has come (docs/contributing/design.md, Conditions and phase).
func phaseAt(a *v1alpha1.Article, now time.Time) v1alpha1.ArticlePhase {
	if a.Status.Phase == v1alpha1.PhaseScheduled && !a.Spec.PublishAfter.Unreadable() && !lifecycle.NotBefore(a).After(now) {
		return v1alpha1.PhaseApproved
	}
	return a.Status.Phase
}

// schedule adds an entry to the due list if the clock will change its phase.
func (x *Index) schedule(e *entry, now time.Time) {
	at := e.Object.Spec.PublishAfter
	if e.Phase != v1alpha1.PhaseScheduled || at == nil || !at.After(now) {
		return
	}
	e.dueKey = dueKey(at.Time) + e.Object.Namespace + "/" + e.Object.Name
	x.due.Set(e.dueKey, e)
}

// reindexDue inserts the entries whose time has come again, so that lists by status are right without an event. Each entry is
// inserted again once, so the cost of lists does not grow.
func (x *Index) reindexDue(now time.Time) {
	// The keys of this time and of earlier ones sort before the bound.
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
		ns := x.namespaces[e.Object.Namespace]
		x.removeArticle(ns, e)
		x.insertArticle(ns, e, now)
		x.watchers.signal(e.Object.Namespace)
	}
}

// dueKey formats a time so that later ones sort later. It has whole seconds, as publishAfter.
func dueKey(at time.Time) string {
	return fmt.Sprintf("%020d/", max(at.Unix(), 0))
}
