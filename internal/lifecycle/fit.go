package lifecycle

import (
	"bytes"
	"encoding/json"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// fit keeps the status under its bound: all articles are held in memory by whoever watches them. Every field has a bound of
// its own, and hardly ever do all of them come together. Where they do, the least is left out that helps: first of the last
// answer, then the oldest attempts of earlier cycles, then of what conditions say in words.
func fit(a *v1alpha1.Article) {
	if p := a.Status.Publication; p == nil || len(p.Attempts) == 0 {
		return // Without deliveries there is room.
	}
	for _, shorten := range []func(*v1alpha1.ArticleStatus, int) bool{shortenSnippet, dropAttempt, shortenConditions} {
		for {
			over := excess(&a.Status)
			if over <= 0 || !shorten(&a.Status, over) {
				break
			}
		}
	}
}

// excess is how many bytes too many a status has.
func excess(s *v1alpha1.ArticleStatus) int {
	return StatusBytes(s) - v1alpha1.MaxArticleStatusBytes + 1
}

// StatusBytes is the size of a status as JSON in UTF-8, without the escapes that HTML needs.
func StatusBytes(s *v1alpha1.ArticleStatus) int {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(s); err != nil {
		return 0 // structs of strings, numbers and times always have a JSON form
	}
	return b.Len() - len("\n")
}

// The functions below leave something out of about so many bytes, and report whether there was anything to leave out.

func shortenSnippet(s *v1alpha1.ArticleStatus, over int) bool {
	answer := s.Publication.LastAnswer
	if answer == nil || answer.Snippet == "" {
		return false
	}
	answer.Snippet = Bounded(answer.Snippet, max(len(answer.Snippet)-over, 0))
	return true
}

func dropAttempt(s *v1alpha1.ArticleStatus, _ int) bool {
	r := &s.Publication.DeliveryRecord
	if r.Cycle == nil || len(r.Attempts) == 0 || r.Attempts[0].Cycle == r.Cycle.Number {
		return false
	}
	r.Attempts = r.Attempts[1:]
	return true
}

func shortenConditions(s *v1alpha1.ArticleStatus, _ int) bool {
	const enough = 128
	cut := false
	for i := range s.Conditions {
		c := &s.Conditions[i]
		if len(c.Message) > enough {
			c.Message, cut = Bounded(c.Message, enough), true
		}
	}
	return cut
}
