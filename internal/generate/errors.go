package generate

import "time"

// Error is a failed run.
type Error struct {
	// Reason is one of the reasons of the API's condition Generated.
	Reason string
	// Retryable is whether the same request may succeed later without a change.
	Retryable bool
	// Settings is whether only settings of the account made the run fail: words that the site forbids.
	Settings bool
	// RetryAfter is how long the endpoint asks to wait, one second to one hour; 0 if it does not ask.
	RetryAfter time.Duration
	// Usage of all turns until then.
	Usage Usage
	// Message is one line of at most 300 characters, without secrets and addresses. It quotes at most a short code of the
	// endpoint.
	Message string
	// Err is context.DeadlineExceeded or egress.ErrBlocked if that is the cause, else nil. Other causes are dropped, because
	// they may contain requests with their secrets.
	Err error
}

// Error returns reason and message.
func (e *Error) Error() string { return e.Reason + ": " + e.Message }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
