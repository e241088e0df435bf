package generate

import (
	"bytes"
	"errors"
	"net/http"
)

// format is how the fields are asked for. An endpoint that refuses one gets the next.
type format int

// The formats, the strictest first.
const (
	// formatSchema has the endpoint hold the answer to a JSON schema.
	formatSchema format = iota
	// formatObject is JSON without a schema for OpenAI, and a tool whose input has the schema for Anthropic.
	formatObject
	// formatPlain only asks for JSON in words.
	formatPlain
)

// What endpoints say when they refuse a format, looked for in lower case. The vague words count only where the status says
// that the request is at fault.
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

// refusesFormat reports whether an error means that the endpoint does not take the format of the answer.
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

// refusesLength reports whether an error means that the model cannot write as much as it was allowed to.
func refusesLength(err error) bool {
	refusal, ok := errors.AsType[*statusError](err)
	return ok && refusal.status == http.StatusBadRequest && refusal.mentions("max_tokens", "maximum allowed number of output tokens")
}

func (e *statusError) mentions(words ...string) bool {
	body := bytes.ToLower(e.body)
	for _, word := range words {
		if bytes.Contains(body, []byte(word)) {
			return true
		}
	}
	return false
}
