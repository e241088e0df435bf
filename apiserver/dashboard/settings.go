package dashboard

import (
	"cmp"
	"net/http"
	"sync"
	"time"

	// The zones are in the program, as an image may have none.
	_ "time/tzdata"

	"github.com/pressroom-dev/pressroom/apiserver/pages/seal"
)

const (
	settingsPath = "/account/settings"
	// settingsLife is how long a browser keeps the settings.
	settingsLife = 365 * 24 * time.Hour
)

var settingsCookie = seal.Cookie{Name: "__Host-pressroom-settings", Pieces: 1}

// settings are what a person has chosen. The browser keeps them.
type settings struct {
	// Zone is the IANA name of the time zone; empty for UTC.
	Zone string
	// NoShortcuts turns the keyboard's shortcuts off (WCAG 2.2, criterion 2.1.4).
	NoShortcuts bool
}

// settings returns those that a browser keeps.
func (d *Dashboard) settings(q *http.Request) settings {
	var s settings
	if !d.frame.Cookies.Read(q, settingsCookie, &s) {
		return settings{}
	}
	return s
}

// locations are zones by their names: reading one takes as long as a few rows of a list.
var locations sync.Map

// location returns the zone with a name; UTC if it is not known.
func location(name string) *time.Location {
	if known, ok := locations.Load(name); ok {
		if zone, ok := known.(*time.Location); ok {
			return zone
		}
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	locations.Store(name, zone)
	return zone
}

// settingsView is the data of the page of settings.
type settingsView struct {
	Zone, ZoneProblem string
	Zones             []string
	NoShortcuts       bool
	Scopes            []string
}

func settingsRoutes() []route {
	return []route{
		page(settingsPath, anyScope, showSettings),
		form(settingsPath, anyScope, "", changeSettings),
	}
}

func showSettings(v *visit) (*answer, error) {
	return v.settingsPage(settingsView{Zone: cmp.Or(v.query("zone"), v.zone().String()), NoShortcuts: v.settings.NoShortcuts}), nil
}

func (v *visit) settingsPage(view settingsView) *answer {
	view.Zones, view.Scopes = zones, scopeNames(v.person.Scopes)
	return v.page("settings.html", "Settings", view)
}

func changeSettings(v *visit) (*answer, error) {
	chosen := settings{Zone: v.form("zone"), NoShortcuts: v.form("shortcuts") != "on"}
	if _, ok := zoneNamed(chosen.Zone); !ok {
		return v.settingsPage(settingsView{
			Zone: chosen.Zone, NoShortcuts: chosen.NoShortcuts,
			ZoneProblem: "There is no time zone of this name. Choose one from the list, such as Europe/Zurich.",
		}).with(http.StatusUnprocessableEntity), nil
	}
	a := v.redirect(Root+settingsPath, "Saved. Times are in "+chosen.Zone+".")
	a.cookies = func(w http.ResponseWriter) error {
		return v.dashboard.frame.Cookies.Set(w, settingsCookie, chosen, settingsLife)
	}
	return a, nil
}
