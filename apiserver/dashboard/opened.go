package dashboard

import (
	"net/http"
	"slices"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

// maxOpened bounds how many texts a browser keeps, the newest ones: as many as two pages of the list have.
const maxOpened = 2 * listLimit

var openedCookie = seal.Cookie{Name: "__Host-pressroom-opened", Pieces: 1}

// opened are the texts that somebody has opened since they signed in. The browser keeps them.
type opened struct {
	Session string
	// Texts are the beginnings of digests, the newest last.
	Texts []string
}

// opened returns what the person has opened in this session.
func (v *visit) opened() opened {
	var o opened
	if !v.dashboard.frame.Cookies.Read(v.request, openedCookie, &o) || o.Session != v.person.SessionID {
		return opened{Session: v.person.SessionID}
	}
	return o
}

// has reports whether the text with a digest is one of them.
func (o opened) has(digest string) bool { return slices.Contains(o.Texts, beginning(digest)) }

// beginning is enough of a digest to tell the texts of some lists apart.
func beginning(digest string) string {
	hex := strings.TrimPrefix(digest, "sha256:")
	return hex[:min(len(hex), 8)]
}

// opens remembers that the person has the text with a digest before them.
func (v *visit) opens(digest string) func(http.ResponseWriter) error {
	o := v.opened()
	if digest == "" || o.has(digest) {
		return nil
	}
	o.Texts = append(o.Texts, beginning(digest))
	o.Texts = o.Texts[max(0, len(o.Texts)-maxOpened):]
	return func(w http.ResponseWriter) error {
		return v.dashboard.frame.Cookies.Set(w, openedCookie, o, login.SessionLife)
	}
}
