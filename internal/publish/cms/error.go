package cms

import (
	"fmt"
	"net/http"
	"regexp"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Error is a failure that a connector understands.
type Error struct {
	// Class is one of those of the answers of a CMS, or AddressBlocked for an address that nothing may be sent to.
	Class v1alpha1.ErrorClass
	// Message is a sentence that says what to change: one line of at most MaxAttemptMessageBytes, the same for the same failure,
	// without secrets and without text of the CMS but for what Name has let through.
	Message string
	// RetryAfter is how long the CMS asks not to be called again; 0 if it does not ask.
	RetryAfter time.Duration
	// Link is the address of the post because of which nothing was written, if there is one.
	Link string
	// Differences are the changes of the post in the CMS.
	Differences []v1alpha1.PostDifference
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

// Fail returns an Error.
func Fail(class v1alpha1.ErrorClass, format string, args ...any) *Error {
	return &Error{Class: class, Message: fmt.Sprintf(format, args...)}
}

// final reports whether another attempt is useless until the Site or the article changes.
func (e *Error) final() bool {
	switch e.Class {
	case v1alpha1.ErrorWrongCredentials, v1alpha1.ErrorMissingPermission, v1alpha1.ErrorNotFound, v1alpha1.ErrorInvalidContent,
		v1alpha1.ErrorSlugTaken, v1alpha1.ErrorChangedAtSite, v1alpha1.ErrorImageChanged:
		return true
	default:
		return false
	}
}

// FailureOf returns what the status of an answer says, for answers about which a connector does not know more. name is that of the CMS.
func FailureOf(a Answer, name string) *Error {
	e := Fail(classOf(a.Status), "%s answered %d", name, a.Status)
	if text := http.StatusText(a.Status); text != "" {
		e.Message += " " + text
	}
	e.RetryAfter = a.retryAfter
	return e
}

// classOf is the class of a status for a CMS that does not say more.
func classOf(status int) v1alpha1.ErrorClass {
	switch status {
	case http.StatusUnauthorized:
		return v1alpha1.ErrorWrongCredentials
	case http.StatusForbidden:
		return v1alpha1.ErrorMissingPermission
	case http.StatusNotFound, http.StatusGone:
		return v1alpha1.ErrorNotFound
	case http.StatusBadRequest, http.StatusConflict, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity:
		return v1alpha1.ErrorInvalidContent
	case http.StatusTooManyRequests:
		return v1alpha1.ErrorRateLimited
	}
	if status >= http.StatusInternalServerError && status <= 599 {
		return v1alpha1.ErrorUnavailable
	}
	return v1alpha1.ErrorUnexpectedAnswer
}

// name matches the names of fields, codes and permissions in a CMS.
var name = regexp.MustCompile(`^[A-Za-z0-9_.:-]{1,40}$`)

// Name returns a name that a CMS answered if it can be shown in a message, else "".
func Name(text string) string {
	if !name.MatchString(text) {
		return ""
	}
	return text
}
