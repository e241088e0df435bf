package v1alpha1

import (
	"encoding/json"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
)

// UnreadableTime stands for what is stored and cannot be read. It is past and not zero, so that what has an end has ended. What must not
// begin early asks Unreadable.
var UnreadableTime = time.Unix(0, 0).UTC()

// Time is a moment that people write, with whole seconds. Unlike metav1.Time, it reads everything that its schema accepts, and whatever
// else an older version or a restore has stored, because one object that cannot be decoded stops the list of all objects of its kind.
//
// +kubebuilder:validation:Type=string
// +kubebuilder:validation:Format=date-time
// +kubebuilder:validation:MaxLength=64
// +kubebuilder:validation:XValidation:rule="self >= timestamp('0001-01-01T00:00:00Z') && self <= timestamp('9999-12-31T23:59:59.999999999Z')",message="must be a time such as 2026-12-01T09:00:00Z (RFC 3339, with a capital T and Z), from the year 0001 to 9999 in UTC"
type Time struct {
	time.Time `json:"-"`

	// Unread is the JSON that is stored, if it cannot be read. Time is UnreadableTime then.
	Unread string `json:"-"`
}

// MicroTime is a moment that programs write, with microseconds. It reads everything that its schema accepts, as Time does.
//
// +kubebuilder:validation:Type=string
// +kubebuilder:validation:Format=date-time
type MicroTime struct {
	time.Time `json:"-"`

	// Unread is the JSON that is stored, if it cannot be read. Time is UnreadableTime then.
	Unread string `json:"-"`
}

// The layouts of what is written. What is read may have any fraction of a second.
const (
	secondsLayout = "2006-01-02T15:04:05Z"
	microsLayout  = "2006-01-02T15:04:05.000000Z"
)

func init() { //nolint:gochecknoinits // Programs that compare objects of this package must compare their times.
	// Semantic compares no unexported fields, which time.Time has.
	utilruntime.Must(equality.Semantic.AddFuncs(
		func(a, b Time) bool { return a.Equal(&b) },
		func(a, b MicroTime) bool { return a.Equal(&b) },
	))
}

// NewTime returns a Time.
func NewTime(t time.Time) Time { return Time{Time: t} }

// NewMicroTime returns a MicroTime.
func NewMicroTime(t time.Time) MicroTime { return MicroTime{Time: t} }

// Unreadable reports whether what is stored cannot be read as a time.
func (t *Time) Unreadable() bool { return t != nil && t.Unread != "" }

// Unreadable reports whether what is stored cannot be read as a time.
func (t *MicroTime) Unreadable() bool { return t != nil && t.Unread != "" }

// IsZero reports whether there is no time.
func (t *Time) IsZero() bool { return t == nil || t.Time.IsZero() }

// IsZero reports whether there is no time.
func (t *MicroTime) IsZero() bool { return t == nil || t.Time.IsZero() }

// Equal reports whether two times are the same moment, or the same text if they cannot be read.
func (t *Time) Equal(u *Time) bool {
	return t == u || t != nil && u != nil && t.Time.Equal(u.Time) && t.Unread == u.Unread
}

// Equal reports whether two times are the same moment, or the same text if they cannot be read.
func (t *MicroTime) Equal(u *MicroTime) bool {
	return t == u || t != nil && u != nil && t.Time.Equal(u.Time) && t.Unread == u.Unread
}

// DeepCopyInto copies a time.
func (t *Time) DeepCopyInto(out *Time) { *out = *t }

// DeepCopyInto copies a time.
func (t *MicroTime) DeepCopyInto(out *MicroTime) { *out = *t }

// UnmarshalJSON never fails.
func (t *Time) UnmarshalJSON(data []byte) error {
	t.Time, t.Unread = read(data)
	return nil
}

// UnmarshalJSON never fails.
func (t *MicroTime) UnmarshalJSON(data []byte) error {
	t.Time, t.Unread = read(data)
	return nil
}

// MarshalJSON writes what was read, if it could not be read: a program that changes another field says nothing about this one.
func (t Time) MarshalJSON() ([]byte, error) { return write(t.Time, t.Unread, secondsLayout) }

// MarshalJSON writes what was read, if it could not be read.
func (t MicroTime) MarshalJSON() ([]byte, error) { return write(t.Time, t.Unread, microsLayout) }

// read returns a time, which is zero for null, or the JSON that cannot be read. RFC 3339 has the letters T and Z in lower case, too
// (section 5.6).
func read(data []byte) (time.Time, string) {
	if string(data) == "null" {
		return time.Time{}, ""
	}
	var text string
	if err := json.Unmarshal(data, &text); err != nil {
		return UnreadableTime, string(data)
	}
	t, err := time.Parse(time.RFC3339, strings.ToUpper(text))
	if year := t.UTC().Year(); err != nil || year < 1 || year > 9999 {
		return UnreadableTime, string(data)
	}
	return t.Local(), ""
}

func write(t time.Time, unread, layout string) ([]byte, error) {
	switch {
	case unread != "":
		return []byte(unread), nil
	case t.IsZero():
		return []byte("null"), nil
	default:
		return json.Marshal(t.UTC().Format(layout))
	}
}
