// Package publish sends an article to a customer's site. A Publisher makes one attempt and says how it ended; that an attempt was
// written down before, and whether and when there is another, is its caller's affair.
package publish

import (
	"context"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Article is what is sent.
type Article struct {
	Title           string
	Slug            string // the receiver's unique key
	MetaTitle       string
	MetaDescription string
	Markdown        string
	HTML            string
	FAQ             []v1alpha1.FAQ
}

// Publisher makes attempts to publish to one site.
type Publisher interface {
	// Publish makes one attempt. It returns when the attempt has ended, at the latest when ctx does.
	Publish(ctx context.Context, a Article) Outcome
}

// Kind says how an attempt ended, in the words of the API's AttemptOutcome.
type Kind string

// The kinds.
const (
	// Accepted was answered with 2xx in time.
	Accepted Kind = "Accepted"
	// Rejected was answered with another status; a redirect is one.
	Rejected Kind = "Rejected"
	// Timeout was not answered in time. It may have been received.
	Timeout Kind = "Timeout"
	// ConnectionFailed got no answer: the look-up, the connection or TLS failed, or the connection broke. It may have been received.
	ConnectionFailed Kind = "ConnectionFailed"
	// AddressBlocked was not sent, because the address is not a public one.
	AddressBlocked Kind = "AddressBlocked"
	// NotSent was not sent, because something that a request needs was not there.
	NotSent Kind = "NotSent"
)

// Class says what kind of thing went wrong, in the words of the API's ErrorClass. It is empty where nothing did.
type Class string

// The classes that an answer's status tells of; those of connections are package egress's.
const (
	ClassRedirect         Class = "Redirect"
	ClassClientError      Class = "ClientError"
	ClassServerError      Class = "ServerError"
	ClassUnexpectedStatus Class = "UnexpectedStatus"
	ClassNotSent          Class = "NotSent"
)

// MaxMessage is the most characters that Outcome.Message has.
const MaxMessage = 128

// Outcome is how one attempt ended.
type Outcome struct {
	Kind Kind
	// Class of the error.
	Class Class
	// HTTPStatus of the answer, 0 where none came.
	HTTPStatus int
	// ID of the post as the receiver named it, at most 256 bytes; empty where it named none.
	ID string
	// URL of the live post as the receiver named it, a valid absolute http or https URL of at most 1024 bytes, or empty.
	URL string
	// Message says what went wrong: one line of at most MaxMessage characters, the same for the same failure, free of secrets,
	// of resolved addresses and of what the receiver wrote. Empty where nothing went wrong.
	Message string
	// Snippet is the beginning of the answer's body as people may see it: see package snippet. It belongs in status alone, and
	// not in events, logs or metrics.
	Snippet string
	// Final says that another attempt would be useless.
	Final bool
	// RetryAfter is how long the receiver asks to be left alone, 0 where it does not, at most an hour.
	RetryAfter time.Duration
	// Duration of the attempt.
	Duration time.Duration
}
