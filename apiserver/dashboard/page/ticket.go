package page

import (
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/pages"
)

const (
	purposeForm = "app form"
	// fieldTicket is the field of a form with its token.
	fieldTicket = "ticket"
	// fieldToken is the field of a form with an access token that somebody has entered.
	fieldToken = "token"
)

// Ticket seals the token of the page's forms: all forms of a page have the same.
func (v *Visit) Ticket() (string, error) {
	if v.ticket == "" {
		sealed, err := v.Deps.Frame.SealTicket(purposeForm, v.Person.SessionID, "")
		if err != nil {
			return "", err
		}
		v.ticket = sealed
	}
	return v.ticket, nil
}

// CheckTicket returns nil if the form has a token of this session, which is good for as long as that. What has been typed into a form of
// another session is kept; a form without any token is not ours.
func (v *Visit) CheckTicket() *Answer {
	t, err := v.Deps.Frame.OpenTicket(purposeForm, v.request.PostForm.Get(fieldTicket))
	switch {
	case err != nil && !errors.Is(err, pages.ErrStale):
		return v.Message(http.StatusForbidden, "This did not come from our page",
			"Nothing has been done. Go back, load the page again, and send the form from there.")
	case t.Session != v.Person.SessionID:
		return v.Keep(OtherSession).With(http.StatusConflict)
	}
	v.FormID = t.ID
	return nil
}

// HasTicket reports whether a form has a token that this dashboard has sealed, for any session.
func (v *Visit) HasTicket() bool {
	_, err := v.Deps.Frame.OpenTicket(purposeForm, v.request.PostForm.Get(fieldTicket))
	return err == nil || errors.Is(err, pages.ErrStale)
}

// KeptWhy is the reason for which a form has no effect yet.
type KeptWhy string

// The reasons for which a form is kept.
const (
	// SessionEnded means that nobody is signed in.
	SessionEnded KeptWhy = "ended"
	// OtherSession means that somebody has signed in again since the page was made.
	OtherSession KeptWhy = "other"
	// SessionUnknown means that it is not known at the moment who is signed in.
	SessionUnknown KeptWhy = "unknown"
)

// keptView shows a form that has not been acted on, with all that was typed.
type keptView struct {
	Why    KeptWhy
	Action string
	Fields []keptField
}

type keptField struct {
	Name, Value string
	// Long texts are shown, so that they can be copied. A token is not.
	Long bool
}

// Keep answers a form that cannot be acted on yet with a page that has all its fields, and sends them again.
func (v *Visit) Keep(why KeptWhy) *Answer {
	view := keptView{Why: why, Action: v.Here()}
	for _, name := range slices.Sorted(maps.Keys(v.request.PostForm)) {
		for _, value := range v.request.PostForm[name] {
			if name == fieldTicket {
				// Sealed for the session before, it shows that the form is ours.
				if why != OtherSession {
					v.ticket = value
				}
				continue
			}
			long := (len(value) > 80 || strings.Contains(value, "\n")) && name != fieldToken
			view.Fields = append(view.Fields, keptField{Name: name, Value: value, Long: long})
		}
	}
	return v.Page("kept.html", "Not sent yet", view)
}
