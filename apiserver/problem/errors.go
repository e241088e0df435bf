package problem

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// DefaultRetryAfter is how long a client waits before it tries again if something that the answer needs is unavailable.
const DefaultRetryAfter = 5 * time.Second

// Unauthorized is the answer to a credential that does not work.
func Unauthorized() *APIError {
	return New(http.StatusUnauthorized, CodeUnauthorized, "the header x-api-key must carry a valid API key")
}

// UnauthorizedAt is Unauthorized at an endpoint that takes a credential in another way, with the value of WWW-Authenticate.
func UnauthorizedAt(challenge, message string) *APIError {
	e := New(http.StatusUnauthorized, CodeUnauthorized, message)
	e.header = http.Header{"Www-Authenticate": {challenge}}
	return e
}

// InsufficientScope is the answer to a key without a scope.
func InsufficientScope(scope string) *APIError {
	return New(http.StatusForbidden, CodeInsufficientScope, "the API key must have the scope "+scope)
}

// NotFound is the answer to a request for a resource that does not exist, or that the key may not see.
func NotFound(resource string) *APIError {
	return New(http.StatusNotFound, CodeNotFound, "there is no such "+resource)
}

// Gone is the answer to a request for what a site had and is not to show any more.
func Gone(message string) *APIError { return New(http.StatusGone, CodeGone, message) }

// MethodNotAllowed is the answer to a request whose path has no operation with its method. The header Allow, which the router
// sets, lists those that it has (RFC 9110, section 15.5.6).
func MethodNotAllowed(method string) *APIError {
	return New(http.StatusMethodNotAllowed, CodeMethodNotAllowed, "the path does not support the method "+method)
}

// Conflict is the answer to a request that the state of a resource does not allow. The details name what it is about.
func Conflict(reason Reason, message string, details ...ErrorDetail) *APIError {
	e := New(http.StatusConflict, CodeConflict, message, details...)
	e.Problem.Reason = reason
	return e
}

// TooLarge is the answer to a body of more bytes than its operation takes.
func TooLarge(limit int64) *APIError {
	message := "must be at most " + strconv.FormatInt(limit, 10) + " bytes"
	return New(http.StatusRequestEntityTooLarge, CodePayloadTooLarge, "the body "+message, ErrorDetail{Field: FieldBody, Message: message})
}

// UnsupportedType is the answer to a body of another type or coding than the ones that the operation takes. Its header says which they are
// (RFC 9110, section 15.5.16; RFC 5789, section 3.1).
func UnsupportedType(method, field, message string, types ...string) *APIError {
	e := New(http.StatusUnsupportedMediaType, CodeUnsupportedType, field+": "+message,
		ErrorDetail{Field: field, Code: DetailNotSupported, Message: message})
	e.header = http.Header{"Accept-Encoding": {"identity"}}
	switch method {
	case http.MethodPatch:
		e.header.Set("Accept-Patch", strings.Join(types, ", "))
	case http.MethodPost:
		e.header.Set("Accept-Post", strings.Join(types, ", "))
	}
	return e
}

// Incomplete is the answer to a body that ends before it is complete.
func Incomplete() *APIError {
	return Invalid(ErrorDetail{Field: FieldBody, Code: DetailMalformed, Message: "must be sent to its end"})
}

// LimitReached is the answer to a request for another object if the account has as many as it may. The limit is the name of the
// field in the Account's spec.limits, and of what it counts.
func LimitReached(limit, of string, most int64) *APIError {
	message := "must be at most " + strconv.FormatInt(most, 10)
	e := New(http.StatusConflict, CodeLimitReached, "the account's limit of "+strconv.FormatInt(most, 10)+" "+of+" is reached",
		ErrorDetail{Field: limit, Message: message})
	e.Problem.Reason = ReasonAccountLimit
	return e
}

// Unavailable is the answer if something that it needs is unavailable.
func Unavailable(message string, after time.Duration) *APIError {
	return New(http.StatusServiceUnavailable, CodeUnavailable, message).After(after)
}

// Internal is the answer to an unexpected error. It says nothing of the cause.
func Internal(requestID string) *APIError {
	message := "something went wrong on our side"
	if requestID != "" {
		message += "; please quote the request id " + requestID
	}
	return New(http.StatusInternalServerError, CodeInternal, message)
}

// Invalid is the answer to a request whose fields failed. It has the first MaxDetails of them.
func Invalid(details ...ErrorDetail) *APIError {
	message := "the request is not valid"
	if len(details) > 0 {
		message = details[0].Field + ": " + details[0].Message
	}
	if n := len(details) - 1; n > 0 {
		message += " (and " + strconv.Itoa(n) + " more)"
	}
	return New(http.StatusBadRequest, CodeValidation, message, details[:min(len(details), MaxDetails)]...)
}

// PreconditionFailed is the answer if a resource is not the one that the header If-Match names (RFC 9110, section 13.1.1).
func PreconditionFailed() *APIError {
	return New(http.StatusPreconditionFailed, CodePreconditionFailed, "it has changed since you read it: read it again")
}

// UnusableTag is the answer to a header If-Match that cannot be compared.
func UnusableTag() *APIError {
	return New(http.StatusPreconditionFailed, CodePreconditionFailed,
		"If-Match must be the ETag as it was sent: in quotes, and not a weak one, into which proxies turn it that compress answers")
}

// Managed is the answer to a change of what a manager, such as that of Flux or Argo CD, applies from a manifest: it says what to do there.
// Its details name the members of the request that change such fields.
func Managed(manager, do string, fields ...string) *APIError {
	var details []ErrorDetail
	for _, field := range fields {
		name := restName(strings.TrimPrefix(field, "."))
		if name == strings.TrimPrefix(field, ".") {
			// No member of a request has the name of this field.
			continue
		}
		details = append(details, ErrorDetail{
			Field: name, Code: DetailManaged, Message: fmt.Sprintf("%q applies this from a manifest: %s it there", manager, do),
		})
	}
	e := New(http.StatusConflict, CodeConflict, fmt.Sprintf("a manifest that %q applies has this: %s it there", manager, do), details...)
	e.Problem.Reason = ReasonManaged
	return e
}

// LedgerMissing is the answer if the account has no ledger: a new one has none for a moment, and one that was restored without it has
// none until an administrator acts.
func LedgerMissing() *APIError {
	return Unavailable("the account's ledger is missing: nothing can be generated until it is there", DefaultRetryAfter)
}

// FromLedger translates an error of the ledger. An unexpected one is returned as it is.
func FromLedger(err error) error {
	limit, ok := errors.AsType[*ledger.LimitError](err)
	if !ok {
		return err
	}
	switch limit.Code {
	case ledger.RateLimited:
		return minuteLimit().Reached("more than 60 articles were asked for within a minute", limit.RetryAfter)
	case ledger.DailyLimit:
		const message = "the site's daily limit of articles is reached; it starts again at 00:00 UTC"
		return dayLimit(limit.Most).Reached(message, limit.RetryAfter)
	case ledger.KeyLimit:
		const message = "the API key's daily limit of credits is reached; it starts again at 00:00 UTC"
		return keyDayLimit(limit.Most).Reached(message, limit.RetryAfter)
	case ledger.BudgetReached:
		const message = "the account's budget of the month is used up; the next month begins on the 1st at 00:00 UTC"
		e := New(http.StatusPaymentRequired, CodeInsufficientCredits, message).After(limit.RetryAfter)
		e.Problem.Reason = ReasonBudgetReached
		return e
	case ledger.InsufficientCredits:
		return New(http.StatusPaymentRequired, CodeInsufficientCredits, "the account has no credits left")
	case ledger.Missing:
		return LedgerMissing()
	default:
		e := Unavailable("too many articles of the account are being started at once", limit.RetryAfter)
		e.Problem.Reason = ReasonGenerateConcurrent
		return e
	}
}
