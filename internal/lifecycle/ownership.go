package lifecycle

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// attemptDeadline bounds an attempt whose end is not known, because its process ended.
const attemptDeadline = 2 * time.Minute

// UncertainWrites returns the times between which attempts may have written the post of an article about whose site there is doubt; zero
// times if there is none.
func UncertainWrites(a *v1alpha1.Article) (from, until time.Time) {
	if Have(a).State != v1alpha1.PostUncertain {
		return from, until
	}
	attempts := a.Status.Publication.Attempts
	for i := len(attempts) - 1; i >= 0 && attempts[i].Outcome != v1alpha1.AttemptAccepted; i-- {
		attempt := &attempts[i]
		if attempt.Outcome == v1alpha1.AttemptInProgress || WroteNothing(attempt.AttemptResult) {
			continue
		}
		from = attempt.StartTime.Time
		took := time.Duration(attempt.Milliseconds) * time.Millisecond
		if attempt.Outcome == v1alpha1.AttemptUnknown || attempt.Outcome == v1alpha1.AttemptTimeout {
			took = attemptDeadline
		}
		if end := from.Add(took); end.After(until) {
			until = end
		}
	}
	return from, until
}

// FirstWrite returns when the first of an article's recorded attempts began that may have written a post; zero if none did.
func FirstWrite(a *v1alpha1.Article) time.Time {
	if p := a.Status.Publication; p != nil {
		for i := range p.Attempts {
			if r := p.Attempts[i].AttemptResult; r.Outcome != v1alpha1.AttemptInProgress && !WroteNothing(r) {
				return p.Attempts[i].StartTime.Time
			}
		}
	}
	return time.Time{}
}
