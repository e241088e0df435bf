package credential

import (
	"fmt"
	"io"
	"log/slog"
)

// String returns the type and the id, which are not secret and name the object behind the credential.
func (c Credential) String() string {
	return prefix + string(c.Type) + "_" + c.ID + "_***"
}

// GoString is String, so that %#v shows no secret.
func (c Credential) GoString() string { return c.String() }

// Format is String for every verb: fmt asks neither Stringer nor GoStringer for verbs such as %d.
func (c Credential) Format(s fmt.State, _ rune) {
	// As in fmt itself, there is nowhere to report a failed write.
	_, _ = io.WriteString(s, c.String())
}

// LogValue is String, for slog.
func (c Credential) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalText is String, for encoders such as JSON. It cannot be parsed.
func (c Credential) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
