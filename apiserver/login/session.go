package login

import (
	"cmp"
	"crypto/rand"
	"net/http"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

const (
	// CookieName of the session.
	CookieName = "__Host-pressroom-session"
	// SessionLife is how long a session lasts. Using it does not prolong it.
	SessionLife = 8 * time.Hour
)

var sessionCookie = seal.Cookie{Name: CookieName, Pieces: 1}

// Session says who has signed in, and how. What they may do is read on each request, so that a right that was taken away is gone
// at once.
type Session struct {
	// ID distinguishes sessions; forms are bound to it.
	ID string
	// SignIn is the id of the sign-in, which the session keeps when it gets another ID. It is empty in sessions of earlier versions.
	SignIn string
	// KeyID is the id of the API key that was signed in with; empty for OpenID Connect.
	KeyID string
	// KeyUID is the metadata.uid of that key: one that is made later can have its id.
	KeyUID types.UID
	// Issuer, Email and Groups are those that the OpenID Connect issuer has vouched for. Groups holds only those that accounts name.
	Issuer string
	Email  string
	Groups []string
	// Account that a person acts for; empty until a member of several accounts has chosen one.
	Account string
	// Expires is when the session ends.
	Expires time.Time
}

// holder is who uses what the session takes of shares. People are told apart within all accounts. Somebody who has chosen none yet is an
// account of their own.
func (s Session) holder() middleware.Holder {
	person := s.KeyID + " " + strings.ToLower(s.Email)
	return middleware.Holder{Account: cmp.Or(s.Account, person), Person: person, Session: s.ID}
}

// Sessions keeps sessions in a cookie.
type Sessions struct{ Cookies seal.Cookies }

// Start signs in: it gives the session a new id and its end, and sets the cookie.
func (s Sessions) Start(w http.ResponseWriter, session Session) error {
	session.Expires, session.SignIn = s.Cookies.Clock.Now().Add(SessionLife).UTC(), rand.Text()
	return s.Change(w, session)
}

// Change replaces a session. Its end stays, but it gets a new id, so that forms made for the session before are worth nothing.
func (s Sessions) Change(w http.ResponseWriter, session Session) error {
	session.ID = rand.Text()
	return s.Cookies.Set(w, sessionCookie, session, session.Expires.Sub(s.Cookies.Clock.Now()))
}

// Read returns the session of a request, and whether it has a valid one.
func (s Sessions) Read(r *http.Request) (Session, bool) {
	var session Session
	ok := s.Cookies.Read(r, sessionCookie, &session)
	return session, ok
}

// End removes the cookie.
func (s Sessions) End(w http.ResponseWriter) { s.Cookies.Remove(w, sessionCookie) }
