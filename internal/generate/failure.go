package generate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/retryafter"
)

// failure classifies an error of a turn. Cancellation is returned unchanged.
func failure(ctx context.Context, err error, now time.Time) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ctx.Err()
	}
	if ctx.Err() != nil || egress.Classify(err) == egress.Timeout {
		return &Error{
			Reason: v1alpha1.ReasonTimeout, Retryable: true, Message: "the endpoint did not answer in time", Err: context.DeadlineExceeded,
		}
	}
	if status, ok := errors.AsType[*statusError](err); ok {
		return status.failure(now)
	}
	if errors.Is(err, egress.ErrBlocked) {
		return &Error{
			Reason: v1alpha1.ReasonBackendRejected, Err: egress.ErrBlocked,
			Message: "the endpoint may not be reached: its address must be a public one",
		}
	}
	if errors.Is(err, errTooLarge) {
		message := fmt.Sprintf("the endpoint's answer is over %d bytes", maxAnswerBytes)
		return &Error{Reason: v1alpha1.ReasonInvalidAnswer, Retryable: true, Message: message}
	}
	if _, ok := errors.AsType[*transportError](err); ok {
		return &Error{
			Reason: v1alpha1.ReasonBackendUnavailable, Retryable: true, Message: "the endpoint could not be asked: " + egress.Describe(err),
		}
	}
	return &Error{Reason: v1alpha1.ReasonInvalidAnswer, Retryable: true, Message: "the endpoint's answer is not the JSON of its API"}
}

func (e *statusError) failure(now time.Time) *Error {
	code := e.code()
	out := &Error{Message: "the endpoint " + e.description()}
	if code != "" {
		out.Message += " (" + code + ")"
	}
	switch {
	case slices.Contains(contentRefusals, strings.ToLower(code)):
		out.Reason = v1alpha1.ReasonRefused
	case e.status == http.StatusTooManyRequests && slices.Contains(quotaCodes, strings.ToLower(code)):
		out.Reason = v1alpha1.ReasonBackendRejected
	case e.status == http.StatusTooManyRequests:
		out.Reason, out.Retryable = v1alpha1.ReasonRateLimited, true
	case e.status == http.StatusRequestTimeout, e.status == http.StatusGatewayTimeout:
		out.Reason, out.Retryable = v1alpha1.ReasonTimeout, true
	case e.status == http.StatusConflict, e.status == http.StatusTooEarly,
		e.status >= 500 && e.status != http.StatusNotImplemented:
		out.Reason, out.Retryable = v1alpha1.ReasonBackendUnavailable, true
	default:
		out.Reason = v1alpha1.ReasonBackendRejected
	}
	if out.Retryable {
		out.RetryAfter = retryAfter(e.header, now)
	}
	return out
}

func (e *statusError) description() string {
	switch {
	case e.inside:
		return "answered 200 with an error"
	case e.status == http.StatusUnauthorized:
		return "refused the API key with 401"
	case e.status == http.StatusForbidden:
		return "does not allow the request: 403"
	case e.status == http.StatusNotFound:
		return "knows no such model or path: 404"
	case e.status == http.StatusTooManyRequests:
		return "takes no more requests for now: 429"
	case e.status/100 == 3:
		return fmt.Sprintf("answered with a redirect, which is not followed: %d", e.status)
	default:
		return fmt.Sprintf("answered %d", e.status)
	}
}

// shortCode matches the error codes that messages may quote.
var shortCode = regexp.MustCompile(`^[A-Za-z][A-Za-z_]{0,59}$`)

// code returns the endpoint's short code for the error, or "". Its messages are not quoted, because they contain keys and addresses.
func (e *statusError) code() string {
	var body struct {
		Error struct {
			Code any `json:"code"`
			Type any `json:"type"`
		} `json:"error"`
	}
	if err := json.Unmarshal(e.body, &body); err != nil {
		return ""
	}
	for _, word := range []any{body.Error.Code, body.Error.Type} {
		if s, ok := word.(string); ok && shortCode.MatchString(s) {
			return s
		}
	}
	return ""
}

var (
	// contentRefusals are codes by which an endpoint refuses the subject of the request.
	contentRefusals = []string{"content_filter", "content_policy_violation", "responsibleaipolicyviolation", "moderation_blocked"}
	// quotaCodes are codes of a 429 that means that waiting does not help, but paying does.
	quotaCodes = []string{"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
)

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

// minRetryAfter is the shortest wait that an endpoint can ask for; the longest is retryafter.Max.
const minRetryAfter = time.Second

// retryAfter returns how long an endpoint asks to wait, or 0 if it does not. Beside what package retryafter reads, model endpoints send
// fractions of seconds, and milliseconds in retry-after-ms.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if wait, ok := parseNumber(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return bounded(wait)
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if wait, ok := parseNumber(value, time.Second); ok {
		return bounded(wait)
	}
	if at, err := http.ParseTime(value); err == nil {
		return bounded(at.Sub(now))
	}
	return 0
}

func parseNumber(value string, unit time.Duration) (time.Duration, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	// The comparison also refuses NaN.
	if err != nil || !(n >= 0) {
		return 0, false
	}
	return time.Duration(min(n, float64(2*retryafter.Max/unit)) * float64(unit)), true
}

func bounded(wait time.Duration) time.Duration {
	return min(max(wait, minRetryAfter), retryafter.Max)
}
