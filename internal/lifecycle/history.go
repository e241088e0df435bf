package lifecycle

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// revisionHistoryLimit is how many revisions an article has besides the current one, the live one and the latest generated text.
const revisionHistoryLimit = 2

// DroppedRevisions returns the numbers of the revisions that are beyond the limit, and are deleted once status is written. They stay in
// the history until the next revision, in case deleting them fails.
func DroppedRevisions(a *v1alpha1.Article) []int32 {
	var dropped []int32
	kept := 0
	for _, n := range a.Status.History {
		switch {
		case n == a.Status.GeneratedNumber, Published(a) && n == a.Status.Publication.Revision.Number:
		case n == 1: // An article that is restored without status begins with revision 1, and adopts it.
		case kept < revisionHistoryLimit:
			kept++
		default:
			dropped = append(dropped, n)
		}
	}
	return dropped
}

// KeptRevisions returns the numbers of the revisions that an article has, the newest and current one first; nil if it has none.
func KeptRevisions(a *v1alpha1.Article) []int32 {
	if a.Status.Revision == nil {
		return nil
	}
	dropped := DroppedRevisions(a)
	kept := []int32{a.Status.Revision.Number}
	for _, n := range a.Status.History {
		if !slices.Contains(dropped, n) {
			kept = append(kept, n)
		}
	}
	return kept
}
