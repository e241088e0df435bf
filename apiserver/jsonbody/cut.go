package jsonbody

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

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

// cutter copies a valid JSON value without what its schema cannot hold:
//   - of an array, the items up to the first that is too many;
//   - of an object, the known members and the first unknown ones, without their values;
//   - of an object or array where the schema has another type, a value that fails in the same way.
//
// So validation reports what it would report of the whole value, and its cost has a bound. It also never compares objects of an
// array whose items must be unique, which it cannot.
type cutter struct {
	schemas huma.Registry
	data    []byte
	// at is the next byte of data.
	at  int
	out bytes.Buffer
}

// value copies the next value. field is its name in a report.
func (c *cutter) value(schema *huma.Schema, field string) *problem.APIError {
	for schema != nil && schema.Ref != "" {
		schema = c.schemas.SchemaFromRef(schema.Ref)
	}
	c.blanks()
	begin := c.data[c.at]
	switch {
	case begin == '{' && schema != nil && schema.Type == huma.TypeObject:
		return c.object(schema, field)
	case begin == '[' && schema != nil && schema.Type == huma.TypeArray:
		return c.array(schema, field)
	case begin == '{' || begin == '[':
		c.skip()
		c.out.WriteString(standIn(schema, begin))
		return nil
	}
	scalar := c.skip()
	if begin != '"' && len(scalar) > maxNumber {
		return problem.Invalid(problem.Detail{Field: field, Message: "may not have a number of so many digits"})
	}
	c.out.Write(scalar)
	return nil
}

// standIn returns a value that fails a schema as an object or array does.
func standIn(schema *huma.Schema, begin byte) string {
	switch {
	case schema != nil && schema.Type == huma.TypeBoolean:
		return "0"
	case schema != nil && schema.Type != huma.TypeObject && schema.Type != huma.TypeArray:
		return "true"
	case begin == '{':
		return "{}"
	}
	return "[]"
}

func (c *cutter) object(schema *huma.Schema, field string) *problem.APIError {
	closed, isBool := schema.AdditionalProperties.(bool)
	reportUnknown := isBool && !closed
	seen, unknown, separator := map[string]bool{}, 0, "{"
	for c.next('}') {
		name, err := c.name()
		if err != nil {
			return err
		}
		property, known := schema.Properties[name]
		if !known {
			// null is the same as absent.
			if absent := string(c.skip()) == "null"; absent || !reportUnknown || unknown == maxUnknown {
				continue
			}
			unknown++
			name = shortened(name)
		}
		if seen[name] {
			return problem.Twice(join(field, name))
		}
		seen[name] = true
		c.out.WriteString(separator)
		separator = ","
		c.quote(name)
		c.out.WriteByte(':')
		if !known {
			c.out.WriteByte('0')
			continue
		}
		if err := c.value(property, join(field, name)); err != nil {
			return err
		}
	}
	if separator == "{" {
		c.out.WriteByte('{')
	}
	c.out.WriteByte('}')
	return nil
}

func (c *cutter) array(schema *huma.Schema, field string) *problem.APIError {
	c.out.WriteByte('[')
	for n := 0; c.next(']'); n++ {
		if schema.MaxItems != nil && n > *schema.MaxItems {
			c.skip()
			continue
		}
		if n > 0 {
			c.out.WriteByte(',')
		}
		if err := c.value(schema.Items, field+"["+strconv.Itoa(n)+"]"); err != nil {
			return err
		}
	}
	c.out.WriteByte(']')
	return nil
}

// next goes to the next member or item of the object or array at hand, and reports whether there is one before its end.
func (c *cutter) next(end byte) bool {
	c.blanks()
	if c.data[c.at] != end {
		// It begins with a bracket, and every further one with a comma.
		c.at++
		c.blanks()
	}
	if c.data[c.at] == end {
		c.at++
		return false
	}
	return true
}

// name reads the name of a member and the colon after it.
func (c *cutter) name() (string, *problem.APIError) {
	var name string
	if err := json.Unmarshal(c.skip(), &name); err != nil {
		return "", invalid("must be valid JSON: " + err.Error())
	}
	c.blanks()
	c.at++
	return name, nil
}

// skip goes behind the next value, and returns it.
func (c *cutter) skip() []byte {
	c.blanks()
	begin, depth := c.at, 0
	for {
		switch c.data[c.at] {
		case '"':
			c.endOfText()
		case '{', '[':
			depth++
			c.at++
		case '}', ']':
			depth--
			c.at++
		case ',', ':', ' ', '\t', '\r', '\n':
			c.at++
		default:
			for c.at < len(c.data) && !endsScalar(c.data[c.at]) {
				c.at++
			}
		}
		if depth == 0 {
			return c.data[begin:c.at]
		}
	}
}

// endOfText goes behind a text.
func (c *cutter) endOfText() {
	for c.at++; c.data[c.at] != '"'; c.at++ {
		if c.data[c.at] == '\\' {
			c.at++
		}
	}
	c.at++
}

func (c *cutter) blanks() {
	for c.at < len(c.data) && isBlank(c.data[c.at]) {
		c.at++
	}
}

// Both are asked about each byte of a megabyte.

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\r' || b == '\n' }

func endsScalar(b byte) bool { return b == ',' || b == ':' || b == ']' || b == '}' || isBlank(b) }

func (c *cutter) quote(name string) {
	quoted, err := json.Marshal(name)
	if err != nil {
		return // a string can always be encoded
	}
	c.out.Write(quoted)
}

// shortened returns a name without what is too much for a report.
func shortened(name string) string {
	if len(name) <= maxName {
		return name
	}
	return strings.ToValidUTF8(name[:maxName], "") + "..."
}

func join(object, member string) string {
	if object == fieldBody {
		return member
	}
	return object + "." + member
}
