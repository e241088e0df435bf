package lifecycle

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// revisionHistoryLimit is how many revisions an article has besides the current one, the live one and the latest generated text.
const revisionHistoryLimit = 2

// MakeCurrent makes a revision the current one. The one before goes into the history.
func MakeCurrent(a *v1alpha1.Article, r v1alpha1.CurrentRevision) {
	a.Status.GeneratedNumber = GeneratedNumber(a)
	if before := a.Status.Revision; before != nil {
		a.Status.History = append(a.Status.History, before.Number)
	}
	if before := a.Status.Revision; Published(a) && liveIsCurrent(a) {
		live := &a.Status.Publication.Revision
		live.Title, live.SEOScore = before.Title, new(before.SEOScore)
	}
	a.Status.Revision = &r
	if Published(a) && liveIsCurrent(a) {
		live := &a.Status.Publication.Revision
		live.Name, live.Number, live.Title, live.SEOScore = r.Name, r.Number, "", nil
	}
	a.Status.GeneratedNumber = GeneratedNumber(a)
	a.Status.LastRevisionNumber = max(a.Status.LastRevisionNumber, r.Number)
	slices.Sort(a.Status.History)
	slices.Reverse(a.Status.History)
	history := slices.DeleteFunc(slices.Compact(a.Status.History), func(n int32) bool { return n == r.Number })
	a.Status.History = history[:min(len(history), v1alpha1.MaxHistory)]
}

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

// MeasureRevision records the size of a revision beside those that status had before. Generated texts are bounded by credits, and what is
// dropped will be deleted.
func MeasureRevision(a *v1alpha1.Article, before *v1alpha1.ArticleStatus, rev *v1alpha1.ArticleRevision) {
	sizes, earlier := map[int32]int32{}, numbers(before)
	for i, size := range before.RevisionKiB[:min(len(before.RevisionKiB), len(earlier))] {
		sizes[earlier[i]] = size
	}
	if rev.Spec.Source != v1alpha1.SourceGenerated {
		_, size := measure(rev.Spec)
		sizes[rev.Spec.Number] = int32((size + kib - 1) / kib) //nolint:gosec // etcd takes objects of at most 1.5 MiB.
	}
	for _, n := range DroppedRevisions(a) {
		sizes[n] = 0
	}
	a.Status.RevisionKiB = nil
	for _, n := range numbers(&a.Status) {
		a.Status.RevisionKiB = append(a.Status.RevisionKiB, sizes[n])
	}
}

const kib = 1 << 10

// numbers returns the numbers of the current revision and of those in the history, in the order of their sizes.
func numbers(s *v1alpha1.ArticleStatus) []int32 {
	current := int32(0)
	if s.Revision != nil {
		current = s.Revision.Number
	}
	return append([]int32{current}, s.History...)
}

// ForgetRevisions removes the numbers of deleted revisions from the history.
func ForgetRevisions(a *v1alpha1.Article, numbers []int32) {
	a.Status.History = slices.DeleteFunc(a.Status.History, func(n int32) bool { return slices.Contains(numbers, n) })
}
