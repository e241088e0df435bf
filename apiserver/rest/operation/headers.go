package operation

import (
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// conditional are the header fields that change what a request does. An operation takes one that its input has. It refuses the others: a
// client that sends one relies on it. Of a GET, If-None-Match is answered for all operations (middleware.Conditional). What a server may
// ignore, such as Prefer and Range, is ignored.
var conditional = []struct {
	name string
	// reads means that a GET may have it too: what it says makes no difference to one.
	reads bool
}{
	{name: keyHeader, reads: true},
	{name: "If-Match"},
	// No object has a Last-Modified, so a GET ignores it (RFC 9110, section 13.1.4). A change that it should guard is refused.
	{name: "If-Unmodified-Since", reads: true},
	{name: "If-None-Match", reads: true},
	// A part of a body is no body (RFC 9110, section 14.4).
	{name: "Content-Range"},
	{name: "X-HTTP-Method-Override"},
}

// single are the header fields that come once at most, beside the parameters of the operation. The credential is checked before.
var single = []string{"Authorization", "Content-Type", problem.RequestIDHeader, WorkspaceHeader}

// checkHeaders refuses header fields that would be ignored, or that say two things.
func checkHeaders(op *huma.Operation, h http.Header) (details []problem.ErrorDetail) {
	for _, c := range conditional {
		reads := c.reads && op.Method == http.MethodGet
		if len(h.Values(c.name)) > 0 && paramOf(op, "header", c.name) == nil && !reads {
			details = append(details, problem.ErrorDetail{Field: c.name, Message: "is not supported by this operation"})
		}
	}
	for _, name := range singleHeaders(op) {
		if len(h.Values(name)) > 1 {
			details = append(details, comesTwice(name))
		}
	}
	if given := h.Values(keyHeader); len(given) == 1 && !isKey(given[0]) && paramOf(op, "header", keyHeader) != nil {
		details = append(details, problem.ErrorDetail{Field: keyHeader, Message: "must be printable ASCII characters, 1 to 255 of them"})
	}
	return details
}

// singleHeaders returns the names of the header fields that come once at most.
func singleHeaders(op *huma.Operation) []string {
	names := slices.Clone(single)
	for _, p := range op.Parameters {
		if p.In == "header" && !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, p.Name) }) {
			names = append(names, p.Name)
		}
	}
	return names
}

// isKey reports whether a text can be an Idempotency-Key. Its length at most is that of the schema.
func isKey(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool { return c < ' ' || c > '~' })
}

// comesTwice says that a header field has two values, of which neither counts.
func comesTwice(name string) problem.ErrorDetail {
	return problem.ErrorDetail{Field: name, Message: "must not come twice"}
}
