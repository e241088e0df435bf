package page

import (
	"cmp"
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/reason"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/embedded"
)

//go:embed words.yaml
var wordsFile embed.FS

// Words are the words of the pages for the names of the REST API.
var Words = embedded.MustYAML[struct {
	Statuses, Scopes, Disclosures, Transitions, Fields map[string]string
	// Phrases are what programmers say, and what editors read instead. The first one that is found counts.
	Phrases []struct{ Of, Say string }
	// Options are the words for the values of fields that sites are connected with, by the names of the fields.
	Options map[string]optionWords
	// Advice is by the HTTP status of a receiver.
	Advice map[int32]string
	// The statuses of subscriptions to events, the states of deliveries, and the outcomes of attempts.
	Subscriptions, Deliveries, Attempts map[string]Mark
}](wordsFile, "words.yaml")

// optionWords are the words for a field with a few values, which the REST API names.
type optionWords struct {
	// Hint is shown below the field.
	Hint string
	// Values are the words by the values.
	Values map[string]string
}

// who returns the name of a person as pages show it: the display name of a key without its id, which is in the tooltip. If a key has the
// name of an e-mail address, the beginning of its id is shown: only people who sign in with OpenID Connect are named so.
func who(by string) string {
	const before = " (api-key:"
	at := strings.LastIndex(by, before)
	if at < 0 {
		return by
	}
	name, id := by[:at], strings.TrimSuffix(by[at+len(before):], ")")
	if strings.Contains(name, "@") {
		return name + ", key " + id[:min(len(id), 4)]
	}
	return name
}

// People returns the names of people as pages show them, such as "Mara and Ben".
func People(by []string) string {
	names := make([]string, 0, len(by))
	for _, name := range by {
		names = append(names, who(name))
	}
	switch last := len(names) - 1; {
	case last < 1:
		return strings.Join(names, "")
	default:
		return strings.Join(names[:last], ", ") + " and " + names[last]
	}
}

// StatusWord returns a status in words.
func StatusWord(status string) string {
	return cmp.Or(Words.Statuses[status], status)
}

// checkName is the name of a check for people, such as "Keyphrase in slug".
func checkName(name string) string {
	return strings.TrimSuffix(Sentence(strings.NewReplacer("-", " ", "seo", "SEO").Replace(name)), ".")
}

// RequiredFailed returns the checks that the text of an article must pass and fails.
func RequiredFailed(a restarticle.Article) []restarticle.ScoreCheck {
	passed := func(c restarticle.ScoreCheck) bool { return c.Group != "gate" || c.Result != "failed" }
	return slices.DeleteFunc(slices.Clone(a.Scores.Checks), passed)
}

// FailsClaims reports whether a text fails the gate for claims that its brief does not support: then pages ask for a note.
func FailsClaims(failed []restarticle.ScoreCheck) bool {
	return slices.ContainsFunc(failed, func(c restarticle.ScoreCheck) bool { return c.Name == check.ClaimsCheck })
}

// Plainly returns what must be of a field without the words of a schema.
func Plainly(message string) string {
	if message == "is required" {
		return "must be entered"
	}
	return inWords(message, time.UTC)
}

// LinkedText is a part of a message, with the path of the article that it stands for; empty if it is text.
type LinkedText struct{ Text, Path string }

var uidPattern = regexp.MustCompile(`[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}`)

// Linked returns a message whose uids of articles are links to them.
func (v *Visit) Linked(message string) []LinkedText {
	var parts []LinkedText
	for {
		at := uidPattern.FindStringIndex(message)
		if at == nil {
			return append(parts, LinkedText{Text: message})
		}
		parts = append(parts, LinkedText{Text: message[:at[0]]}, LinkedText{"the other article", v.ArticlePath(message[at[0]:at[1]])})
		message = message[at[1]:]
	}
}

// TitleOf is the name of an article that may have no title yet.
func TitleOf(a restarticle.ArticleSummary) string {
	return cmp.Or(a.Title, a.TargetKeyword, "Untitled")
}

// Lines returns the lines of a text, without empty ones.
func Lines(text string) []string {
	out := []string{}
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// Status says in sentences why an article is in its status, with times in the person's zone; empty if that is about to change.
func (v *Visit) Status(a restarticle.ArticleSummary) string {
	d, why := a.StatusDetail, v.Why(a)
	if a.StatusReason == "scheduled" {
		return why
	}
	if d.Attempt > 0 && a.StatusReason != "delivered" {
		why += fmt.Sprintf(" Attempt %d of %d.", d.Attempt, d.MaxAttempts)
	}
	if at, ok := TimeOf(d.DueAt); ok {
		why += " Next: " + v.Said(at) + "."
	}
	return why
}

// Why is Status without the attempt and the time that is waited for, for pages that show them beside it.
func (v *Visit) Why(a restarticle.ArticleSummary) string {
	d := a.StatusDetail
	if at, ok := TimeOf(d.DueAt); ok && a.StatusReason == "scheduled" {
		return "Waits for " + v.Said(at) + "."
	}
	text := cmp.Or(reason.Of(d.Cause).Label, d.Summary)
	switch {
	case d.DecidedBy != "":
		text += " (" + who(d.DecidedBy) + ")"
		if d.Text != "" {
			text += ": " + d.Text
		}
		return Sentence(text)
	case d.Text != "" && !isOfModel(d.Cause):
		text += ": " + d.Text
	}
	return v.Say(text)
}
