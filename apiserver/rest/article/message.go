package article

import (
	"cmp"
	"fmt"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/reason"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Message says for people why an article is in its status; empty while that is about to change.
func Message(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) string {
	return message(lifecycle.Explain(a, site, now))
}

// Message says for people why an article is in its status.
func (s *Articles) Message(a *v1alpha1.Article) string {
	return Message(a, siteOrNil(s.Core, a), s.Clock.Now())
}

// summary says for people why an article is in its status, without the data that stand beside it in status_detail.
func summary(e lifecycle.Explanation) string {
	text := cmp.Or(reason.Of(e.Reason).Sentence, e.Reason)
	if cause := reason.Of(e.Cause).Sentence; cause != "" {
		text += ": " + cause
	}
	return text
}

// message says for people why an article is in its status. Times are in UTC: status_detail has the same as data.
func message(e lifecycle.Explanation) string {
	text := summary(e)
	if text == "" {
		return ""
	}
	if e.By != "" {
		text += " (" + e.By + ")"
	}
	if e.Attempt > 0 && e.Reason != v1alpha1.ReasonDelivered {
		text += fmt.Sprintf("; attempt %d of %d", e.Attempt, e.MaxAttempts)
	}
	if e.Detail != "" {
		text += ": " + e.Detail
	}
	if !e.Time.IsZero() {
		text += "; due at " + e.Time.UTC().Format(time.RFC3339)
	}
	return text
}
