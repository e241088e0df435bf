// Package patch has the members of a merge patch (RFC 7396): each is absent, null, which clears, or a value.
package patch

import (
	"bytes"
	"encoding/json"
	"reflect"

	"github.com/danielgtaylor/huma/v2"
)

// Member is one member of the body of an update. Its tag in JSON has omitzero.
type Member[T any] struct {
	// Given means that the member is not absent. Value is that of T's zero value if it is null. Neither is a field of a form.
	Given bool `json:"-"`
	Value T    `json:"-"`
	// null is what MarshalJSON writes.
	null bool
}

// Null returns a member that is null.
func Null[T any]() Member[T] { return Member[T]{Given: true, null: true} }

// Of returns a member with a value.
func Of[T any](value T) Member[T] { return Member[T]{Given: true, Value: value} }

// Change gives a field the value of the member, the zero value if it is null. It changes nothing if the member is absent.
func (m Member[T]) Change(field *T) {
	if m.Given {
		*field = m.Value
	}
}

// IsZero reports whether the member is absent.
func (m Member[T]) IsZero() bool { return !m.Given }

// UnmarshalJSON is called for a member that is not absent.
func (m *Member[T]) UnmarshalJSON(data []byte) error {
	m.Given = true
	if m.null = bytes.Equal(data, []byte("null")); m.null {
		return nil
	}
	return json.Unmarshal(data, &m.Value)
}

// MarshalJSON writes the value, or null.
func (m Member[T]) MarshalJSON() ([]byte, error) {
	if m.null {
		return []byte("null"), nil
	}
	return json.Marshal(m.Value)
}

// Schema is that of the value, or null.
func (m Member[T]) Schema(r huma.Registry) *huma.Schema {
	s := *r.Schema(reflect.TypeFor[T](), true, "")
	s.Nullable = true
	return &s
}
