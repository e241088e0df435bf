package seal

import (
	"bytes"
	"encoding/gob"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"k8s.io/utils/clock"
)

// Sealer is a Keys or a KeyFile.
type Sealer interface {
	Seal(purpose string, text []byte) (string, error)
	// Open returns ErrInvalid if a text was not sealed here for this purpose.
	Open(purpose, sealed string) ([]byte, error)
}

// Cookies are values that a browser carries sealed, each for its time.
type Cookies struct {
	Keys  Sealer
	Clock clock.PassiveClock
}

// Cookie is the name and the size of a value.
type Cookie struct {
	// Name begins with __Host-. That makes browsers insist on Secure, on the path / and on no Domain, so that no neighbouring host
	// can set it.
	Name string
	// Pieces is how many cookies the value may take, at least 1. The first one has the name itself, the others a number too.
	Pieces int
}

// maxPiece bounds the name and the value of one cookie, in characters. Browsers drop cookies over 4096, and some count the
// attributes too.
const maxPiece = 3800

// ErrTooLarge means that a value does not fit into the pieces of its cookie.
var ErrTooLarge = errors.New("more than the browser can carry")

// piece is the name of the i-th piece.
func (c Cookie) piece(i int) string {
	if i == 0 {
		return c.Name
	}
	return c.Name + "-" + strconv.Itoa(i)
}

// Set lets the browser carry a value for a time. It replaces the value before. If the value is too large, nothing is set.
func (s Cookies) Set(w http.ResponseWriter, c Cookie, value any, life time.Duration) error {
	var text bytes.Buffer
	// Not JSON: it would turn bytes that are not text into base64, and sealing does that once more.
	out := gob.NewEncoder(&text)
	// The end is sealed too, because a browser may keep a cookie for longer.
	if err := errors.Join(out.Encode(s.Clock.Now().Add(life).UTC()), out.Encode(value)); err != nil {
		return fmt.Errorf("writing the cookie %s: %w", c.Name, err)
	}
	sealed, err := s.Keys.Seal(c.Name, text.Bytes())
	if err != nil {
		return fmt.Errorf("sealing the cookie %s: %w", c.Name, err)
	}
	pieces := slices.Collect(slices.Chunk([]byte(sealed), maxPiece-len(c.piece(c.Pieces))))
	if len(pieces) > c.Pieces {
		return fmt.Errorf("the cookie %s: %w", c.Name, ErrTooLarge)
	}
	for i, piece := range pieces {
		set(w, c.piece(i), string(piece), int(life/time.Second))
	}
	for i := len(pieces); i < c.Pieces; i++ {
		remove(w, c.piece(i))
	}
	return nil
}

// Read decodes a value that Set has sealed, and reports whether there is one that has not expired.
func (s Cookies) Read(r *http.Request, c Cookie, into any) bool {
	var sealed strings.Builder
	for i := range c.Pieces {
		found := r.CookiesNamed(c.piece(i))
		if len(found) > 1 {
			// Duplicate names mean that another host injected one.
			return false
		}
		if len(found) == 0 {
			break
		}
		sealed.WriteString(found[0].Value)
	}
	text, err := s.Keys.Open(c.Name, sealed.String())
	if err != nil {
		return false
	}
	in := gob.NewDecoder(bytes.NewReader(text))
	var expires time.Time
	if err := in.Decode(&expires); err != nil {
		return false
	}
	return s.Clock.Now().Before(expires) && in.Decode(into) == nil
}

// Remove takes a cookie from the browser, with all its pieces.
func (s Cookies) Remove(w http.ResponseWriter, c Cookie) {
	for i := range c.Pieces {
		remove(w, c.piece(i))
	}
}

func remove(w http.ResponseWriter, name string) { set(w, name, "", -1) }

func set(w http.ResponseWriter, name, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: maxAge, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
