// Package credential makes and reads the secrets that open the REST API: pr_<type>_<id>_<secret><crc32> (design,
// section 4). The id names the object that stands behind a credential, the checksum refuses junk without a look-up, and
// only the SHA-256 of the secret is ever stored.
package credential

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// Type says what a credential is for.
type Type string

// The types of credentials.
const (
	// APIKey is a customer's key.
	APIKey Type = "ak"
	// AccessToken is what a registered app got for an authorization code.
	AccessToken Type = "at"
	// AuthorizationCode is what a consent gives, to be exchanged once.
	AuthorizationCode Type = "ac"
	// ClientSecret is the password of a registered app.
	ClientSecret Type = "cs"
)

// The form of a credential: all parts have a fixed length, so that every credential is Length characters long.
const (
	prefix = "pr_"

	idBytes      = 10 // 16 characters of base32
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

// ErrMalformed is the one error of Parse. It says nothing of what it was given.
var ErrMalformed = errors.New("malformed credential")

// idEncoding is RFC 4648 base32 in lower case: its names are DNS labels, so that an id can name an object.
var idEncoding = base32.NewEncoding(base32Digits).WithPadding(base32.NoPadding)

// Credential is a parsed credential. Printing it in any way never shows its secret; Reveal does.
type Credential struct {
	// Type says what it is for.
	Type Type
	// ID names the object behind it: 16 characters of lower-case base32.
	ID string

	// secret is behind a pointer, because fmt prints unexported fields of a struct within a struct without asking
	// their Stringer, but never follows a pointer there.
	secret *string
}

// New makes a credential of a type with a fresh id and secret. random is crypto/rand.Reader, but in tests.
func New(t Type, random io.Reader) (Credential, error) {
	var raw [idBytes + secretBytes]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return Credential{}, fmt.Errorf("reading random bytes: %w", err)
	}
	return Credential{
		Type:   t,
		ID:     idEncoding.EncodeToString(raw[:idBytes]),
		secret: new(encodeSecret(raw[idBytes:])),
	}, nil
}

// Parse reads a credential. What is not exactly what Reveal gave once is ErrMalformed; telling so allocates nothing.
func Parse(s string) (Credential, error) {
	if len(s) != Length || s[:len(prefix)] != prefix || s[idStart-1] != '_' || s[secretStart-1] != '_' {
		return Credential{}, ErrMalformed
	}
	t := Type(s[len(prefix) : idStart-1])
	id, secret, sum := s[idStart:secretStart-1], s[secretStart:sumStart], s[sumStart:]
	if !t.known() || !consistsOf(id, &isBase32) || !consistsOf(secret, &isBase62) {
		return Credential{}, ErrMalformed
	}
	if want := checksum(s[:sumStart]); string(want[:]) != sum {
		return Credential{}, ErrMalformed
	}
	return Credential{Type: t, ID: id, secret: new(secret)}, nil
}

// IsID reports whether s has the form of the id of a credential.
func IsID(s string) bool {
	return len(s) == idLength && consistsOf(s, &isBase32)
}

// Reveal returns the whole credential. Whoever holds it is let in: show it once, and neither log nor store it.
func (c Credential) Reveal() string {
	if c.secret == nil {
		return ""
	}
	body := prefix + string(c.Type) + "_" + c.ID + "_" + *c.secret
	sum := checksum(body)
	return body + string(sum[:])
}

// Hash returns the lower-case hex SHA-256 of the secret part as it is written: what is stored in place of it.
func (c Credential) Hash() string {
	sum := c.sum()
	return hex.EncodeToString(sum[:])
}

// Matches reports whether hash is the credential's, in a time that does not depend on where the two differ.
func (c Credential) Matches(hash string) bool {
	sum := c.sum()
	var own [2 * sha256.Size]byte
	hex.Encode(own[:], sum[:])
	return subtle.ConstantTimeCompare(own[:], []byte(hash)) == 1
}

func (c Credential) sum() [sha256.Size]byte {
	if c.secret == nil {
		return [sha256.Size]byte{}
	}
	return sha256.Sum256([]byte(*c.secret))
}

func (t Type) known() bool {
	switch t {
	case APIKey, AccessToken, AuthorizationCode, ClientSecret:
		return true
	default:
		return false
	}
}
