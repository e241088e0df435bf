package index

import "github.com/pressroom-dev/pressroom/api/v1alpha1"

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
	x.read(workspace, func(ns *namespace) bool {
		size := func(key treeKey) int {
			if tree, ok := ns.trees[key]; ok {
				return tree.Len()
			}
			return 0
		}
		out.All = size(treeKey{siteUID: siteUID})
		for _, status := range Statuses {
			if n := size(treeKey{siteUID: siteUID, status: status}); n > 0 {
				out.ByStatus[status] = n
			}
		}
		for _, state := range Publications {
			if n := size(treeKey{siteUID: siteUID, publication: state}); n > 0 {
				out.ByPublication[state] = n
			}
		}
		return true
	})
	return out
}

// Statuses are all that articles can have.
var Statuses = []v1alpha1.ArticlePhase{
	v1alpha1.PhaseDraft, v1alpha1.PhaseGenerating, v1alpha1.PhaseReview, v1alpha1.PhaseApproved, v1alpha1.PhaseRejected,
	v1alpha1.PhaseScheduled, v1alpha1.PhasePublished, v1alpha1.PhaseFailed, v1alpha1.PhaseArchived,
}

// Publications are all states of a delivery cycle.
var Publications = []v1alpha1.CycleState{
	v1alpha1.CycleDelivering, v1alpha1.CycleRetryScheduled, v1alpha1.CycleDelivered, v1alpha1.CycleFailed, v1alpha1.CycleCancelled,
}
