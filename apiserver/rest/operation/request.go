package operation

import (
	"bytes"
	"context"
	"encoding"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// bodyField is the field of an input or output that is the body.
const bodyField = "Body"

// newRequest returns the request that the framework reads as an input. A parameter of the query or a header field that has its zero value
// is left out, and so is a body that is nil.
func newRequest(ctx context.Context, method, path string, in reflect.Value) (*http.Request, error) {
	w := requestWriter{path: path, query: url.Values{}, header: http.Header{}, body: http.NoBody}
	if err := eachField(in, w.write); err != nil {
		return nil, err
	}
	if len(w.query) > 0 {
		w.path += "?" + w.query.Encode()
	}
	q, err := http.NewRequestWithContext(ctx, method, w.path, w.body)
	if err != nil {
		return nil, err
	}
	q.Header = w.header
	return q, nil
}

// eachField calls do for each field of an input or output, with those of embedded structs, even if one has the name of its struct.
func eachField(v reflect.Value, do func(reflect.StructField, reflect.Value) error) error {
	for i := range v.NumField() {
		f, err := v.Type().Field(i), error(nil)
		switch {
		case !f.IsExported():
		case f.Anonymous:
			err = eachField(v.Field(i), do)
		default:
			err = do(f, v.Field(i))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// requestWriter has the parts of a request.
type requestWriter struct {
	path   string
	query  url.Values
	header http.Header
	body   io.Reader
}

// write adds a field of an input.
func (w *requestWriter) write(f reflect.StructField, value reflect.Value) error {
	if f.Name == bodyField {
		data, err := writeBody(value)
		if data != nil {
			w.header.Set("Content-Type", problem.ContentType)
			w.body = bytes.NewReader(data)
		}
		return err
	}
	if name := f.Tag.Get("path"); name != "" {
		text, err := textOf(f, value)
		w.path = strings.Replace(w.path, "{"+name+"}", url.PathEscape(text), 1)
		return err
	}
	texts, err := textsOf(f, value)
	if err != nil || len(texts) == 0 {
		return err
	}
	if name, _, _ := strings.Cut(f.Tag.Get("query"), ","); name != "" {
		w.query[name] = texts
	} else if name := f.Tag.Get("header"); name != "" {
		w.header[http.CanonicalHeaderKey(name)] = texts
	}
	return nil
}

// writeBody returns a body as JSON; nil if it is a nil pointer.
func writeBody(body reflect.Value) ([]byte, error) {
	if body.Kind() == reflect.Pointer && body.IsNil() {
		return nil, nil
	}
	data, err := json.Marshal(body.Interface())
	if err != nil {
		return nil, fmt.Errorf("writing the body: %w", err)
	}
	return data, nil
}

// textsOf returns the value of a parameter or header field as the framework reads it; none if it is the zero value. A list is one text with
// commas, or a text for each item if its tag has explode.
func textsOf(f reflect.StructField, value reflect.Value) ([]string, error) {
	if value.IsZero() {
		return nil, nil
	}
	if value.Kind() != reflect.Slice {
		text, err := textOf(f, value)
		return []string{text}, err
	}
	texts := make([]string, value.Len())
	for i := range texts {
		var err error
		if texts[i], err = textOf(f, value.Index(i)); err != nil {
			return nil, err
		}
	}
	if _, options, _ := strings.Cut(f.Tag.Get("query"), ","); options != "explode" && len(texts) > 0 {
		texts = []string{strings.Join(texts, ",")}
	}
	return texts, nil
}

func textOf(f reflect.StructField, value reflect.Value) (string, error) {
	if at, ok := reflect.TypeAssert[time.Time](value); ok {
		return at.Format(timeFormat(f)), nil
	}
	if m, ok := reflect.TypeAssert[encoding.TextMarshaler](value); ok {
		text, err := m.MarshalText()
		return string(text), err
	}
	switch kind := value.Kind(); {
	case kind == reflect.Pointer:
		return textOf(f, value.Elem())
	case kind == reflect.String:
		return value.String(), nil
	case value.CanInt(), value.CanUint(), value.CanFloat(), kind == reflect.Bool:
		return fmt.Sprint(value.Interface()), nil
	default:
		return "", fmt.Errorf("the field %s has a type that no parameter has: %s", f.Name, f.Type)
	}
}

// timeFormat is the format in which the framework reads a time.
func timeFormat(f reflect.StructField) string {
	switch {
	case f.Tag.Get("timeFormat") != "":
		return f.Tag.Get("timeFormat")
	case f.Tag.Get("header") != "":
		return http.TimeFormat
	default:
		return time.RFC3339Nano
	}
}
