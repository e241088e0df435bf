package page

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

// maxOpened bounds how many texts a browser keeps, the newest ones: as many as two pages of the list have.
const maxOpened = 2 * ListLimit

var openedCookie = seal.Cookie{Name: "__Host-pressroom-opened", Pieces: 1}

// Opened has the texts that a person has opened since signing in. It is stored in a cookie.
type Opened struct {
	Session string
	// Texts are the beginnings of digests, the newest last.
	Texts []string
}

// Opened returns what the person has opened in this session.
func (v *Visit) Opened() Opened {
	var o Opened
	if !v.Deps.Frame.Cookies.Read(v.request, openedCookie, &o) || o.Session != v.Person.SessionID {
		return Opened{Session: v.Person.SessionID}
	}
	return o
}

// Has reports whether the text with a digest is one of them.
func (o Opened) Has(digest string) bool { return slices.Contains(o.Texts, beginning(digest)) }

// beginning is enough of a digest to tell the texts of some lists apart.
func beginning(digest string) string {
	hex := strings.TrimPrefix(digest, "sha256:")
	return hex[:min(len(hex), 8)]
}

// Opens remembers that the person has the text with a digest before them.
func (v *Visit) Opens(digest string) func(http.ResponseWriter) error {
	o := v.Opened()
	if digest == "" || o.Has(digest) {
		return nil
	}
	o.Texts = append(o.Texts, beginning(digest))
	o.Texts = o.Texts[max(0, len(o.Texts)-maxOpened):]
	return func(w http.ResponseWriter) error {
		return v.Deps.Frame.Cookies.Set(w, openedCookie, o, login.SessionLife)
	}
}
