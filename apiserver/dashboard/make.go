package dashboard

import (
	"cmp"
	"fmt"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// makeView is the data of the page on which articles are made.
type makeView struct {
	textFields

	// Kind is generate or write.
	Kind  string
	Sites []siteChoice
	// Credits says how many are left.
	Credits string
	// Keywords, Secondary, Tone, Length and Site are fields of the form that generates.
	Keywords, Secondary, Tone, Length, Site string
}

// siteChoice is a site that articles can be made for.
type siteChoice struct{ UID, Name, Today string }

// newPath is the path of the page, below that of the workspace.
const newPath = "/w/:workspace/articles/new"

// maxKeywords bounds the keywords of a form.
const maxKeywords = 50

func makeRoutes() []route {
	return []route{
		page(newPath, v1alpha1.ScopeWrite, showMake),
		form(newPath+"/generate", v1alpha1.ScopeWrite, "generate-article", generate),
		form(newPath+"/write", v1alpha1.ScopeWrite, "create-article", write),
		form(newPath+"/preview", v1alpha1.ScopeWrite, "preview-text", makePreview),
	}
}

func showMake(v *visit) (*answer, error) {
	return v.makePage(makeView{Kind: v.query("kind"), Site: v.query("site"), textFields: textFields{Text: textForm{Site: v.query("site")}}})
}

// makePage completes the data of the page: the sites of the workspace, and what is left of credits and of the day's articles.
func (v *visit) makePage(view makeView) (*answer, error) {
	sites, err := call[rest.SiteList](v, rest.Request{Operation: "list-sites"})
	if err != nil {
		return nil, err
	}
	usage, err := v.usage()
	if err != nil {
		return nil, err
	}
	for _, s := range sites.Data {
		if s.WorkspaceID == v.workspace {
			view.Sites = append(view.Sites, siteChoice{s.UID, cmp.Or(s.Name, s.Domain), leftToday(usage, s.UID)})
		}
	}
	view.Credits, view.Toolbar, view.Preview = creditsLeft(usage), v.dashboard.static.toolbar.path, v.path("articles", "new", "preview")
	title := "Generate articles"
	if view.Kind == "write" {
		title = "Write an article"
	} else {
		view.Kind = "generate"
	}
	return v.page("make.html", title, view), nil
}

// usage reads what is left; nil for somebody who may write and not read.
func (v *visit) usage() (*rest.Usage, error) {
	usage, err := call[rest.Usage](v, rest.Request{Operation: "get-usage"})
	if isStatus(err, http.StatusForbidden) {
		return nil, nil
	}
	return &usage, err
}

func creditsLeft(u *rest.Usage) string {
	switch {
	case u == nil:
		return ""
	case u.Credits.Left == nil:
		return "Each line takes one credit. There is no limit of credits."
	}
	return fmt.Sprintf("Each line takes one credit. %d are left.", *u.Credits.Left)
}

func leftToday(u *rest.Usage, site string) string {
	if u != nil {
		for _, s := range u.Day.Sites {
			if s.SiteUID == site {
				return fmt.Sprintf("%d of %d left today", s.Left, s.Limit)
			}
		}
	}
	return ""
}

// write stores a text of one's own. The form creates one article, however often it is sent.
func write(v *visit) (*answer, error) {
	text := v.textForm()
	body, done := text.whole(), "Stored. It waits for review."
	if v.form("draft") != "" {
		body["draft"], done = true, "Stored as a draft. Reviewers are told of it once it is submitted."
	}
	a, err := call[rest.Article](v, rest.Request{Operation: "create-article", Header: v.once(), Body: body})
	if err == nil {
		return v.redirect(v.articlePath(a.UID), done), nil
	}
	refused, ok := refusal(err)
	if !ok || refused.GetStatus() == http.StatusForbidden {
		return nil, err
	}
	view := makeView{Kind: "write", textFields: textFields{
		Text: text, Problem: "Not stored: " + problemOf(err), Problems: fieldProblems(err),
	}}
	status := refused.GetStatus()
	if status == http.StatusBadRequest {
		view.Problem, status = "Not stored. Look at the fields that are marked.", http.StatusUnprocessableEntity
	}
	return v.makeAgain(view, status)
}

// makeAgain shows the form again, with what was sent.
func (v *visit) makeAgain(view makeView, status int) (*answer, error) {
	a, err := v.makePage(view)
	if err != nil {
		return nil, err
	}
	return a.with(status), nil
}

// makePreview is previewEdit for a text that is not an article yet.
func makePreview(v *visit) (*answer, error) {
	text := v.textForm()
	if row := v.form("row"); row != "" {
		text.change(row)
		return v.makePage(makeView{Kind: "write", textFields: textFields{Text: text}})
	}
	return v.previewText(text)
}
