package session

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"net/http"
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

// Session says who has signed in, and how. What they may do is asked anew for each request, so that a right that was taken
// away is gone at once.
type Session struct {
	// ID tells sessions apart; forms are bound to it.
	ID string `json:"id"`
	// KeyID is the id of the API key that was signed in with; empty for OIDC.
	KeyID string `json:"key,omitempty"`
	// Issuer, Email and Groups are what the OIDC issuer has vouched for. Groups holds those alone that accounts name.
	Issuer string   `json:"iss,omitempty"`
	Email  string   `json:"email,omitempty"`
	Groups []string `json:"groups,omitempty"`
	// Account that a person who is a member has chosen; empty as long as they have not.
	Account string `json:"account,omitempty"`
	// Expires is when the session is over.
	Expires time.Time `json:"exp"`
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
	return s.Carry(w, CookieName, session, session.Expires.Sub(s.Clock.Now()))
}

// Read returns the session of a request, and false where there is none that is valid.
func (s Store) Read(r *http.Request) (Session, bool) {
	var session Session
	ok := s.Carried(r, CookieName, &session)
	return session, ok
}

// End signs out: it takes the cookie away.
func (s Store) End(w http.ResponseWriter) { s.Drop(w, CookieName) }

// carried is what a cookie holds. That it ends is not left to the browser.
type carried struct {
	Value   json.RawMessage `json:"value"`
	Expires time.Time       `json:"exp"`
}

// Carry lets the browser carry a value under a name that begins with __Host-, for a time.
func (s Store) Carry(w http.ResponseWriter, name string, value any, life time.Duration) error {
	data, err := json.Marshal(value)
	if err != nil {
		return fmt.Errorf("writing the cookie %s: %w", name, err)
	}
	text, err := json.Marshal(carried{Value: data, Expires: s.Clock.Now().Add(life).UTC()})
	if err != nil {
		return fmt.Errorf("writing the cookie %s: %w", name, err)
	}
	sealed, err := s.Keys.Seal(name, text)
	if err != nil {
		return fmt.Errorf("sealing the cookie %s: %w", name, err)
	}
	http.SetCookie(w, cookie(name, sealed, int(life/time.Second)))
	return nil
}

// Carried reads what Carry has sealed, as long as its time is not over.
func (s Store) Carried(r *http.Request, name string, into any) bool {
	// Two cookies of one name come of somebody else's doing.
	found := r.CookiesNamed(name)
	if len(found) != 1 {
		return false
	}
	text, err := s.Keys.Open(name, found[0].Value)
	if err != nil {
		return false
	}
	var c carried
	if err := json.Unmarshal(text, &c); err != nil {
		return false
	}
	return s.Clock.Now().Before(c.Expires) && json.Unmarshal(c.Value, into) == nil
}

// Drop takes a cookie away.
func (s Store) Drop(w http.ResponseWriter, name string) { http.SetCookie(w, cookie(name, "", -1)) }

func cookie(name, value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: maxAge, Secure: true, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}
}
