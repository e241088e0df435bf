// Package publish sends articles to customers' sites. Each type of CMS has a Connector in a package of its own; package
// connectors lists them. A connector makes one attempt and reports how it ended: its caller has written the attempt down before,
// and decides whether and when there is another.
package publish

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/fence"
)

// Article is one article, as a connector sends it. NewArticle makes it.
type Article struct {
	// Document of the current revision. Its Slug is the article's, which is the receiver's unique key.
	content.Document
	// HTML of the body.
	HTML string
	// ExternalID is the id that an earlier publication of the article got from the CMS; empty before the first.
	ExternalID string
	// URL that an earlier publication of the article got from the CMS, together with its id; empty before the first.
	URL string
	// Disclosure of the text as payloads have it, such as ai_assisted; empty if it is not known.
	Disclosure string
	// Recorded is what else status has of the post.
	Recorded Recorded
}

// MaxSlugNumber is the highest number that is looked for behind a slug. A CMS adds one if the slug is taken.
const MaxSlugNumber = 5

// Recorded is what status has of the post of an article, and by which a connector knows it again.
type Recorded struct {
	// Slug that the CMS gave the post, if it is another than the article's.
	Slug string
	// Hash of the post as the CMS answered it last; empty if that is not known.
	Hash string
	// Attempted is when the first attempt began that may have made a post; zero if none did.
	Attempted time.Time
	// WroteFrom and WroteUntil bound when attempts may have written the post whose answers were lost; zero if none did. A post that was
	// changed in between was changed by them.
	WroteFrom, WroteUntil time.Time
	// Taken are the slugs of other articles among those that a CMS may give the post: the article's with a number.
	Taken []string
	// Overwrite has the post written even if somebody has changed it in the CMS.
	Overwrite bool
}

// Outcome is how one attempt ended.
type Outcome struct {
	// AttemptResult is the part that status keeps of every attempt. Its message is one line of at most MaxAttemptMessageBytes, the same
	// for the same failure, without secrets, resolved addresses and text of the receiver.
	v1alpha1.AttemptResult
	// ID of the post as the receiver named it, at most MaxExternalIDBytes; empty if it named none. A CMS may have made the post in
	// an attempt that failed later: its id is kept too.
	ID string
	// URL of the live post as the receiver named it, a valid absolute http or https URL of at most MaxURLBytes, or empty.
	URL string
	// Slug of the post if the CMS gave it another than the article's, at most MaxSlugBytes; else empty.
	Slug string
	// Hash of the post as the CMS answered it, 16 hexadecimal digits; empty if the CMS has none.
	Hash string
	// Conflict is the address of the post because of which nothing was written, as URL is one.
	Conflict string
	// Differences are what somebody has changed of the post in the CMS; each text as Snippet is one.
	Differences []v1alpha1.PostDifference
	// Snippet is the beginning of the answer's body, at most MaxSnippetBytes without secrets of the request. It belongs in status
	// alone, and not in events, logs or metrics.
	Snippet string
	// Unpublished reports that the attempt was to take the post back.
	Unpublished bool
	// Post is the name of the Post under which the request was made, and Revision the one that was sent.
	Post     string
	Revision v1alpha1.PublicationRevision
	// Before is what was known about the site when the attempt was prepared.
	Before v1alpha1.SitePost
	// Record of the revision, for the Post.
	Record v1alpha1.PostRecord
	// Final reports that another attempt would be useless.
	Final bool
	// Uncounted reports that nothing was sent and the receiver is not the cause, so that the attempt does not count.
	Uncounted bool
	// RetryAfter is how long the receiver asks not to be called again, at most an hour; 0 if it does not ask.
	RetryAfter time.Duration
}

// JSON encodes what is sent. It does not escape <, > and &, which would make HTML a third longer and hard to read.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encoding a request: %w", err)
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// NotSent is the outcome of an attempt for which something that a request needs is missing.
func NotSent(final bool, missing string) Outcome {
	return Outcome{Final: final, AttemptResult: v1alpha1.AttemptResult{
		Outcome: v1alpha1.AttemptNotSent, ErrorClass: v1alpha1.ErrorNotSent, Message: "nothing was sent: " + missing,
	}}
}

// HeldUp returns what an outcome means of an attempt of which the fence refused a request, because the process was held up. If nothing was
// sent, the attempt does not count. If something was, it counts, and what the receiver has is unknown.
func (o Outcome) HeldUp(sent bool) Outcome {
	if o.Outcome == v1alpha1.AttemptAccepted {
		return o
	}
	held := NotSent(false, fence.ErrHeldUp.Error())
	held.Uncounted = !sent
	if sent {
		held.Outcome, held.ErrorClass = v1alpha1.AttemptUnknown, v1alpha1.ErrorInterrupted
		held.Message = "something was sent, and then " + fence.ErrHeldUp.Error()
	}
	held.Milliseconds = o.Milliseconds
	o.AttemptResult, o.Final, o.Uncounted, o.RetryAfter = held.AttemptResult, false, held.Uncounted, 0
	return o
}

// NewArticle returns what a connector sends of an article: a document under the article's slug, rendered. It is a function of both
// alone, so anyone who has the revision that was sent can make the request again.
func NewArticle(a *v1alpha1.Article, doc content.Document) (Article, error) {
	html, err := content.HTML(doc.Markdown)
	if err != nil {
		return Article{}, fmt.Errorf("rendering the text of %s: %w", a.Name, err)
	}
	out := Known(a)
	doc.Slug = out.Slug
	out.Document, out.HTML = doc, html
	return out, nil
}

// Known returns what is recorded of the post of an article, without a text.
func Known(a *v1alpha1.Article) Article {
	out := Article{Document: content.Document{Slug: a.Status.Slug}}
	if p := a.Status.Publication; p != nil {
		out.ExternalID, out.URL = p.Post.ExternalID, p.Post.URL
		out.Recorded = Recorded{Slug: p.Post.Slug, Hash: p.Post.ContentHash}
	}
	return out
}
