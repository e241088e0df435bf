package dashboard

import "github.com/pressroom-dev/pressroom/api/v1alpha1"

// homeView is the data of the page on which a person chooses a workspace.
type homeView struct{ Workspaces []workspaceLink }

// workspaceLink is a workspace, with how many of its articles wait for the person.
type workspaceLink struct {
	Name, Path string
	Waiting    int
}

func homeRoutes() []route { return []route{page("", anyScope, showHome)} }

// showHome leads to the only workspace, or lists those that the person may open.
func showHome(v *visit) (*answer, error) {
	if len(v.workspaces) == 1 {
		return v.redirect(workspacePath(v.workspaces[0], "articles"), ""), nil
	}
	var view homeView
	for _, w := range v.workspaces {
		link := workspaceLink{Name: w, Path: workspacePath(w, "articles")}
		if v.may(v1alpha1.ScopeApprove) {
			link.Waiting = v.waiting(w)
		}
		view.Workspaces = append(view.Workspaces, link)
	}
	return v.page("home.html", "Workspaces", view), nil
}
