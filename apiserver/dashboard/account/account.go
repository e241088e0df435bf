// Package account has the pages that belong to no workspace: the choice of one, the usage of the account, and what a person has set for
// themselves.
package account

import (
	"cmp"
	"embed"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/account"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// homeView is the data of the page on which a person chooses a workspace.
type homeView struct{ Workspaces []workspaceLink }

// workspaceLink is a workspace, with how many of its articles wait for the person.
type workspaceLink struct {
	Name, Path string
	Waiting    int
}

// showHome leads to the only workspace, or lists those that the person may open.
func showHome(v *page.Visit) (*page.Answer, error) {
	if len(v.Person.Opens) == 1 {
		return v.Redirect(page.WorkspacePath(v.Person.Opens[0], "articles"), ""), nil
	}
	var view homeView
	for _, w := range v.Person.Opens {
		link := workspaceLink{Name: w, Path: page.WorkspacePath(w, "articles")}
		if v.May(v1alpha1.ScopeApprove) {
			// Where it is not known at the moment, none is shown.
			if counts, err := v.Counts(w, ""); err == nil {
				link.Waiting = counts.ByStatus[page.StatusReview]
			}
		}
		view.Workspaces = append(view.Workspaces, link)
	}
	return v.Page("home.html", "Workspaces", view), nil
}

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Templates: templates, Routes: []page.Route{
		page.Show("", page.AnyScope, showHome),
		page.Show(settingsPath, page.AnyScope, showSettings),
		page.LocalForm(settingsPath, page.AnyScope, page.Sent(changeSettings)),
		page.Show(usagePath, v1alpha1.ScopeRead, showUsage),
	}}
}

const settingsPath = "/account/settings"

// settingsView is the data of the page of settings.
type settingsView struct {
	Zone, ZoneProblem string
	Zones             []page.ZoneOption
	NoShortcuts       bool
	Scopes            []string
}

func showSettings(v *page.Visit) (*page.Answer, error) {
	return settingsPage(v, settingsView{Zone: cmp.Or(v.Query("zone"), v.Zone.String()), NoShortcuts: v.Settings.NoShortcuts}), nil
}

func settingsPage(v *page.Visit, view settingsView) *page.Answer {
	view.Zones, view.Scopes = v.ZoneOptions(), operation.ScopeNames(v.Person.Scopes)
	return v.Page("settings.html", "Settings", view)
}

func changeSettings(v *page.Visit, form struct {
	Zone      string
	Shortcuts bool
}) (*page.Answer, error) {
	chosen := page.Settings{Zone: form.Zone, NoShortcuts: !form.Shortcuts}
	zone, ok := page.ZoneNamed(chosen.Zone)
	if !ok {
		return settingsPage(v, settingsView{
			Zone: chosen.Zone, NoShortcuts: chosen.NoShortcuts, ZoneProblem: page.NoZone(chosen.Zone),
		}).With(http.StatusUnprocessableEntity), nil
	}
	chosen.Zone = zone.String()
	a := v.Redirect(page.Root+settingsPath, "Saved. Times are in "+chosen.Zone+".")
	a.Cookies = v.KeepSettings(chosen)
	return a, nil
}

const usagePath = "/account/usage"

// usageView is the data of the page of usage.
type usageView struct {
	account.AccountUsage

	Sites []siteUsageRow
}

type siteUsageRow struct {
	account.SiteUsage

	Name string
}

func showUsage(v *page.Visit) (*page.Answer, error) {
	usage, err := page.Call(v, account.GetUsage, struct{}{})
	if err != nil {
		return nil, err
	}
	list, err := page.Call(v, restsite.List, struct{}{})
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	for _, site := range list.Body.Data {
		names[site.WorkspaceID+"/"+site.UID] = site.Name
	}
	view := usageView{AccountUsage: usage.Body}
	for _, site := range usage.Body.Day.Sites {
		view.Sites = append(view.Sites, siteUsageRow{site, names[site.WorkspaceID+"/"+site.SiteUID]})
	}
	return v.Page("usage.html", "Usage", view), nil
}
