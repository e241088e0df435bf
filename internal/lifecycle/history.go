package lifecycle

import (
	"slices"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// revisionHistoryLimit is how many revisions an article has besides the current one, those that the publication names and the latest
// generated text.
const revisionHistoryLimit = 2

// QuietPeriod is how long nothing must happen to a published article until it gives up the earlier revisions of its history.
const QuietPeriod = 90 * 24 * time.Hour

// DroppedRevisions returns the numbers of the revisions that are beyond the limit, and are deleted once status is written. They stay in
// the history until the next revision, in case deleting them fails.
func DroppedRevisions(a *v1alpha1.Article) []int32 { return beyond(a, revisionHistoryLimit) }

// QuietRevisions returns the numbers of the revisions that an article gives up at a time if nothing happens to it until then; nil if it
// gives up none. That is a QuietPeriod after the last thing that happened, if its site has its current text.
func QuietRevisions(a *v1alpha1.Article) (numbers []int32, at time.Time) {
	if !LiveIsCurrent(a) || !a.DeletionTimestamp.IsZero() {
		return nil, time.Time{}
	}
	if numbers = beyond(a, 0); len(numbers) == 0 {
		return nil, time.Time{}
	}
	last := a.Status.Revision.CreationTime.Time
	later := func(t time.Time) {
		if t.After(last) {
			last = t
		}
	}
	p := a.Status.Publication
	for _, t := range []*v1alpha1.MicroTime{p.Post.PublishTime, p.Post.UpdateTime} {
		if t != nil {
			later(t.Time)
		}
	}
	for _, t := range a.Status.Transitions {
		later(t.Time.Time)
	}
	for _, attempt := range p.Attempts {
		later(attempt.StartTime.Time)
	}
	return numbers, last.Add(QuietPeriod)
}

// beyond returns the numbers of the revisions of the history that are beyond a limit.
func beyond(a *v1alpha1.Article, limit int) []int32 {
	var dropped []int32
	kept := 0
	for _, n := range a.Status.History {
		switch {
		case n == a.Status.GeneratedNumber, slices.Contains(publicationNumbers(a), n):
		case n == 1: // An article that is restored without status begins with revision 1, and adopts it.
		case kept < limit:
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
