package jsonbody

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

const (
	// maxUnknown bounds the unknown members of an object that are reported.
	maxUnknown = problem.MaxDetails
	// maxName bounds the name of an unknown member in a report, in bytes.
	maxName = 100
	// maxNumber bounds a number, in bytes: it would be repeated in the report of a number that is out of range.
	maxNumber = 40
)

// copier copies a JSON value in one pass, as validation shall see it. Blanks around a text are dropped, and what its schema cannot hold is
// left out:
//   - of an array, the items behind the first that is too many;
//   - of an object, unknown members but the first ones, and the values of those, and a null where the schema has none;
//   - of an object or array where the schema has another type, all but a value that fails in the same way.
//
// So validation reports what it would report of the whole value, and its cost has a bound. It also never compares objects of an
// array whose items must be unique, which it cannot.
type copier struct {
	schemas huma.Registry
	in      *jsontext.Decoder
	out     *jsontext.Encoder
}

// value copies the next value. field is its name in a report. The blanks of a verbatim text have a meaning.
func (c *copier) value(schema *huma.Schema, field string, verbatim bool) error {
	for schema != nil && schema.Ref != "" {
		schema = c.schemas.SchemaFromRef(schema.Ref)
	}
	switch kind := c.in.PeekKind(); {
	case kind == '{' && schema != nil && schema.Type == huma.TypeObject:
		return c.object(schema, field)
	case kind == '[' && schema != nil && schema.Type == huma.TypeArray:
		return c.array(schema, field, verbatim)
	case kind == '{' || kind == '[':
		if err := c.in.SkipValue(); err != nil {
			return err
		}
		return c.out.WriteValue(standIn(schema, kind))
	}
	return c.scalar(field, verbatim)
}

// scalar copies a text, a number, a boolean or null.
func (c *copier) scalar(field string, verbatim bool) error {
	token, err := c.in.ReadToken()
	if err != nil {
		return err
	}
	switch token.Kind() {
	case '"':
		text := token.String()
		// Such a character controls a terminal, a log or a page, and is no part of a text.
		isForbidden := func(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\r' && r != '\t' }
		if strings.ContainsFunc(text, isForbidden) {
			return refused(field, "may not have control characters")
		}
		if !verbatim {
			text = strings.TrimSpace(text)
		}
		token = jsontext.String(text)
	case '0':
		digits := token.String()
		number, err := strconv.ParseFloat(digits, 64)
		if err != nil || len(digits) > maxNumber {
			return refused(field, "may not have a number of so many digits")
		}
		// 5.0 is an integer too.
		token = jsontext.Float(number)
	}
	return c.out.WriteToken(token)
}

// standIn returns a value that fails a schema as an object or array does.
func standIn(schema *huma.Schema, kind jsontext.Kind) jsontext.Value {
	switch {
	case schema != nil && schema.Type == huma.TypeBoolean:
		return jsontext.Value("0")
	case schema != nil && schema.Type != huma.TypeObject && schema.Type != huma.TypeArray:
		return jsontext.Value("true")
	case kind == '{':
		return jsontext.Value("{}")
	}
	return jsontext.Value("[]")
}

func (c *copier) object(schema *huma.Schema, field string) error {
	if err := c.same(); err != nil {
		return err
	}
	closed, isBool := schema.AdditionalProperties.(bool)
	reportUnknown := isBool && !closed
	seen, unknown := map[string]bool{}, 0
	for c.in.PeekKind() != '}' {
		token, err := c.in.ReadToken()
		if err != nil {
			return err
		}
		name := token.String()
		property, known := schema.Properties[name]
		isNull := c.in.PeekKind() == 'n'
		if !known && (isNull || !reportUnknown || unknown == maxUnknown) {
			if err := c.in.SkipValue(); err != nil {
				return err
			}
			continue
		}
		if !known {
			unknown++
			name = shortened(name)
		}
		if seen[name] {
			return refused(problem.Join(field, name), "must not come twice")
		}
		seen[name] = true
		if err := c.member(property, field, name, known && isNull && !property.Nullable); err != nil {
			return err
		}
	}
	return c.same()
}

// member copies the value of a member with its name. The property is nil for an unknown one.
func (c *copier) member(property *huma.Schema, field, name string, absent bool) error {
	if absent {
		return c.in.SkipValue()
	}
	if err := c.out.WriteToken(jsontext.String(name)); err != nil {
		return err
	}
	if property != nil {
		return c.value(property, problem.Join(field, name), name == verbatim)
	}
	if err := c.in.SkipValue(); err != nil {
		return err
	}
	return c.out.WriteToken(jsontext.Int(0))
}

func (c *copier) array(schema *huma.Schema, field string, verbatim bool) error {
	if err := c.same(); err != nil {
		return err
	}
	for n := 0; c.in.PeekKind() != ']'; n++ {
		var err error
		if schema.MaxItems != nil && n > *schema.MaxItems {
			err = c.in.SkipValue()
		} else {
			err = c.value(schema.Items, field+"["+strconv.Itoa(n)+"]", verbatim)
		}
		if err != nil {
			return err
		}
	}
	return c.same()
}

// same copies the next token.
func (c *copier) same() error {
	token, err := c.in.ReadToken()
	if err != nil {
		return err
	}
	return c.out.WriteToken(token)
}

// end returns an error if anything follows.
func (c *copier) end() error {
	_, err := c.in.ReadToken()
	if errors.Is(err, io.EOF) {
		return nil
	}
	if err == nil {
		err = errors.New("there is more than one value")
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
