package jsonbody

import (
	"mime"
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// mergePatch is the type of the body of a PATCH (RFC 7396).
const mergePatch = "application/merge-patch+json"

// CheckType returns an error for a body that is not JSON in UTF-8, as its header says.
func CheckType(method string, header http.Header) *problem.APIError {
	types := []string{problem.ContentType}
	if method == http.MethodPatch {
		types = append(types, mergePatch)
	}
	for _, coding := range header.Values("Content-Encoding") {
		if !strings.EqualFold(strings.TrimSpace(coding), "identity") {
			return problem.UnsupportedType(method, "Content-Encoding", "must be left out: compressed bodies are not supported", types...)
		}
	}
	if !isOneOf(header.Get("Content-Type"), types) {
		return problem.UnsupportedType(method, "Content-Type", "must be "+strings.Join(types, " or ")+", in UTF-8", types...)
	}
	return nil
}

// isOneOf reports whether a Content-Type is one of some media types, without a charset other than UTF-8. JSON has no other (RFC 8259,
// section 8.1).
func isOneOf(header string, types []string) bool {
	media, parameters, err := mime.ParseMediaType(header)
	if err != nil {
		return false
	}
	for _, t := range types {
		charset, given := parameters["charset"]
		if media == t && (!given || strings.EqualFold(charset, "utf-8") || strings.EqualFold(charset, "utf8")) {
			return true
		}
	}
	return false
}
