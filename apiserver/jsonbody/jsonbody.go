// Package jsonbody reads the bodies of requests to the REST API. What a body costs depends on the schema of its operation and
// not on what a client sends: a body is cut to what the schema can hold before anything is decoded or validated.
package jsonbody

import (
	"bytes"
	"encoding/json"
	"mime"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// The bounds of a body, in bytes. Every request with the most and longest values that its schema allows is smaller.
const (
	// MaxBytes bounds the body of most operations.
	MaxBytes = 64 << 10
	// MaxContentBytes bounds the body of the operations that write the text of an article.
	MaxContentBytes = 1 << 20
)

// fieldBody is the field of a detail about the body as a whole.
const fieldBody = "body"

// verbatim is the member whose blanks have a meaning: Markdown.
const verbatim = "content_markdown"

// CheckType returns an error for a body of another type than JSON. A body without a type is read as JSON.
func CheckType(header string) *problem.APIError {
	if media, _, err := mime.ParseMediaType(header); header != "" && (err != nil || media != problem.ContentType) {
		return problem.Invalid(problem.Detail{Field: "content-type", Message: "must be " + problem.ContentType})
	}
	return nil
}

// Format reads and writes plain JSON: Prepare has applied the rules of the contract to what is read.
func Format() huma.Format {
	return huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: json.Unmarshal}
}

// Prepare returns a body for validation by its schema. It has at most the items and members that make validation fail in the same
// way (see cutter), null is the same as absent, and blanks around a text do not count (design, section 4). An empty body stays
// empty.
func Prepare(schemas huma.Registry, schema *huma.Schema, body []byte) ([]byte, *problem.APIError) {
	if len(body) == 0 {
		return nil, nil
	}
	if !utf8.Valid(body) {
		return nil, invalid("must be UTF-8")
	}
	if !json.Valid(body) {
		// Decoding fails before it stores anything, with the reason.
		return nil, invalid("must be valid JSON: " + json.Unmarshal(body, new(struct{})).Error())
	}
	c := cutter{schemas: schemas, data: body}
	if err := c.value(schema, fieldBody); err != nil {
		return nil, err
	}
	var generic any
	if err := json.Unmarshal(c.out.Bytes(), &generic); err != nil {
		return nil, invalid("must be valid JSON: " + err.Error())
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(normalize(generic, false)); err != nil {
		return nil, invalid("must be valid JSON: " + err.Error())
	}
	return out.Bytes(), nil
}

func invalid(message string) *problem.APIError {
	return problem.Invalid(problem.Detail{Field: fieldBody, Message: message})
}

// normalize drops nulls and trims texts.
func normalize(v any, keepBlanks bool) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if member == nil {
				delete(v, name)
				continue
			}
			v[name] = normalize(member, name == verbatim)
		}
	case []any:
		for i := range v {
			v[i] = normalize(v[i], keepBlanks)
		}
	case string:
		if !keepBlanks {
			return strings.TrimSpace(v)
		}
	}
	return v
}
