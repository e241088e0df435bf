package generate

import "time"

// Error says why no article came.
type Error struct {
	// Reason is one of the reasons of the API's condition Generated.
	Reason string
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
func (e *Error) Error() string { return e.Reason + ": " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
