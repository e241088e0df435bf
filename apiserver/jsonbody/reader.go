package jsonbody

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/content"
)

const (
	// maxUnknown bounds the unknown members of an object that are reported.
	maxUnknown = problem.MaxDetails
	// maxName bounds the name of an unknown member in a report, in bytes.
	maxName = 100
	// maxNumber bounds a number, in bytes: it would be repeated in the report of a number that is out of range.
	maxNumber = 40
)

// reader reads a JSON value in one pass, as validation shall see it. Blanks around a text are dropped, and what its schema cannot hold is
// left out:
//   - of an array, the items behind the first that is too many;
//   - of an object, unknown members but the first ones, and the values of those, and a null where the schema has none;
//   - of an object or array where the schema has another type, all but a value that fails in the same way.
//
// So validation reports what it would report of the whole value, and its cost has a bound. It also never compares objects of an
// array whose items must be unique, which it cannot.
type reader struct {
	schemas huma.Registry
	in      *jsontext.Decoder
}

// value reads the next value. field is its name in a report.
func (r *reader) value(schema *huma.Schema, field string, as use) (any, error) {
	for schema != nil && schema.Ref != "" {
		schema = r.schemas.SchemaFromRef(schema.Ref)
	}
	switch kind := r.in.PeekKind(); {
	case kind == '{' && schema != nil && schema.Type == huma.TypeObject:
		return r.object(schema, field)
	case kind == '[' && schema != nil && schema.Type == huma.TypeArray:
		return r.array(schema, field, as)
	case kind == '{' || kind == '[':
		return standIn(schema, kind), r.in.SkipValue()
	}
	value, err := r.scalar(field, as)
	if text, ok := value.(string); ok && schema != nil && schema.Format == dateTime && !isTime(text) {
		return notTime, err
	}
	return value, err
}

const (
	// dateTime is the format of a time in a schema.
	dateTime = "date-time"
	// notTime fails validation as a time.
	notTime = "not a time"
)

// isTime reports whether a text is a time of RFC 3339 for what decodes the body, which is stricter than validation.
func isTime(text string) bool {
	quoted, err := jsontext.AppendQuote(nil, text)
	var at time.Time
	return err == nil && jsonv2.Unmarshal(quoted, &at) == nil
}

// scalar reads a text, a number, a boolean or null.
func (r *reader) scalar(field string, as use) (any, error) {
	token, err := r.in.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case '"':
		return textOf(token.String(), field, as)
	case '0':
		digits := token.String()
		number, err := strconv.ParseFloat(digits, 64)
		if err != nil || len(digits) > maxNumber {
			return nil, refused(field, "may not have a number of so many digits")
		}
		// 5.0 is an integer too.
		return number, nil
	case 't', 'f':
		return token.Bool(), nil
	}
	return nil, nil
}

// textOf returns a text as it is read.
func textOf(text, field string, as use) (any, error) {
	trimmed := strings.TrimSpace(text)
	switch {
	case strings.ContainsFunc(text, IsForbidden):
		return nil, refused(field, "may not have control characters")
	case trimmed != "" && !content.IsVisible(trimmed):
		return nil, refused(field, "must have a character that can be seen")
	case as == label && strings.ContainsFunc(text, content.TurnsDirection):
		return nil, refused(field, "must be without characters that embed, override or isolate a direction of writing")
	case as == verbatim:
		return text, nil
	default:
		return trimmed, nil
	}
}

// IsForbidden reports whether a character is in no text of a request: it controls a terminal, a log or a page.
func IsForbidden(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }

// standIn returns a value that fails a schema as an object or array does.
func standIn(schema *huma.Schema, kind jsontext.Kind) any {
	switch {
	case schema != nil && schema.Type == huma.TypeBoolean:
		return 0.
	case schema != nil && schema.Type != huma.TypeObject && schema.Type != huma.TypeArray:
		return true
	case kind == '{':
		return map[string]any{}
	}
	return []any{}
}

func (r *reader) object(schema *huma.Schema, field string) (any, error) {
	if err := r.skipToken(); err != nil {
		return nil, err
	}
	closed, isBool := schema.AdditionalProperties.(bool)
	reportUnknown := isBool && !closed
	object, seen, unknown := map[string]any{}, map[string]bool{}, 0
	for r.in.PeekKind() != '}' {
		token, err := r.in.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		property := schema.Properties[name]
		if property == nil && (r.in.PeekKind() == 'n' || !reportUnknown || unknown == maxUnknown) {
			if err := r.in.SkipValue(); err != nil {
				return nil, err
			}
			continue
		}
		if property == nil {
			unknown++
			name = shortened(name)
		}
		if seen[name] {
			return nil, refused(problem.Join(field, name), "must not come twice")
		}
		seen[name] = true
		if err := r.member(object, property, field, name); err != nil {
			return nil, err
		}
	}
	return object, r.skipToken()
}

// member reads the value of a member of an object. The property is nil for an unknown one.
func (r *reader) member(object map[string]any, property *huma.Schema, field, name string) (err error) {
	switch {
	case property == nil:
		object[name], err = 0., r.in.SkipValue()
	case r.in.PeekKind() == 'n' && !property.Nullable:
		err = r.in.SkipValue()
	default:
		object[name], err = r.value(property, problem.Join(field, name), uses[name])
	}
	return err
}

func (r *reader) array(schema *huma.Schema, field string, as use) (any, error) {
	if err := r.skipToken(); err != nil {
		return nil, err
	}
	array := []any{}
	for r.in.PeekKind() != ']' {
		if schema.MaxItems != nil && len(array) > *schema.MaxItems {
			if err := r.in.SkipValue(); err != nil {
				return nil, err
			}
			continue
		}
		item, err := r.value(schema.Items, field+"["+strconv.Itoa(len(array))+"]", as)
		if err != nil {
			return nil, err
		}
		array = append(array, item)
	}
	return array, r.skipToken()
}

// skipToken reads the token that begins or ends an object or array.
func (r *reader) skipToken() error {
	_, err := r.in.ReadToken()
	return err
}

// errSecondValue means that a value follows the first one.
var errSecondValue = errors.New("there is more than one value")

// end returns an error if anything follows.
func (r *reader) end() error {
	_, err := r.in.ReadToken()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		err = errSecondValue
	}
	return err
}

// shortened returns a name without what is too much for a report.
func shortened(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:maxName], "") + "..."
}

func refused(field, message string) *problem.APIError {
	return problem.Invalid(problem.ErrorDetail{Field: field, Message: message})
}
