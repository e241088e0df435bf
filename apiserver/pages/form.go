package pages

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

// The bounds of the forms in progress on a replica, in bytes.
var (
	formBytes = middleware.Bounds{All: 64 << 20, Account: 8 << 20, Person: 4 << 20}
	// strangerBytes bound those of strangers, who count as an account for each network that they come from.
	strangerBytes = middleware.Bounds{All: 4 << 20, Account: 2 << 20}
)

// strangerForm is how large a form is that is kept until somebody has signed in, in bytes.
const strangerForm = 1 << 20

// parseForm parses the form of a request, within the bounds. release gives the memory back that it takes.
func (f *Frame) parseForm(c *gin.Context, b Bounds) (release func(), err error) {
	forms, most := f.strangers, min(b.Form, strangerForm)
	holder, signedIn := middleware.Holder{}, false
	if f.Whose != nil {
		holder, signedIn = f.Whose(c.Request)
	}
	if signedIn {
		forms, most = f.forms, b.Form
	}
	counted := forms.Count(holder, c.Request.Body)
	c.Request.Body = http.MaxBytesReader(c.Writer, counted, most)
	if c.Request.ContentLength > most {
		return counted.Release, &http.MaxBytesError{Limit: most}
	}
	return counted.Release, c.Request.ParseForm()
}

// FormLife is how long a form may be left open.
const FormLife = time.Hour

// ErrStale means that a ticket was sealed here, but has expired.
var ErrStale = errors.New("the form was open for too long")

// Ticket binds a form to a session and to what the form is about. It is a hidden field, sealed for one purpose.
type Ticket struct {
	// ID is of this ticket alone: what may be done once with a form is done under it.
	ID string `json:"id,omitempty"`
	// Session that the form was made for; empty before anybody has signed in.
	Session string `json:"session,omitempty"`
	// Subject of the form, such as the grant to revoke. JSON keeps its bytes as they are.
	Subject []byte    `json:"subject"`
	Expires time.Time `json:"exp"`
}

// SealTicket returns a ticket for a form.
func (f *Frame) SealTicket(purpose, sessionID, subject string) (string, error) {
	return SealTicket(f.Cookies.Keys, f.Cookies.Clock.Now(), purpose, sessionID, subject)
}

// SealTicket returns a ticket that is made at a time.
func SealTicket(keys seal.Sealer, now time.Time, purpose, sessionID, subject string) (string, error) {
	text, err := json.Marshal(Ticket{ID: rand.Text(), Session: sessionID, Subject: []byte(subject), Expires: now.Add(FormLife).UTC()})
	if err != nil {
		return "", fmt.Errorf("writing a ticket: %w", err)
	}
	sealed, err := keys.Seal(purpose, text)
	if err != nil {
		return "", fmt.Errorf("sealing a ticket: %w", err)
	}
	return sealed, nil
}

// OpenTicket returns the ticket that was sealed for the same purpose, or seal.ErrInvalid. With ErrStale it returns the ticket
// too.
func (f *Frame) OpenTicket(purpose, sealed string) (Ticket, error) {
	text, err := f.Cookies.Keys.Open(purpose, sealed)
	if err != nil {
		return Ticket{}, err
	}
	var t Ticket
	if err := json.Unmarshal(text, &t); err != nil {
		return Ticket{}, seal.ErrInvalid
	}
	if !f.Cookies.Clock.Now().Before(t.Expires) {
		return t, ErrStale
	}
	return t, nil
}
