package dashboard

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
)

// newTicket seals the token of the page's forms: all forms of a page have the same.
func (v *visit) newTicket() (string, error) {
	if v.ticket == "" {
		sealed, err := v.dashboard.frame.SealTicket(purposeForm, v.person.SessionID, "")
		if err != nil {
			return "", err
		}
		v.ticket = sealed
	}
	return v.ticket, nil
}

// checkTicket returns nil if the form has a token of this session, which is good for as long as that. What has been typed into a form of
// another session is kept; a form without any token is not ours.
func (v *visit) checkTicket() *answer {
	t, err := v.dashboard.frame.OpenTicket(purposeForm, v.form(fieldTicket))
	switch {
	case err != nil && !errors.Is(err, pages.ErrStale):
		return v.message(http.StatusForbidden, "This did not come from our page",
			"Nothing has been done. Go back, load the page again, and send the form from there.")
	case t.Session != v.person.SessionID:
		return v.keep(false).with(http.StatusConflict)
	}
	v.formID = t.ID
	return nil
}

// keptView shows a form that has not been acted on, with all that was typed.
type keptView struct {
	// SignedOut means that the session has ended.
	SignedOut bool
	Action    string
	Fields    []keptField
}

type keptField struct {
	Name, Value string
	// Long texts are shown, so that they can be copied.
	Long bool
}

// keep answers a form that cannot be acted on yet with a page that has all its fields, and sends them again.
func (v *visit) keep(signedOut bool) *answer {
	view := keptView{SignedOut: signedOut, Action: v.here()}
	for _, name := range slices.Sorted(maps.Keys(v.request.PostForm)) {
		for _, value := range v.request.PostForm[name] {
			if name == fieldTicket {
				if !signedOut {
					continue
				}
				// Signed for the session before, it shows that the form is ours.
				v.ticket = value
				continue
			}
			view.Fields = append(view.Fields, keptField{Name: name, Value: value, Long: len(value) > 80 || strings.Contains(value, "\n")})
		}
	}
	return v.page("kept.html", "Not sent yet", view)
}
