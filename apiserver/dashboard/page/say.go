package page

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/reason"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// timesIn finds times of RFC 3339 in a message.
var timesIn = regexp.MustCompile(`\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})`)

// namesIn finds names of programs in a message, such as ConnectionFailed and connection_failed.
var namesIn = regexp.MustCompile(`\b([A-Z][a-z]+([A-Z][a-z]+)+|[a-z]+(_[a-z]+)+)\b`)

// phrases replaces what only programmers say.
var phrases = func() *strings.Replacer {
	pairs := make([]string, 0, 2*len(Words.Phrases))
	for _, p := range Words.Phrases {
		pairs = append(pairs, p.Of, p.Say)
	}
	return strings.NewReplacer(pairs...)
}()

// Say returns the message of a condition, an attempt or a refusal as editors read it: a sentence, with times in the person's zone, and
// without the words of programmers. What a person has written is not for it.
func (v *Visit) Say(message string) string { return Sentence(inWords(message, v.Zone)) }

// Cause returns the reason and the message of a failure, such as "Exhausted: the receiver answered 503", as editors read them.
func (v *Visit) Cause(message string) string {
	name, rest, _ := strings.Cut(message, ": ")
	why := reason.Of(name).Sentence
	switch {
	case why == "":
		return v.Say(message)
	case isOfModel(name), rest == "":
		return v.Say(why)
	}
	return v.Say(why + ": " + rest)
}

// isOfModel reports whether the details of a reason are about the answers of a model or of its endpoint, which say nothing to editors:
// operators find them in conditions.
func isOfModel(name string) bool {
	for _, one := range []string{"invalid_answer", "truncated", "refused", "backend_rejected", "backend_unavailable"} {
		if words := reason.Of(one); words == reason.Of(name) {
			return true
		}
	}
	return false
}

// inWords returns a message without raw times, without names of reasons, and without the words of programmers.
func inWords(message string, zone *time.Location) string {
	message = namesIn.ReplaceAllStringFunc(phrases.Replace(message), func(name string) string {
		return cmp.Or(reason.Of(name).Sentence, name)
	})
	return timesIn.ReplaceAllStringFunc(message, func(raw string) string {
		at, err := time.Parse(time.RFC3339, raw)
		if err != nil {
			return raw
		}
		return at.In(zone).Format(timeForm)
	})
}

// EventWord says what an event is about, such as "An article was published".
func EventWord(name string) string {
	switch name {
	case "*":
		return "Everything"
	case lifecycle.TestEvent:
		return "A test"
	}
	for _, kind := range lifecycle.EventKinds {
		if kind.Name == name {
			return kind.Summary
		}
	}
	return StatusWord(name)
}

// StatusMark returns the status of an article as a badge. An approved one whose delivery failed and is tried again has not arrived,
// whatever was approved.
func StatusMark(a restarticle.ArticleSummary) Mark {
	if a.Status == statusApproved && IsLate(a) {
		return Words.Deliveries[lateDelivery]
	}
	return Mark{a.Status, StatusWord(a.Status)}
}

// lateDelivery are the words for an article whose delivery is tried again.
const lateDelivery = "late"

// IsLate reports whether the last delivery of an article failed and is tried again.
func IsLate(a restarticle.ArticleSummary) bool {
	return a.Publication != nil && a.Publication.State == StateRetrying
}
