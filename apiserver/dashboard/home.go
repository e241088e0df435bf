package dashboard

// homeView is the data of the page on which a person chooses a workspace.
type homeView struct{ Workspaces []workspaceLink }

type workspaceLink struct{ Name, Path string }

func homeRoutes() []route { return []route{page("", anyScope, showHome)} }

// showHome leads to the only workspace, or lists those that the person may open.
func showHome(v *visit) (*answer, error) {
	if len(v.workspaces) == 1 {
		return v.redirect(workspacePath(v.workspaces[0], "articles"), ""), nil
	}
	var view homeView
	for _, w := range v.workspaces {
		view.Workspaces = append(view.Workspaces, workspaceLink{w, workspacePath(w, "articles")})
	}
	return v.page("home.html", "Workspaces", view), nil
}
