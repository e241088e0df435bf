package lifecycle

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// revisionHistoryLimit is how many revisions an article has besides the current one, those that the publication names and the latest
// generated text.
const revisionHistoryLimit = 2

// DroppedRevisions returns the numbers of the revisions that are beyond the limit, and are deleted once status is written. They stay in
// the history until the next revision, in case deleting them fails.
func DroppedRevisions(a *v1alpha1.Article) []int32 {
	var dropped []int32
	kept := 0
	for _, n := range a.Status.History {
		switch {
		case n == a.Status.GeneratedNumber, slices.Contains(publicationNumbers(a), n):
		case n == 1: // An article that is restored without status begins with revision 1, and adopts it.
		case kept < revisionHistoryLimit:
			kept++
		default:
			dropped = append(dropped, n)
		}
	}
	return dropped
}

// publicationNumbers returns the numbers of the revisions that a publication names: what was accepted, what may have been written, and what
// the last cycle sends.
func publicationNumbers(a *v1alpha1.Article) []int32 {
	p := a.Status.Publication
	if p == nil {
		return nil
	}
	named := []*v1alpha1.PublicationRevision{p.Post.Revision}
	if p.Post.Maybe != nil {
		named = append(named, p.Post.Maybe.Revision)
	}
	if p.Cycle != nil {
		named = append(named, p.Cycle.Revision)
	}
	var numbers []int32
	for _, r := range named {
		if r != nil {
			numbers = append(numbers, r.Number)
		}
	}
	return numbers
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
