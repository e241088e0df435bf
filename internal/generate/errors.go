package generate

import "time"

// Reason says why no article came. The words are the reasons of the API's condition Generated.
type Reason string

// The reasons.
const (
	// Refused says that the model would not write the article.
	Refused Reason = "Refused"
	// InvalidAnswer says that an answer could not be used, after a repair turn where that could help.
	InvalidAnswer Reason = "InvalidAnswer"
	// Truncated says that an answer was cut off at its length limit, and so was a shorter one that was asked for.
	Truncated Reason = "Truncated"
	// RateLimited says that the endpoint refused with 429.
	RateLimited Reason = "RateLimited"
	// Timeout says that the endpoint did not answer in time.
	Timeout Reason = "Timeout"
	// BackendRejected says that the endpoint refused the request for good: wrong key, unknown model, bad request. An endpoint
	// that may not be reached and a configuration that cannot work are the same to whoever has to mend it.
	BackendRejected Reason = "BackendRejected"
	// BackendUnavailable says that the endpoint could not be reached or answered 5xx.
	BackendUnavailable Reason = "BackendUnavailable"
)

// Error says why no article came.
type Error struct {
	// Reason in one word.
	Reason Reason
	// Retryable is whether the same request may succeed later without anybody's doing.
	Retryable bool
	// RetryAfter is how long the endpoint asks to wait, one second to one hour; 0 where it does not.
	RetryAfter time.Duration
	// Usage of all turns until then.
	Usage Usage
	// Message is one line of at most 300 characters, without secrets and addresses. Of what the endpoint
	// said it has at most a short code.
	Message string
	// Err is context.DeadlineExceeded or egress.ErrBlocked where that is the cause, else nil. Other causes may carry
	// requests with their secrets and are not kept.
	Err error
}

// Error returns reason and message.
func (e *Error) Error() string { return string(e.Reason) + ": " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
