package pages

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

const (
	// formBytes and personFormBytes bound the large forms in progress on a replica, in bytes: all of them, and those of one person.
	// Strangers count as one person.
	formBytes, personFormBytes = 64 << 20, 4 << 20
	// strangerForm is how large a form is that is kept until somebody has signed in, in bytes.
	strangerForm = 1 << 20
)

// errTooManyForms means that the person's share of the memory for forms is used up.
var errTooManyForms = errors.New("too many bytes of forms at once")

// countedForm is the body of a form. Its bytes are counted when they arrive: a large form that is announced and not sent takes no memory.
type countedForm struct {
	io.ReadCloser

	frame *Frame
	whose string
	bytes int64
}

// form returns the body of the form of a request, within the bounds.
func (f *Frame) form(c *gin.Context, b Bounds) *countedForm {
	if b.Whose == nil {
		return &countedForm{ReadCloser: http.MaxBytesReader(c.Writer, c.Request.Body, b.Form)}
	}
	whose, most := b.Whose(c.Request), b.Form
	if whose == "" {
		most = min(most, strangerForm)
	}
	return &countedForm{ReadCloser: http.MaxBytesReader(c.Writer, c.Request.Body, most), frame: f, whose: whose}
}

// Read reads what has arrived, if there is memory for it.
func (r *countedForm) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if r.frame == nil {
		return n, err
	}
	if !r.frame.forms.Take(r.whose, int64(n)) {
		return 0, errTooManyForms
	}
	r.bytes += int64(n)
	return n, err
}

// release gives the memory back.
func (r *countedForm) release() {
	if r.frame != nil {
		r.frame.forms.Give(r.whose, r.bytes)
	}
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
