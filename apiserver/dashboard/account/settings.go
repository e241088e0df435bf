package account

import (
	"cmp"
	"net/http"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

const settingsPath = "/account/settings"

// settingsView is the data of the page of settings.
type settingsView struct {
	Zone, ZoneProblem string
	Zones             []string
	NoShortcuts       bool
	Scopes            []string
}

func settingsRoutes() []page.Route {
	return []page.Route{
		page.Show(settingsPath, page.AnyScope, showSettings),
		page.Form(settingsPath, page.AnyScope, "", changeSettings),
	}
}

func showSettings(v *page.Visit) (*page.Answer, error) {
	return settingsPage(v, settingsView{Zone: cmp.Or(v.Query("zone"), v.Zone().String()), NoShortcuts: v.Settings.NoShortcuts}), nil
}

func settingsPage(v *page.Visit, view settingsView) *page.Answer {
	view.Zones, view.Scopes = page.Zones, page.ScopeNames(v.Person.Scopes)
	return v.Page("settings.html", "Settings", view)
}

func changeSettings(v *page.Visit) (*page.Answer, error) {
	chosen := page.Settings{Zone: v.Form("zone"), NoShortcuts: v.Form("shortcuts") != "on"}
	if _, ok := page.ZoneNamed(chosen.Zone); !ok {
		return settingsPage(v, settingsView{
			Zone: chosen.Zone, NoShortcuts: chosen.NoShortcuts,
			ZoneProblem: "There is no time zone of this name. Choose one from the list, such as Europe/Zurich.",
		}).With(http.StatusUnprocessableEntity), nil
	}
	a := v.Redirect(page.Root+settingsPath, "Saved. Times are in "+chosen.Zone+".")
	a.Cookies = v.KeepSettings(chosen)
	return a, nil
}
