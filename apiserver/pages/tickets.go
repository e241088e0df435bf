package pages

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

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
	text, err := json.Marshal(Ticket{
		ID: rand.Text(), Session: sessionID, Subject: []byte(subject), Expires: f.Cookies.Clock.Now().Add(FormLife).UTC(),
	})
	if err != nil {
		return "", fmt.Errorf("writing a form's ticket: %w", err)
	}
	sealed, err := f.Cookies.Keys.Seal(purpose, text)
	if err != nil {
		return "", fmt.Errorf("sealing a form's ticket: %w", err)
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
