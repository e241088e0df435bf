package account

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

// homeView is the data of the page on which a person chooses a workspace.
type homeView struct{ Workspaces []workspaceLink }

// workspaceLink is a workspace, with how many of its articles wait for the person.
type workspaceLink struct {
	Name, Path string
	Waiting    int
}

func homeRoutes() []page.Route { return []page.Route{page.Show("", page.AnyScope, showHome)} }

// showHome leads to the only workspace, or lists those that the person may open.
func showHome(v *page.Visit) (*page.Answer, error) {
	if len(v.Workspaces) == 1 {
		return v.Redirect(page.WorkspacePath(v.Workspaces[0], "articles"), ""), nil
	}
	var view homeView
	for _, w := range v.Workspaces {
		link := workspaceLink{Name: w, Path: page.WorkspacePath(w, "articles")}
		if v.May(v1alpha1.ScopeApprove) {
			link.Waiting = v.Waiting(w)
		}
		view.Workspaces = append(view.Workspaces, link)
	}
	return v.Page("home.html", "Workspaces", view), nil
}
