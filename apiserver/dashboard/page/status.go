package page

import (
	"fmt"

	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// Status says in sentences why an article is in its status, with times in the person's zone; empty if that is about to change.
func (v *Visit) Status(a restarticle.ArticleSummary) string {
	d := a.StatusDetail
	due := ""
	if at, ok := TimeOf(d.DueAt); ok {
		due = at.In(v.Zone()).Format(timeForm)
	}
	if a.StatusReason == "scheduled" {
		return "Waits for " + due + "."
	}
	text := d.Summary
	if words, ok := reasons[d.Cause]; ok {
		text = words.Word
	}
	if d.DecidedBy != "" {
		text += " (" + who(d.DecidedBy) + ")"
	}
	if d.Text != "" {
		text += ": " + d.Text
	}
	text = Sentence(text)
	if d.Attempt > 0 && a.StatusReason != "delivered" {
		text += fmt.Sprintf(" Attempt %d of %d.", d.Attempt, d.MaxAttempts)
	}
	if due != "" {
		text += " It goes on at " + due + "."
	}
	return text
}
