package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// quotaRetryAfter is how long to wait for room under a ResourceQuota, which only an operator makes.
const quotaRetryAfter = time.Minute

// aboutError is an error about something else than an article.
type aboutError struct {
	error
	what string
}

// Unwrap returns what went wrong.
func (e *aboutError) Unwrap() error { return e.error }

// about says what was asked for of the API server, in the words of the REST API.
func about(what string, err error) error {
	if err == nil {
		return nil
	}
	return &aboutError{err, what}
}

func subject(err error) string {
	if e, ok := errors.AsType[*aboutError](err); ok {
		return e.what
	}
	return "article"
}

// fromAPIServer translates what the API server answered, or that it did not. It returns nil for what is our own fault.
func fromAPIServer(err error) *APIError {
	switch {
	case apierrors.IsNotFound(err):
		return notFound(subject(err))
	case apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause):
		return notFound("workspace")
	case apierrors.IsInvalid(err):
		return fromInvalid(err)
	case apierrors.IsConflict(err):
		return conflict("the " + subject(err) + " was changed at the same time: look at it, and try again")
	case apierrors.IsForbidden(err) && strings.Contains(err.Error(), "exceeded quota"):
		return unavailable("there is no room for another "+subject(err), quotaRetryAfter)
	case away(err):
		return unavailable("the service cannot reach its storage at the moment", awayAfter(err))
	}
	return nil
}

// errNoAnswer is in the chain of an error that no API server has answered.
var errNoAnswer = errors.New("the API server did not answer")

// answered marks an error that is not an answer of the API server: it could not be reached, or broke off.
func answered(err error) error {
	if err == nil || statusOf(err) != nil {
		return err
	}
	return fmt.Errorf("%w: %w", errNoAnswer, err)
}

// away reports whether err says that the API server did not answer, or not properly: nothing is known of what was asked.
func away(err error) bool {
	if status := statusOf(err); status != nil {
		return status.Code == http.StatusTooManyRequests || status.Code >= http.StatusInternalServerError
	}
	for _, broken := range []error{errNoAnswer, ledger.ErrUnavailable, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, broken) {
			return true
		}
	}
	return false
}

// statusOf returns what the API server answered; nil where it did not.
func statusOf(err error) *metav1.Status {
	var answer apierrors.APIStatus
	if !errors.As(err, &answer) {
		return nil
	}
	status := answer.Status()
	return &status
}

func awayAfter(err error) time.Duration {
	if seconds, ok := apierrors.SuggestsClientDelay(err); ok && seconds > 0 {
		return time.Duration(seconds) * time.Second
	}
	return awayRetryAfter
}

// restNames are the names that the REST API gives to the fields of an Article, the longer before what they begin with.
var restNames = []struct{ article, rest string }{
	{"spec.content.markdown", "content_markdown"},
	{"spec.content.metaTitle", "meta_title"},
	{"spec.content.metaDescription", "meta_description"},
	{"spec.content.title", "title"},
	{"spec.content.slug", "slug"},
	{"spec.content.faq", "faq"},
	{"spec.content", "content_markdown"},
	{"spec.generate.secondaryKeywords", "secondary_keywords"},
	{"spec.generate.tone", "tone"},
	{"spec.generate.keyword", "keyword"},
	{"spec.generate", "keyword"},
	{"spec.siteRef", "site_uid"},
	{"spec.url", "url"},
	{"spec.events", "events"},
	{"spec.publishAfter", "publish_at"},
	{"spec.review.note", "note"},
	{"spec.review.digest", "digest"},
	{"spec.redirectURIs", "redirect_uris"},
	{"spec.contacts", "contacts"},
	{"spec.displayName", "name"},
}

func restName(field string) string {
	for _, n := range restNames {
		if rest, ok := strings.CutPrefix(field, n.article); ok {
			if n.rest == "site_uid" {
				return n.rest
			}
			return n.rest + rest
		}
	}
	return field
}

// frozenWords are in the message of each rule of the CRD that keeps a delivered article as it is.
const frozenWords = "while the article is being delivered or once it is published"

// fromInvalid names the fields that the API server refused. A rule about the article's state is a conflict, and so is a
// policy of the cluster, which names no field.
func fromInvalid(err error) *APIError {
	status := statusOf(err)
	if status == nil || status.Details == nil {
		return conflict(err.Error())
	}
	var found []Detail
	for _, cause := range status.Details.Causes {
		if strings.Contains(cause.Message, frozenWords) {
			return frozen()
		}
		if cause.Field != "" && cause.Field != "<nil>" {
			found = append(found, Detail{Field: restName(cause.Field), Message: causeMessage(cause)})
		}
	}
	if len(found) == 0 {
		return conflict(status.Message)
	}
	return invalid(found...)
}

// causeMessage leaves out the value and the field's name in the manifest, which the API server puts before what must be.
func causeMessage(cause metav1.StatusCause) string {
	if cause.Type == metav1.CauseTypeFieldValueRequired {
		return "is required"
	}
	message := strings.TrimPrefix(cause.Message, "Invalid value: ")
	if i := strings.LastIndex(cause.Message, `": `); i >= 0 {
		message = cause.Message[i+len(`": `):]
	}
	return strings.TrimPrefix(message, cause.Field+" in body ")
}

func frozen() *APIError {
	return conflict("the text may not change " + frozenWords)
}
