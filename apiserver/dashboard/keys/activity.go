package keys

import (
	"cmp"
	"net/http"
	"net/url"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/index"
	"github.com/pressroom-dev/pressroom/apiserver/rest/key"
)

// activityView is the data of the page that shows what was done with a key.
type activityView struct {
	key.Activity

	// First leads to the first page, and Older to the next one; empty on them.
	First, Older string
}

func showActivity(v *page.Visit) (*page.Answer, error) {
	on := key.OnKey{ID: v.Param("id")}
	found, err := page.Call(v, key.GetActivity, key.ActivityInput{OnKey: on, Workspace: v.Query("workspace"), Cursor: v.Query("after")})
	if page.IsStatus(err, http.StatusNotFound) {
		return v.RedirectProblem(page.Root+keysPath, "There is no such key any more."), nil
	}
	if err != nil {
		return nil, err
	}
	view, path := activityView{Activity: found.Body}, page.Root+keysPath+"/"+url.PathEscape(on.ID)
	if v.Query("after") != "" {
		view.First = page.WithQuery(path, "workspace", view.Workspace)
	}
	if next := view.NextCursor; next != nil {
		view.Older = page.WithQuery(path, "workspace", view.Workspace, "after", *next)
	}
	return v.Page("activity.html", cmp.Or(view.Key.Name, view.Key.ID), view), nil
}

// Path is the path of an article.
func (a activityView) Path(uid string) string {
	return page.WorkspacePath(a.Workspace, "articles", uid)
}

// Did says what was done to an article.
func (activityView) Did(d index.Deeds) string {
	var all []string
	for _, did := range []struct {
		it   bool
		word string
	}{{d.Created, "created"}, {d.Changed, "changed"}, {d.Decided, "decided"}} {
		if did.it {
			all = append(all, did.word)
		}
	}
	return strings.Join(all, ", ")
}
