package article

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// sentences say why an article is in its status, by the reason of its condition Ready. What is put into them is the cause or the detail;
// the other data follow.
var sentences = map[string]string{
	v1alpha1.ReasonArchived:            "the article is archived",
	v1alpha1.ReasonDraft:               "the article is a draft",
	v1alpha1.ReasonAwaitingReview:      "the text waits for a reviewer",
	v1alpha1.ReasonRejected:            "a reviewer rejected the text",
	v1alpha1.ReasonApproved:            "the text is approved, and its publication is not asked for",
	v1alpha1.ReasonScheduled:           "the article waits for its time",
	v1alpha1.ReasonDelivering:          "the article is being delivered to its site",
	v1alpha1.ReasonProgressing:         "the delivery is due, and begins as soon as the site has a free slot",
	v1alpha1.ReasonDelivered:           "the site accepted the article",
	v1alpha1.ReasonPublished:           "the article may be read from the API",
	v1alpha1.ReasonDeliveryFailed:      "delivering the article failed",
	v1alpha1.ReasonUnpublishing:        "the post is being taken back from its site",
	v1alpha1.ReasonUnpublished:         "the post was taken back from its site",
	v1alpha1.ReasonGenerating:          "a text is being generated, or is about to be",
	v1alpha1.ReasonGenerationFailed:    "generating a text failed",
	v1alpha1.ReasonRetryScheduled:      "the last attempt failed, and another one follows",
	v1alpha1.ReasonStopped:             "the last attempt was interrupted, and another one follows",
	v1alpha1.ReasonInsufficientCredits: "the account has no credits left: generation goes on when it has",
	v1alpha1.ReasonDailyLimitReached:   "the site's limit of articles for the day is reached",
	v1alpha1.ReasonDailyTokensExceeded: "the site's tokens for the day are used up",
	v1alpha1.ReasonQueued:              "the account has too many generations that have not begun: this one waits",
	v1alpha1.ReasonLedgerMissing:       "the account's credits are not available: an operator must restore them",
	v1alpha1.ReasonNotAWorkspace:       "the workspace belongs to no account",
	v1alpha1.ReasonAccountNotFound:     "the workspace's account does not exist",
	v1alpha1.ReasonSiteNotFound:        "the article's site does not exist: it goes on when it does",
	v1alpha1.ReasonSuspended:           "work is suspended, by an operator or for the site",
	v1alpha1.ReasonSecretNotFound:      "a credential of the site is missing: enter it again",
	v1alpha1.ReasonInvalidSecret:       "a credential of the site is not usable: enter it again",
	v1alpha1.ReasonInvalidContent:      "the text cannot become an article: edit it",
	v1alpha1.ReasonInvalidRequest:      "no text can be generated from this request: change it or the words that the site avoids",
	v1alpha1.ReasonRequestRepeated:     "another article was created with the same Idempotency-Key: delete this one",
	v1alpha1.ReasonRevisionMissing:     "the article's text is missing: regenerate the article, or write another text",
	v1alpha1.ReasonRevisionNameTaken:   "a text of an earlier article is still being removed",
	v1alpha1.ReasonNoRevision:          "there is no finished text yet",
	v1alpha1.ReasonSlugTaken:           "another article has the slug at this site, and the slug of this one may not change",
	v1alpha1.ReasonPostRefused:         "the slug cannot be claimed at the moment: an operator finds out why",
	v1alpha1.ReasonWrongCredentials:    "the site refuses the credentials",
	v1alpha1.ReasonMissingPermission:   "the site's credentials have too few rights",
	v1alpha1.ReasonNotSupportedYet:     "publishing to this type of CMS is not supported yet",
}

// causes add to a sentence what its reason leaves open.
var causes = map[string]string{
	v1alpha1.ReasonUpdatesFrozen:   "it was changed since, and the site keeps what it has",
	v1alpha1.ReasonContentChanged:  "the last decision was about another text",
	v1alpha1.ReasonGateFailed:      "it was not approved automatically",
	v1alpha1.ReasonExhausted:       "all attempts are used up",
	v1alpha1.ReasonAddressBlocked:  "the site's address is not public",
	v1alpha1.ReasonNotSupportedYet: sentences[v1alpha1.ReasonNotSupportedYet],
}

// Message says for people why an article is in its status; empty while that is about to change.
func Message(a *v1alpha1.Article, now time.Time) string { return message(lifecycle.Explain(a, now)) }

// summary says for people why an article is in its status, without the data that stand beside it in status_detail.
func summary(e lifecycle.Explanation) string {
	if e.Reason == "" {
		return ""
	}
	text := cmp.Or(sentences[e.Reason], "the article waits: "+strings.ReplaceAll(operation.SnakeCase(e.Reason), "_", " "))
	if cause := causes[e.Cause]; cause != "" {
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
