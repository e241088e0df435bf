// Package credential makes and reads the secrets that open the REST API: pr_<type>_<id>_<secret><crc32>. The id names the object behind a
// credential and the installation that made it, the checksum refuses junk without a look-up, and only the SHA-256 of the secret is stored
// (docs/contributing/design.md, Credentials).
package credential

import (
	"cmp"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
)

// Type is the kind of a credential.
type Type string

// The types of credentials.
const (
	// APIKey is a customer's key.
	APIKey Type = "ak"
	// AccessToken is the token that an OAuth client got for an authorization code.
	AccessToken Type = "at"
	// AuthorizationCode is given after a consent, and exchanged once.
	AuthorizationCode Type = "ac"
	// ClientSecret is the password of an OAuth client.
	ClientSecret Type = "cs"
)

// types are all that Parse knows.
var types = []Type{APIKey, AccessToken, AuthorizationCode, ClientSecret}

// The form of a credential: all parts have a fixed length, so that every credential is Length characters long.
const (
	prefix = "pr_"

	idBytes      = 10 // 16 characters of base32, of which the code of the installation replaces two
	idLength     = 16
	secretBytes  = 32
	secretLength = 43
	sumLength    = 6

	idStart     = len(prefix) + len("ak_")
	secretStart = idStart + idLength + len("_")
	sumStart    = secretStart + secretLength

	// Length is the number of characters of every credential.
	Length = sumStart + sumLength
)

// ErrMalformed is the only error of Parse. It never contains what was parsed.
var ErrMalformed = errors.New("malformed credential")

// idEncoding is RFC 4648 base32 in lower case: its names are DNS labels, so that an id can name an object.
var idEncoding = base32.NewEncoding(base32Digits).WithPadding(base32.NoPadding)

// Credential is a parsed credential. Printing it in any way never shows its secret; Reveal does.
type Credential struct {
	// Type says what it is for.
	Type Type
	// ID names the object behind it, in 16 characters of lower-case base32.
	ID string

	// secret is behind a pointer, because fmt prints unexported fields of a struct within a struct without asking
	// their Stringer, but never follows a pointer there.
	secret *string
}

// Cell is the code of an installation: two characters of lower-case base32. The id of each credential that the installation makes begins
// with it, so that a proxy in front of several installations can tell whose credential a request has. "" means DefaultCell. Cell is a
// flag.Value.
type Cell string

// DefaultCell is the code of an installation that was given no other.
const DefaultCell Cell = "aa"

// String returns the code.
func (c *Cell) String() string { return string(cmp.Or(*c, DefaultCell)) }

// Set checks a code, and sets it.
func (c *Cell) Set(s string) error {
	if len(s) != len(DefaultCell) || !consistsOf(s, base32Digits) {
		return errors.New("must be two characters of a-z and 2-7")
	}
	*c = Cell(s)
	return nil
}

// Type is what the help calls the value.
func (c *Cell) Type() string { return "code" }

// id returns the id that these bytes make in the installation.
func (c Cell) id(raw []byte) string {
	return c.String() + idEncoding.EncodeToString(raw)[len(DefaultCell):]
}

// New makes a credential of a type with a fresh id and secret. random is crypto/rand.Reader, except in tests.
func New(t Type, cell Cell, random io.Reader) (Credential, error) {
	var raw [idBytes + secretBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return Credential{}, fmt.Errorf("reading random bytes: %w", err)
	}
	return Credential{
		Type:   t,
		ID:     cell.id(raw[:idBytes]),
		secret: new(encodeSecret(raw[idBytes:])),
	}, nil
}

// NewNamed is New with an id that is a function of a name: of two credentials that are made under one name, only one can be stored. With an
// empty name, the id is random.
func NewNamed(t Type, cell Cell, name string, random io.Reader) (Credential, error) {
	c, err := New(t, cell, random)
	if err != nil || name == "" {
		return c, err
	}
	sum := sha256.Sum256([]byte(name))
	c.ID = cell.id(sum[:idBytes])
	return c, nil
}

// Parse reads a credential, as Reveal returns it. Anything else is ErrMalformed. Text that is wrong in anything but its checksum
// is refused without an allocation.
func Parse(s string) (Credential, error) {
	if len(s) != Length || s[:len(prefix)] != prefix || s[idStart-1] != '_' || s[secretStart-1] != '_' {
		return Credential{}, ErrMalformed
	}
	t := Type(s[len(prefix) : idStart-1])
	id, secret, sum := s[idStart:secretStart-1], s[secretStart:sumStart], s[sumStart:]
	if !slices.Contains(types, t) || !consistsOf(id, base32Digits) || !consistsOf(secret, base62Digits) {
		return Credential{}, ErrMalformed
	}
	if want := checksum(s[:sumStart]); string(want[:]) != sum {
		return Credential{}, ErrMalformed
	}
	return Credential{Type: t, ID: id, secret: new(secret)}, nil
}

// IsID reports whether s has the form of the id of a credential.
func IsID(s string) bool {
	return len(s) == idLength && consistsOf(s, base32Digits)
}

// Reveal returns the whole credential. Anyone who holds it is let in: show it once, and neither log nor store it.
func (c Credential) Reveal() string {
	if c.secret == nil {
		return ""
	}
	body := prefix + string(c.Type) + "_" + c.ID + "_" + *c.secret
	sum := checksum(body)
	return body + string(sum[:])
}

// Hash returns the lower-case hex SHA-256 of the secret part as it is written. It is stored in place of the secret.
func (c Credential) Hash() string {
	sum := c.sum()
	return hex.EncodeToString(sum[:])
}

// Matches reports whether hash is the credential's, in a time that does not depend on where the two differ. Nothing matches the
// empty hash, and comparing with it takes as long: pass it if the object behind the credential does not exist.
func (c Credential) Matches(hash string) bool {
	known := hash != "" && c.secret != nil
	if !known {
		hash = dummyHash
	}
	sum := c.sum()
	var own [hashLength]byte
	hex.Encode(own[:], sum[:])
	return subtle.ConstantTimeCompare(own[:], []byte(hash)) == 1 && known
}

// hashLength is the number of characters of a hash.
const hashLength = 2 * sha256.Size

// dummyHash takes as long to compare with as a real one.
var dummyHash = strings.Repeat("0", hashLength)

func (c Credential) sum() [sha256.Size]byte {
	if c.secret == nil {
		return [sha256.Size]byte{}
	}
	return sha256.Sum256([]byte(*c.secret))
}

// String returns the type and the id, which are not secret and name the object behind the credential.
func (c Credential) String() string {
	return prefix + string(c.Type) + "_" + c.ID + "_***"
}

// Format is String for every verb, %#v and %d too.
func (c Credential) Format(s fmt.State, _ rune) {
	// As in fmt itself, there is nowhere to report a failed write.
	_, _ = io.WriteString(s, c.String())
}

// LogValue is String, for slog.
func (c Credential) LogValue() slog.Value { return slog.StringValue(c.String()) }

// MarshalText is String, for encoders such as JSON. It cannot be parsed.
func (c Credential) MarshalText() ([]byte, error) { return []byte(c.String()), nil }
