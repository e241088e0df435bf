package article

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// event is something that happened to an article.
type event struct {
	restarticle.ArticleTransition

	// Word says what happened.
	Word string
	// Text is the revision that was made; nil if something else happened.
	Text *madeText
	// Ready means that the revision was ready for review at once.
	Ready bool
}

// story returns what happened to an article, the last event first: its transitions, and who made the revisions that are kept.
func story(transitions []restarticle.ArticleTransition, revisions []restarticle.ArticleRevisionSummary) []event {
	events := make([]event, 0, len(transitions)+len(revisions))
	ready := map[int64]bool{}
	for _, t := range slices.Backward(transitions) {
		e := event{ArticleTransition: t, Word: page.Words.Transitions[t.Type]}
		i := slices.IndexFunc(revisions, func(r restarticle.ArticleRevisionSummary) bool { return r.Number == t.Revision })
		switch {
		case t.Type == eventReady && i >= 0 && soonAfter(revisions[i].CreatedAt, t.At):
			ready[t.Revision] = true
			continue
		case t.Type == eventApproved && approvedBefore(transitions, t):
			e.Word = "Approved before"
		}
		events = append(events, e)
	}
	for _, r := range revisions {
		text := madeText{r}
		e := event{Word: text.Word(), Text: &text, Ready: ready[r.Number]}
		e.Revision, e.At, e.By = r.Number, r.CreatedAt, r.MadeBy
		events = append(events, e)
	}
	slices.SortStableFunc(events, later)
	return events
}

// later orders events, the last one first. The times of revisions are in whole seconds: of events in one second, those of a later revision
// come later.
func later(a, b event) int {
	x, _ := page.TimeOf(a.At)
	y, _ := page.TimeOf(b.At)
	return cmp.Or(y.Truncate(time.Second).Compare(x.Truncate(time.Second)), cmp.Compare(b.Revision, a.Revision), y.Compare(x))
}

// The types of transitions of which more is said.
const (
	eventReady    = "ready_for_review"
	eventApproved = "approved"
	eventFailed   = "failed"
)

// soonAfter reports whether something happened within a minute after a revision was made: it is one event for people.
func soonAfter(made, at string) bool {
	from, _ := page.TimeOf(made)
	to, ok := page.TimeOf(at)
	return ok && to.Sub(from) < time.Minute
}

// approvedBefore reports whether a person had approved a text before its revision was made, as one that is restored: nobody can read a
// revision at the moment at which it is ready.
func approvedBefore(transitions []restarticle.ArticleTransition, t restarticle.ArticleTransition) bool {
	return t.By != "" && slices.ContainsFunc(transitions, func(other restarticle.ArticleTransition) bool {
		return other.Type == eventReady && other.Revision == t.Revision && other.At == t.At
	})
}

// olderGone reports whether an article had revisions that are not kept: numbers that are missing, but for those of runs that failed.
func olderGone(revisions []restarticle.ArticleRevisionSummary, transitions []restarticle.ArticleTransition) bool {
	missing := int64(0)
	for _, r := range revisions {
		missing = max(missing, r.Number-int64(len(revisions)))
	}
	for _, t := range transitions {
		made := slices.ContainsFunc(revisions, func(r restarticle.ArticleRevisionSummary) bool { return r.Number == t.Revision }) ||
			slices.ContainsFunc(transitions, func(other restarticle.ArticleTransition) bool {
				return other.Revision == t.Revision && other.Type != eventFailed
			})
		if t.Type == eventFailed && !made {
			missing--
		}
	}
	return missing > 0
}

// madeText is a revision with what somebody did to make it.
type madeText struct {
	restarticle.ArticleRevisionSummary
}

// Word says what was done, for a list of events.
func (m madeText) Word() string {
	if m.RestoredFrom != nil && m.Live {
		return "Other text discarded"
	}
	deed := m.Deed()
	return strings.ToUpper(deed[:1]) + deed[1:]
}

// Deed says what was done.
func (m madeText) Deed() string {
	switch {
	case m.RestoredFrom != nil:
		return "restored"
	case m.Source == "generated" && m.Number > 1:
		return "generated again"
	case m.Source == "written" && m.Number > 1:
		return "edited"
	default:
		return m.Source
	}
}

// Asked reports whether the person who is named did not write the text, but ask for it.
func (m madeText) Asked() bool {
	return m.Source == "generated" && m.RestoredFrom == nil && m.MadeBy != ""
}

// Model that wrote the text, even if a person has edited it since; empty if there is none.
func (m madeText) Model() string {
	if m.Generator == nil {
		return ""
	}
	return m.Generator.Model
}

// String is the revision with its deed as a line.
func (m madeText) String() string {
	text := m.Deed()
	switch {
	case m.Asked():
		text += " for " + page.People([]string{m.MadeBy})
	case m.MadeBy != "":
		text += " by " + page.People([]string{m.MadeBy})
	case m.MadeWith != "":
		text += " with " + m.MadeWith
	}
	return text
}

// maxReasons bounds the reasons that are offered to the person who rejects.
const maxReasons = 3

// Reasons are those for which texts of this article were rejected before, the last one first, if they are known in full.
func (a *articleView) Reasons() []string {
	var reasons []string
	for _, e := range a.Story {
		reason := strings.TrimSpace(e.Message)
		offered := reason != "" && isWhole(reason) && !slices.Contains(reasons, reason)
		if e.Type == "rejected" && offered && len(reasons) < maxReasons {
			reasons = append(reasons, reason)
		}
	}
	return reasons
}

// longestEscape is the most bytes that a character takes in JSON.
const longestEscape = 6

// isWhole reports whether a message of a transition is certain to have its end: longer ones are cut off.
func isWhole(message string) bool {
	text, err := json.Marshal(message)
	return err == nil && len(text)-len(`""`) <= v1alpha1.MaxTransitionMessageBytes-longestEscape
}
