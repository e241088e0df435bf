package article

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// event is something that happened to an article.
type event struct {
	restarticle.ArticleTransition

	// Word says what happened.
	Word string
}

// story returns what happened to an article, the last event first.
func story(transitions []restarticle.ArticleTransition) []event {
	events := make([]event, 0, len(transitions))
	for _, t := range slices.Backward(transitions) {
		events = append(events, event{t, page.Words.Transitions[t.Type]})
	}
	return events
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
