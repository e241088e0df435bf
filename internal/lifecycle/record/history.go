package record

import (
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// MakeCurrent makes a revision the current one. The one before goes into the history.
func MakeCurrent(a *v1alpha1.Article, r v1alpha1.CurrentRevision) {
	a.Status.GeneratedNumber = lifecycle.GeneratedNumber(a)
	if before := a.Status.Revision; before != nil {
		a.Status.History = append(a.Status.History, before.Number)
	}
	if before := a.Status.Revision; lifecycle.LiveIsCurrent(a) {
		live := a.Status.Publication.Post.Revision
		live.Title, live.SEOScore = before.Title, new(before.SEOScore)
	}
	a.Status.Revision = &r
	if lifecycle.LiveIsCurrent(a) {
		live := a.Status.Publication.Post.Revision
		live.Name, live.Number, live.Title, live.SEOScore = r.Name, r.Number, "", nil
	}
	a.Status.GeneratedNumber = lifecycle.GeneratedNumber(a)
	a.Status.LastRevisionNumber = max(a.Status.LastRevisionNumber, r.Number)
	slices.Sort(a.Status.History)
	slices.Reverse(a.Status.History)
	history := slices.DeleteFunc(slices.Compact(a.Status.History), func(n int32) bool { return n == r.Number })
	a.Status.History = history[:min(len(history), v1alpha1.MaxHistory)]
}

// MeasureRevision records the size of a revision beside those that status had before. Generated texts are bounded by credits, and what is
// dropped will be deleted.
func MeasureRevision(a *v1alpha1.Article, before *v1alpha1.ArticleStatus, rev *v1alpha1.ArticleRevision) {
	sizes, earlier := map[int32]int32{}, numbers(before)
	for i, size := range before.RevisionKiB[:min(len(before.RevisionKiB), len(earlier))] {
		sizes[earlier[i]] = size
	}
	if rev.Spec.Source != v1alpha1.SourceGenerated {
		const kib = 1 << 10
		sizes[rev.Spec.Number] = int32((jsonBytes(rev.Spec) + kib - 1) / kib) //nolint:gosec // etcd takes objects of at most 1.5 MiB.
	}
	for _, n := range lifecycle.DroppedRevisions(a) {
		sizes[n] = 0
	}
	a.Status.RevisionKiB = nil
	for _, n := range numbers(&a.Status) {
		a.Status.RevisionKiB = append(a.Status.RevisionKiB, sizes[n])
	}
}

// numbers returns the numbers of the current revision and of those in the history, in the order of their sizes.
func numbers(s *v1alpha1.ArticleStatus) []int32 {
	current := int32(0)
	if s.Revision != nil {
		current = s.Revision.Number
	}
	return append([]int32{current}, s.History...)
}

// GiveUpRevisions removes the numbers and the sizes of deleted revisions from the history.
func GiveUpRevisions(a *v1alpha1.Article, given []int32) {
	all, sizes := numbers(&a.Status), a.Status.RevisionKiB
	a.Status.RevisionKiB = nil
	for i, n := range all {
		if i < len(sizes) && !slices.Contains(given, n) {
			a.Status.RevisionKiB = append(a.Status.RevisionKiB, sizes[i])
		}
	}
	ForgetRevisions(a, given)
}

// ForgetRevisions removes the numbers of deleted revisions from the history.
func ForgetRevisions(a *v1alpha1.Article, numbers []int32) {
	a.Status.History = slices.DeleteFunc(a.Status.History, func(n int32) bool { return slices.Contains(numbers, n) })
}
