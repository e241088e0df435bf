// Package answer reads what receivers answer, for all connectors: it describes requests that got no answer, and takes ids, URLs and
// snippets from answers in a form that people may see.
package answer

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"time"
	"unicode"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/retryafter"
)

// Unanswered is the outcome of an attempt whose request got no answer.
func Unanswered(ctx context.Context, err error) publish.Outcome {
	o := publish.Outcome{AttemptResult: v1alpha1.AttemptResult{
		Outcome: v1alpha1.AttemptConnectionFailed, ErrorClass: v1alpha1.ErrorClass(egress.Classify(err)), Message: egress.Describe(err),
	}}
	switch {
	case errors.Is(err, egress.ErrBlocked):
		o.Outcome, o.Final = v1alpha1.AttemptAddressBlocked, true
	case o.ErrorClass == v1alpha1.ErrorTimeout, errors.Is(ctx.Err(), context.DeadlineExceeded):
		o.Outcome, o.ErrorClass = v1alpha1.AttemptTimeout, v1alpha1.ErrorTimeout
		o.Message = egress.Describe(context.DeadlineExceeded)
	}
	return o
}

// InvalidURL is the outcome of a request whose URL cannot be parsed.
func InvalidURL() publish.Outcome {
	return publish.Outcome{Final: true, AttemptResult: v1alpha1.AttemptResult{
		Outcome: v1alpha1.AttemptAddressBlocked, ErrorClass: v1alpha1.ErrorAddressBlocked, Message: "blocked: the URL cannot be read",
	}}
}

// RetryAfter returns how long the receiver asks not to be called again. Only a 429 or 503 can ask.
func RetryAfter(status int, header http.Header, now time.Time) time.Duration {
	switch status {
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		return retryafter.Parse(header.Get("Retry-After"), now)
	default:
		return 0
	}
}

// IsLink reports whether a text is an absolute http or https URL that is safe in a link and that status can hold.
func IsLink(text string) bool {
	if len(text) > v1alpha1.MaxURLBytes || !IsPrintable(text) || strings.ContainsAny(text, " \"<>\\`") {
		return false
	}
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != "" && u.User == nil
}

// IsID reports whether a text can be the id of a post: it is printable, not blank, and short enough for status.
func IsID(text string) bool {
	return len(text) <= v1alpha1.MaxExternalIDBytes && IsPrintable(text) && strings.TrimSpace(text) != ""
}

// IsPrintable rules out control characters, line ends and what changes the direction of text.
func IsPrintable(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) < 0
}

// UserAgent names the program and its version to receivers.
var UserAgent = "Pressroom/" + version()

// version is the module's, as the Go tool stamps it into the binary.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}
