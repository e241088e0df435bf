package generate

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// extent has the numbers of a length, by which it is requested, checked and repaired.
type extent struct {
	// minWords and maxWords bound the body, in words as readers count them.
	minWords, maxWords int
	// minSections and maxSections bound the plan.
	minSections, maxSections int
	// sectionWise means that each section is a turn: no model writes more than about 2,000 words in one answer.
	sectionWise bool
}

// extentOf returns the extent of a length; that of Standard if it is empty.
func extentOf(l v1alpha1.ArticleLength) extent {
	switch l {
	case v1alpha1.LengthShort:
		return extent{minWords: 500, maxWords: 800, minSections: 3, maxSections: 5}
	case v1alpha1.LengthLong:
		return extent{minWords: 1800, maxWords: 2800, minSections: 6, maxSections: 10, sectionWise: true}
	default:
		return extent{minWords: 900, maxWords: 1400, minSections: 4, maxSections: 8}
	}
}

// sections bounds how many sections of a plan are written one by one.
func (e extent) sections(planned int) int { return min(planned, e.maxSections) }

// otherTurns are the turns of a run beside those that write sections: the plan, the body, what cannot be used, and repairs.
const otherTurns = 6

// turns returns how many turns a run with so many sections may take.
func (e extent) turns(planned int) int {
	if !e.sectionWise {
		return otherTurns
	}
	return otherTurns + e.sections(planned)
}

const (
	baseDeadline    = 2 * time.Minute
	deadlinePerTurn = 2 * time.Minute
	minDeadline     = 10 * time.Minute
	// MaxDeadline is the longest that an attempt may take.
	MaxDeadline = time.Hour
)

// Deadline returns how long an attempt may take: two minutes, and two more for each turn that it is allowed, 10 minutes to
// MaxDeadline.
func Deadline(r Request) time.Duration {
	e := extentOf(r.Length)
	return min(max(baseDeadline+time.Duration(e.turns(e.maxSections))*deadlinePerTurn, minDeadline), MaxDeadline)
}
