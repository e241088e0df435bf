package index

import (
	"slices"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Query chooses articles, and says which come first. An empty field chooses all.
type Query struct {
	SiteUID string
	// Statuses of which each article has one.
	Statuses []v1alpha1.ArticlePhase
	// Publication is the state of the last delivery cycle.
	Publication v1alpha1.CycleState
	// Text has words. Each must be part of the title, the keyword, the slug, the model that wrote the text, or the name of who decided on
	// it, in whatever case.
	Text string
	// Slug is the whole slug.
	Slug string
	// UpdatedSince is when the articles were last written, or before.
	UpdatedSince time.Time
	// OldestFirst reverses the order, which is newest first.
	OldestFirst bool
}

// treeKey names a tree of articles: those of a site, a status or a state of publication, or all where a field is empty. No tree has
// both a status and a state of publication.
type treeKey struct {
	siteUID     string
	status      v1alpha1.ArticlePhase
	publication v1alpha1.CycleState
}

// trees are the smallest trees that together have all articles of the query, each of them once.
func (q Query) trees() []treeKey {
	if q.Publication != "" || len(q.Statuses) == 0 {
		return []treeKey{{siteUID: q.SiteUID, publication: q.Publication}}
	}
	keys := make([]treeKey, len(q.Statuses))
	for i, status := range q.Statuses {
		keys[i] = treeKey{siteUID: q.SiteUID, status: status}
	}
	return keys
}

// matcher decides what the choice of trees does not.
type matcher struct {
	Query

	words []string
}

func (m matcher) matches(a *Article) bool {
	switch {
	case len(m.Statuses) > 0 && !slices.Contains(m.Statuses, a.Phase), m.Slug != "" && a.Slug() != m.Slug:
		return false
	case !m.UpdatedSince.IsZero() && a.UpdatedAt().Before(m.UpdatedSince.Truncate(time.Second)):
		return false
	case len(m.words) == 0:
		return true
	}
	text := strings.ToLower(strings.Join([]string{a.Title(), a.Keyword(), a.Slug(), a.Model(), a.DecidedBy()}, "\n"))
	return !slices.ContainsFunc(m.words, func(word string) bool { return !strings.Contains(text, word) })
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

// Count returns the numbers of articles of a site of a workspace, or of all its sites if siteUID is empty. It does not depend on how many
// there are.
func (x *Index) Count(workspace, siteUID string) Counts {
	x.reindexDue(x.clock.Now())
	out := Counts{ByStatus: map[v1alpha1.ArticlePhase]int{}, ByPublication: map[v1alpha1.CycleState]int{}}
	x.mu.RLock()
	defer x.mu.RUnlock()
	trees := x.view(workspace).trees
	out.All = trees.of(treeKey{siteUID: siteUID}).Len()
	for _, status := range Statuses {
		if n := trees.of(treeKey{siteUID: siteUID, status: status}).Len(); n > 0 {
			out.ByStatus[status] = n
		}
	}
	for _, state := range Publications {
		if n := trees.of(treeKey{siteUID: siteUID, publication: state}).Len(); n > 0 {
			out.ByPublication[state] = n
		}
	}
	return out
}

// Statuses are all that articles can have.
var Statuses = []v1alpha1.ArticlePhase{
	v1alpha1.PhaseDraft, v1alpha1.PhaseGenerating, v1alpha1.PhaseReview, v1alpha1.PhaseApproved, v1alpha1.PhaseRejected,
	v1alpha1.PhaseScheduled, v1alpha1.PhasePublished, v1alpha1.PhaseFailed, v1alpha1.PhaseArchived,
}

// Publications are all states of a delivery cycle.
var Publications = []v1alpha1.CycleState{
	v1alpha1.CycleInProgress, v1alpha1.CycleRetryScheduled, v1alpha1.CycleAccepted, v1alpha1.CycleFailed, v1alpha1.CycleCancelled,
}
