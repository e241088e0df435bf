package index

import (
	"maps"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Statuses are all that articles can have.
var Statuses = []v1alpha1.ArticlePhase{
	v1alpha1.PhaseDraft, v1alpha1.PhaseGenerating, v1alpha1.PhaseReview, v1alpha1.PhaseApproved, v1alpha1.PhaseRejected,
	v1alpha1.PhaseScheduled, v1alpha1.PhasePublished, v1alpha1.PhaseFailed, v1alpha1.PhaseArchived,
}

// Publications are all states of a delivery cycle.
var Publications = []v1alpha1.CycleState{
	v1alpha1.CycleInProgress, v1alpha1.CycleRetryScheduled, v1alpha1.CycleAccepted, v1alpha1.CycleFailed, v1alpha1.CycleCancelled,
}

// Counts are numbers of articles.
type Counts struct {
	// All articles.
	All int
	// ByStatus has the number of each status that any article has.
	ByStatus map[v1alpha1.ArticlePhase]int
	// ByPublication has the number of each state of the last delivery cycle that any article has.
	ByPublication map[v1alpha1.CycleState]int
}

// count adds n times an article to the numbers of its site and of all sites.
func (ns *namespace) count(e *entry, n int) {
	for _, siteUID := range []string{"", e.SiteUID} {
		c, ok := ns.counts[siteUID]
		if !ok {
			c = &Counts{ByStatus: map[v1alpha1.ArticlePhase]int{}, ByPublication: map[v1alpha1.CycleState]int{}}
			ns.counts[siteUID] = c
		}
		c.All += n
		addTo(c.ByStatus, e.Phase, n)
		if e.publication != "" {
			addTo(c.ByPublication, e.publication, n)
		}
		if c.All == 0 {
			delete(ns.counts, siteUID)
		}
	}
	ns.usage.Articles += int64(n)
	ns.usage.TextBytes += int64(n) * lifecycle.StoredTextBytes(e.Object)
	if !lifecycle.Published(e.Object) {
		ns.usage.Unpublished += int64(n)
	}
}

// addTo adds to a number, and removes it if it is zero then.
func addTo[K comparable](numbers map[K]int, key K, n int) {
	if numbers[key] += n; numbers[key] == 0 {
		delete(numbers, key)
	}
}

// Count returns the numbers of articles of a site of a workspace, or of all its sites if siteUID is empty. Of the articles, it
// looks only at those that are scheduled and whose time has come.
func (x *Index) Count(workspace, siteUID string) Counts {
	x.mu.RLock()
	defer x.mu.RUnlock()
	ns := x.view(workspace)
	c, ok := ns.counts[siteUID]
	if !ok {
		return Counts{}
	}
	out := Counts{All: c.All, ByStatus: maps.Clone(c.ByStatus), ByPublication: maps.Clone(c.ByPublication)}
	due := ns.countDue(siteUID, x.clock.Now())
	addTo(out.ByStatus, v1alpha1.PhaseScheduled, -due)
	addTo(out.ByStatus, v1alpha1.PhaseApproved, due)
	return out
}

// countDue returns how many articles are counted as Scheduled and are Approved by now.
func (ns *namespace) countDue(siteUID string, now time.Time) int {
	n := 0
	ns.scheduled.Scan(func(_ string, e *entry) bool {
		due := e.phase(now) == v1alpha1.PhaseApproved
		if due && (siteUID == "" || siteUID == e.SiteUID) {
			n++
		}
		return due
	})
	return n
}
