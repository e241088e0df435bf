package consent

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/session"
)

const (
	// formLife is how long a form may be left open.
	formLife = time.Hour

	purposeConsent = "consent form"
	purposeReturn  = "return"
	purposeRevoke  = "revoke form"
	purposeAccount = "account form"
)

// errStale says that a ticket was ours, and that its time is over.
var errStale = errors.New("the form was open for too long")

// ticket binds a form to a session and to what the form is about. It is sealed for one purpose.
type ticket struct {
	// Session that the form was made for; empty before anybody has signed in.
	Session string `json:"session,omitempty"`
	// Subject is the query of a consent, the path to return to, or the grant to revoke. JSON carries bytes as they are.
	Subject []byte    `json:"subject"`
	Expires time.Time `json:"exp"`
}

func (p *Pages) seal(purpose, sessionID, subject string) (string, error) {
	text, err := json.Marshal(ticket{Session: sessionID, Subject: []byte(subject), Expires: p.Store.Clock.Now().Add(formLife).UTC()})
	if err != nil {
		return "", fmt.Errorf("writing a form's ticket: %w", err)
	}
	sealed, err := p.Store.Keys.Seal(purpose, text)
	if err != nil {
		return "", fmt.Errorf("sealing a form's ticket: %w", err)
	}
	return sealed, nil
}

// open returns the ticket that was sealed for the same purpose. With errStale, the ticket says what it was for.
func (p *Pages) open(purpose, sealed string) (ticket, error) {
	text, err := p.Store.Keys.Open(purpose, sealed)
	if err != nil {
		return ticket{}, err
	}
	var t ticket
	if err := json.Unmarshal(text, &t); err != nil {
		return ticket{}, session.ErrSealed
	}
	if !p.Store.Clock.Now().Before(t.Expires) {
		return t, errStale
	}
	return t, nil
}

// returnPath opens the path that signing in leads back to, which was sealed by us; however late. Where there is none, that is
// the list of apps.
func (p *Pages) returnPath(sealed string) string {
	t, err := p.open(purposeReturn, sealed)
	if err != nil && !errors.Is(err, errStale) {
		return AppsPath
	}
	return string(t.Subject)
}
