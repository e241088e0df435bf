package generate

import (
	"bytes"
	"errors"
	"net/http"
	"slices"
	"strings"
	"unicode"
)

// format is how a backend asks for the fields. If an endpoint refuses a format, the backend tries the next one.
type format int

// The formats, the strictest first.
const (
	// formatSchema has the endpoint enforce a JSON schema.
	formatSchema format = iota
	// formatObject is JSON without a schema (OpenAI), or a tool whose input has the schema (Anthropic).
	formatObject
	// formatPlain asks for JSON only in the prompt.
	formatPlain
)

// Words in the lower-case body of an error that refuses a format. No status or code means only that, and trying every 400 again
// would repeat requests with a wrong key or model. The vague words count only if the status blames the request.
var (
	formatWords = []string{
		"response_format", "response format", "json_schema", "json schema", "json_object", "json mode", "structured output",
		"structured_output", "output_config", "output_format", "output config", "output format", "tool_choice", "grammar",
	}
	vagueWords = []string{
		"schema", "guided", "strict", "tool", "not supported", "unsupported", "not implemented", "unknown field", "unrecognized",
		"unexpected keyword", "extra inputs", "extra fields", "extra_forbidden",
	}
)

// refusesFormat reports whether an error means that the endpoint does not support the format.
func refusesFormat(err error) bool {
	refusal, ok := errors.AsType[*statusError](err)
	if !ok {
		return false
	}
	switch refusal.status {
	case http.StatusNotImplemented:
		return true
	case http.StatusInternalServerError:
		return refusal.mentions(formatWords...)
	case http.StatusBadRequest, http.StatusNotFound, http.StatusUnsupportedMediaType, http.StatusUnprocessableEntity:
		return refusal.mentions(formatWords...) || refusal.mentions(vagueWords...)
	default:
		return false
	}
}

// refusesLength reports whether an error means that max_tokens is over the model's limit.
func refusesLength(err error) bool {
	refusal, ok := errors.AsType[*statusError](err)
	return ok && refusal.status == http.StatusBadRequest && refusal.mentions("max_tokens", "maximum allowed number of output tokens")
}

func (e *statusError) mentions(words ...string) bool {
	body := bytes.ToLower(e.body)
	return slices.ContainsFunc(words, func(word string) bool { return bytes.Contains(body, []byte(word)) })
}

// label makes one line of a text of any origin: without control characters, at most so many characters.
func label(text string, most int) string {
	visible := strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	runes := []rune(strings.Join(strings.Fields(visible), " "))
	if len(runes) <= most {
		return string(runes)
	}
	return string(runes[:most-1]) + "…"
}
