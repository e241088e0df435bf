package problem

import (
	"net/http"
	"strconv"
	"time"
)

// How long a client waits before it tries again.
const (
	startingRetryAfter = time.Second
	// DefaultRetryAfter is the wait if something that the answer needs is unavailable.
	DefaultRetryAfter = 5 * time.Second
)

// Unauthorized is the answer to a credential that does not work.
func Unauthorized() *APIError {
	return New(http.StatusUnauthorized, CodeUnauthorized, "the header x-api-key must carry a valid API key")
}

// InsufficientScope is the answer to a key without a scope.
func InsufficientScope(scope string) *APIError {
	return New(http.StatusForbidden, CodeInsufficientScope, "the API key must have the scope "+scope)
}

// NotFound is the answer to a request for a resource that does not exist, or that the key may not see.
func NotFound(resource string) *APIError {
	return New(http.StatusNotFound, CodeNotFound, "there is no such "+resource)
}

// MethodNotAllowed is the answer to a request whose path has no operation with its method. The header Allow, which the router
// sets, lists those that it has (RFC 9110, section 15.5.6).
func MethodNotAllowed(method string) *APIError {
	return New(http.StatusMethodNotAllowed, CodeMethodNotAllowed, "the path does not support the method "+method)
}

// Conflict is the answer to a request that the state of a resource does not allow.
func Conflict(message string) *APIError {
	return New(http.StatusConflict, CodeConflict, message)
}

// frozenMessage is in the message of each rule of the CRD that keeps a delivered article as it is.
const frozenMessage = "while the article is being delivered or once it is published"

// Frozen is the answer to an edit of an article that is being delivered or is published.
func Frozen() *APIError {
	return Conflict("the text may not change " + frozenMessage)
}

// TooLarge is the answer to a body of more than 1 MiB.
func TooLarge() *APIError {
	return New(http.StatusRequestEntityTooLarge, CodePayloadTooLarge, "the body must be at most 1 MiB",
		Detail{Field: fieldBody, Message: "must be at most 1048576 bytes"})
}

// TooManyRequests is the answer to a key that has used up its share of the replica.
func TooManyRequests(wait time.Duration) *APIError {
	return New(http.StatusTooManyRequests, CodeRateLimited, "too many requests with this key").After(wait)
}

// Unavailable is the answer if something that it needs is unavailable.
func Unavailable(message string, after time.Duration) *APIError {
	return New(http.StatusServiceUnavailable, CodeUnavailable, message).After(after)
}

// Starting is the answer of a replica whose index is not complete yet.
func Starting() *APIError {
	return Unavailable("the service is starting", startingRetryAfter)
}

// Internal is the answer to an unexpected error. It says nothing of the cause.
func Internal(requestID string) *APIError {
	message := "something went wrong on our side"
	if requestID != "" {
		message += "; please quote the request id " + requestID
	}
	return New(http.StatusInternalServerError, CodeInternal, message)
}

// Invalid is the answer to a request whose fields failed.
func Invalid(details ...Detail) *APIError {
	message := "the request is not valid"
	if len(details) > 0 {
		message = details[0].Field + ": " + details[0].Message
	}
	if n := len(details) - 1; n > 0 {
		message += " (and " + strconv.Itoa(n) + " more)"
	}
	return New(http.StatusBadRequest, CodeValidation, message, details...)
}
