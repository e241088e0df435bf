package page

import (
	"net/http"
	"time"

	// The zones are in the program, as an image may have none.
	_ "time/tzdata"

	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

// settingsLife is how long a browser keeps the settings.
const settingsLife = 365 * 24 * time.Hour

var settingsCookie = seal.Cookie{Name: "__Host-pressroom-settings", Pieces: 1}

// Settings are what a person has chosen. The browser keeps them.
type Settings struct {
	// Zone is the IANA name of the time zone; empty for UTC.
	Zone string
	// NoShortcuts turns the keyboard's shortcuts off (WCAG 2.2, criterion 2.1.4).
	NoShortcuts bool
}

// settings returns those that a browser keeps.
func (a *Deps) settings(q *http.Request) Settings {
	var s Settings
	if !a.Frame.Cookies.Read(q, settingsCookie, &s) {
		return Settings{}
	}
	return s
}

// KeepSettings stores settings in a cookie.
func (v *Visit) KeepSettings(s Settings) func(http.ResponseWriter) error {
	return func(w http.ResponseWriter) error { return v.Deps.Frame.Cookies.Set(w, settingsCookie, s, settingsLife) }
}
