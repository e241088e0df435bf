// Package jsonbody reads the bodies of requests to the REST API. What a body costs depends on the schema of its operation and
// not on what a client sends: a body is cut to what the schema can hold as it is read.
package jsonbody

import (
	"bytes"
	"errors"
	"io"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// The bounds of a body, in bytes. Every request with the most and longest values that its schema allows is smaller.
const (
	// MaxBytes bounds the body of most operations.
	MaxBytes = 64 << 10
	// MaxContentBytes bounds the body of the operations that write the text of an article.
	MaxContentBytes = 1 << 20
)

// use is what a text is for.
type use int

const (
	// label is shown beside other texts: a title, a name, an address. It turns no direction of writing.
	label use = iota
	// prose has lines of its own.
	prose
	// verbatim is Markdown, whose blanks have a meaning.
	verbatim
)

// uses has the members that are no labels.
var uses = map[string]use{
	"answer": prose, "note": prose, "guide": prose, "examples": prose, "instructions": prose, "text": prose,
	"content_markdown": verbatim,
}

// Read returns a body as validation by its schema sees it: nil, bool, float64, string, []any or map[string]any. It has at most the items
// and members that make validation fail in the same way (see reader), null is the same as absent unless the schema has it, and blanks
// around a text do not count (docs/reference/contract.md, Requests and answers).
func Read(schemas huma.Registry, schema *huma.Schema, body []byte) (any, *problem.APIError) {
	// A member that comes twice is reported by its name.
	r := reader{schemas: schemas, in: jsontext.NewDecoder(bytes.NewBuffer(body), jsontext.AllowDuplicateNames(true))}
	value, err := r.value(schema, problem.FieldBody, label)
	if err == nil {
		err = r.end()
	}
	if e, ok := errors.AsType[*problem.APIError](err); ok {
		return nil, e
	}
	if err != nil {
		return nil, refused(problem.FieldBody, "must be valid JSON in UTF-8: "+whereWrong(body, err))
	}
	return value, nil
}

// byteOrderMark is how some editors begin a text in UTF-8, and JSON may not (RFC 8259, section 8.1).
const byteOrderMark = "\ufeff"

// whereWrong says where a body is not JSON.
func whereWrong(body []byte, err error) string {
	syntax, ok := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case bytes.HasPrefix(body, []byte(byteOrderMark)):
		return "it may not begin with a byte order mark"
	case len(bytes.TrimSpace(body)) == 0:
		return "it is empty"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "it ends too early"
	case errors.Is(err, errSecondValue):
		return "it may not have more than one value"
	case ok:
		return "it is wrong at byte " + strconv.FormatInt(syntax.ByteOffset+1, 10)
	}
	return "it cannot be read"
}
