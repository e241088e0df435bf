package session

import (
	"bytes"
	"crypto/rand"
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

const (
	// CookieName of the session. __Host- makes browsers insist on Secure, on the path / and on no Domain, so that no
	// neighbouring host can set it.
	CookieName = "__Host-pressroom-session"
	// Life of a session. It does not grow by use.
	Life = 8 * time.Hour
)

var cookie = Cookie{Name: CookieName, Pieces: 1}

// Session says who has signed in, and how. What they may do is asked anew for each request, so that a right that was taken
// away is gone at once.
type Session struct {
	// ID tells sessions apart; forms are bound to it.
	ID string
	// KeyID is the id of the API key that was signed in with; empty for OIDC.
	KeyID string
	// Issuer, Email and Groups are what the OIDC issuer has vouched for. Groups holds those alone that accounts name.
	Issuer string
	Email  string
	Groups []string
	// Account that a person who is a member has chosen; empty as long as they have not.
	Account string
	// Expires is when the session is over.
	Expires time.Time
}

// Sealer is what Keys and a KeyFile do.
type Sealer interface {
	Seal(purpose string, text []byte) (string, error)
	// Open returns ErrSealed where a text was not sealed here for this purpose.
	Open(purpose, sealed string) ([]byte, error)
}

// Store puts sessions into cookies and reads them from there.
type Store struct {
	Keys  Sealer
	Clock clock.PassiveClock
}

// Start signs in: it gives the session a fresh id and its end, and sets the cookie.
func (s Store) Start(w http.ResponseWriter, session Session) error {
	session.Expires = s.Clock.Now().Add(Life).UTC()
	return s.Change(w, session)
}

// Change replaces what a session says. Its end stays; its id does not, so that no form that was made for what it said before
// is worth anything.
func (s Store) Change(w http.ResponseWriter, session Session) error {
	session.ID = rand.Text()
	return s.Carry(w, cookie, session, session.Expires.Sub(s.Clock.Now()))
}

// Read returns the session of a request, and false where there is none that is valid.
func (s Store) Read(r *http.Request) (Session, bool) {
	var session Session
	ok := s.Carried(r, cookie, &session)
	return session, ok
}

// End signs out: it takes the cookie away.
func (s Store) End(w http.ResponseWriter) { s.Drop(w, cookie) }

// Cookie is what a browser carries for us.
type Cookie struct {
	// Name begins with __Host-.
	Name string
	// Pieces are how many cookies it may take, 1 or more. The first one has the name itself, those after it a number too.
	Pieces int
}

// maxPiece bounds the name and the value of one cookie, in characters. Browsers drop cookies over 4096, which some count
// with all that stands beside the value.
const maxPiece = 3800

// ErrTooLarge says that a value takes more than its cookie's pieces.
var ErrTooLarge = errors.New("more than the browser can carry")

// piece is the name of the i-th piece.
func (c Cookie) piece(i int) string {
	if i == 0 {
		return c.Name
	}
	return c.Name + "-" + strconv.Itoa(i)
}

// Carry lets the browser carry a value for a time, in place of what it has carried under the name. Nothing is set where
// the value is too large.
func (s Store) Carry(w http.ResponseWriter, c Cookie, value any, life time.Duration) error {
	var text bytes.Buffer
	// Not JSON: bytes that are no text would become base64 in it, and once more by being sealed.
	out := gob.NewEncoder(&text)
	// That it ends is not left to the browser.
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
		drop(w, c.piece(i))
	}
	return nil
}

// Carried reads what Carry has sealed, as long as its time is not over.
func (s Store) Carried(r *http.Request, c Cookie, into any) bool {
	var sealed strings.Builder
	for i := range c.Pieces {
		found := r.CookiesNamed(c.piece(i))
		if len(found) > 1 {
			// Two cookies of one name come of somebody else's doing.
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

// Drop takes a cookie away, with all its pieces.
func (s Store) Drop(w http.ResponseWriter, c Cookie) {
	for i := range c.Pieces {
		drop(w, c.piece(i))
	}
}

func drop(w http.ResponseWriter, name string) { set(w, name, "", -1) }

func set(w http.ResponseWriter, name, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: maxAge, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}
