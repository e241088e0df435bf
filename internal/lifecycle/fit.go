package lifecycle

import (
	"encoding/json"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// fit keeps the status under its bound: all articles are held in memory by whoever watches them. Every field has a bound of
// its own, but in characters, and some take six bytes in JSON; hardly ever do all of them come together. Where they do, the
// least is left out that helps: first of the last answer, then the oldest attempts of earlier cycles, then of what conditions
// say in words. Then what other objects have in full: the title, the model's name. Last what the receiver named, whose place
// in the world a part of it would not tell. It reports whether it has left something out beside conditions' words.
func fit(a *v1alpha1.Article) bool {
	shortened := false
	for _, step := range []struct {
		shorten func(s *v1alpha1.ArticleStatus, over int) bool
		fact    bool
	}{
		{shortenSnippet, true}, {dropAttempt, true}, {shortenConditions, false},
		{shortenTitle, true}, {shortenModel, true}, {dropLocation, true},
	} {
		for over := excess(&a.Status); over > 0 && step.shorten(&a.Status, over); over = excess(&a.Status) {
			shortened = shortened || step.fact
		}
	}
	return shortened
}

// excess is how many bytes too many a status has.
func excess(s *v1alpha1.ArticleStatus) int {
	return StatusBytes(s) - v1alpha1.MaxArticleStatusBytes + 1
}

// StatusBytes is the size of a status as JSON, with all the escapes with which the API server stores it.
func StatusBytes(s *v1alpha1.ArticleStatus) int { return jsonBytes(s) }

// jsonBytes is the size of something as JSON.
func jsonBytes(v any) int {
	data, err := json.Marshal(v)
	if err != nil {
		return 0 // structs of strings, numbers and times always have a JSON form
	}
	return len(data)
}

// maxEscape is how many bytes one byte of a text may take in JSON.
const maxEscape = len(`\u003c`)

// Bounded cuts a text at a character's border to a number of bytes that it takes in JSON.
func Bounded(s string, limit int) string {
	s = cut(s, limit)
	for over := jsonBytes(s) - len(`""`) - limit; over > 0; over = jsonBytes(s) - len(`""`) - limit {
		s = shorter(s, over)
	}
	return s
}

// shorter leaves out some of a text that takes so many bytes too many in JSON: never more than that, where its characters
// have one byte.
func shorter(s string, over int) string {
	return cut(s, max(len(s)-max(over/maxEscape, 1), 0))
}

// cut cuts a text at a character's border to a number of bytes.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	for limit > 0 && s[limit]&0xc0 == 0x80 {
		limit--
	}
	return s[:limit]
}

// The functions below leave something out, of about so many bytes at the most, and report whether there was anything to leave
// out.

func shortenSnippet(s *v1alpha1.ArticleStatus, over int) bool {
	if s.Publication == nil || s.Publication.LastAnswer == nil || s.Publication.LastAnswer.Snippet == "" {
		return false
	}
	answer := s.Publication.LastAnswer
	answer.Snippet = shorter(answer.Snippet, over)
	return true
}

func dropAttempt(s *v1alpha1.ArticleStatus, _ int) bool {
	if s.Publication == nil {
		return false
	}
	r := &s.Publication.DeliveryRecord
	if r.Cycle == nil || len(r.Attempts) == 0 || r.Attempts[0].Cycle == r.Cycle.Number {
		return false
	}
	r.Attempts = r.Attempts[1:]
	return true
}

func shortenConditions(s *v1alpha1.ArticleStatus, _ int) bool {
	const enough = 128
	changed := false
	for i := range s.Conditions {
		c := &s.Conditions[i]
		if short := Bounded(c.Message, enough); short != c.Message {
			c.Message, changed = short, true
		}
	}
	return changed
}

func shortenTitle(s *v1alpha1.ArticleStatus, over int) bool {
	return s.Revision != nil && shortenTo(&s.Revision.Title, 128, over)
}

func shortenModel(s *v1alpha1.ArticleStatus, over int) bool {
	return s.Generation != nil && shortenTo(&s.Generation.Model, 64, over)
}

// shortenTo leaves something out of a text that takes more than enough bytes in JSON.
func shortenTo(text *string, enough, over int) bool {
	size := jsonBytes(*text) - len(`""`)
	if size <= enough {
		return false
	}
	*text = shorter(*text, min(over, size-enough))
	return true
}

// dropLocation leaves out what takes more: where the post is, or its id.
func dropLocation(s *v1alpha1.ArticleStatus, _ int) bool {
	p := s.Publication
	switch {
	case p == nil, p.URL == "" && p.ExternalID == "":
		return false
	case jsonBytes(p.URL) > jsonBytes(p.ExternalID):
		p.URL = ""
	default:
		p.ExternalID = ""
	}
	return true
}
