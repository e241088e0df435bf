// Package articles has the list of articles, and what can be done with many of them at once.
package articles

import (
	"embed"
	"fmt"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

// listView is the data of the list of articles.
type listView struct {
	Filter listFilter
	Tabs   []listTab
	// Sites of the workspace.
	Sites []restsite.Site
	Rows  []listRow
	// Previous and Next are the addresses of the pages beside this one; empty if there is none. First is that of the first one.
	Previous, Next, First string
	// Counts are the numbers of articles by their status.
	Counts map[string]int
	// Selectable says that rows can be ticked, and Actions are those that at least one of them allows.
	Selectable bool
	Actions    bulkMenu
	// From is the list as a parameter, and Matching names all articles that its filter finds; empty if the page has them.
	From, Matching string
}

// showArticles lists articles.
func showArticles(v *page.Visit) (*page.Answer, error) {
	f := filterOf(v)
	sites, names, err := v.SitesAndNames()
	if err != nil {
		return nil, err
	}
	all, err := v.Counts(v.Workspace, f.Site)
	if err != nil {
		return nil, err
	}
	counts := all.ByStatus
	view := listView{
		Filter: f, Tabs: tabs(v, f, counts), Counts: counts, Sites: sites, First: f.tab(f.Status).path(v),
		Selectable: v.May(v1alpha1.ScopeWrite) || v.May(v1alpha1.ScopeApprove), From: f.list(0).From(),
	}
	found, err := listArticles(v, &view)
	if err != nil {
		return nil, err
	}
	rows := optionalColumns{view.Selectable, len(sites) > 1}
	view.Rows = make([]listRow, 0, len(found)+len(v.Shown))
	for i, a := range found {
		row := rowOf(v, a, names, rows)
		row.Path = view.Filter.list(view.Filter.shown+i+1).Path(v, a.UID, a.Status == page.StatusReview)
		view.Rows = append(view.Rows, row)
	}
	view.Actions = menuOf(bulkActionsOn(found))
	if view.Previous != "" || view.Next != "" {
		view.Matching = matching(f, counts[f.Status])
	}
	view.Rows = append(view.Rows, formerRows(v, found, names, rows)...)
	return v.Page("articles.html", "Articles", view), nil
}

// matching names all articles that a filter finds, as many as can be changed at once. How many a search finds is not counted.
func matching(f listFilter, count int) string {
	if f.Text != "" || count > page.MaxBulk {
		return fmt.Sprintf("the first %d that match", page.MaxBulk)
	}
	return fmt.Sprintf("all %d that match", count)
}

// listArticles returns the articles of the page, and sets the addresses of those beside it.
func listArticles(v *page.Visit, view *listView) ([]restarticle.ArticleSummary, error) {
	f := view.Filter
	got, err := f.list(0).Articles(v, f.before+f.after, f.backwards(), page.ListLimit)
	if err != nil {
		return nil, err
	}
	if f.backwards() && !got.HasMore {
		// It is the first page, which can have got longer since.
		f.after, f.shown = "", 0
		view.Filter = f
		if got, err = f.list(0).Articles(v, f.before+f.after, f.backwards(), page.ListLimit); err != nil {
			return nil, err
		}
	}
	if f.backwards() {
		slices.Reverse(got.Data)
	}
	if len(got.Data) == 0 {
		return nil, nil
	}
	first, last := f.tab(f.Status), f.tab(f.Status)
	first.after, last.before = got.Data[0].ID, got.Data[len(got.Data)-1].ID
	first.shown, last.shown = max(0, f.shown-page.ListLimit), f.shown+len(got.Data)
	if f.before != "" || f.backwards() {
		view.Previous = first.path(v)
	}
	if got.HasMore || f.backwards() {
		view.Next = last.path(v)
	}
	return got.Data, nil
}

// formerRows are the articles that the page had when it was loaded, and that the list does not have any more. They stay, with what has
// become of them, so that nothing moves under a pointer.
func formerRows(v *page.Visit, found []restarticle.ArticleSummary, names map[string]string, list optionalColumns) []listRow {
	var rows []listRow
	for _, uid := range v.Shown {
		if slices.ContainsFunc(found, func(a restarticle.ArticleSummary) bool { return a.UID == uid }) {
			continue
		}
		row := listRow{UID: uid, Title: "Deleted", Tick: list.tick, Site: list.site}
		a, err := page.Call(v, restarticle.Get, restarticle.GetInput{OnArticle: restarticle.OnArticle{UID: uid}})
		if err == nil {
			row = rowOf(v, a.Body.ArticleSummary, names, list)
		}
		row.Gone = true
		rows = append(rows, row)
	}
	return rows
}

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	const list = "/w/:workspace/articles"
	return page.Area{Templates: templates, Routes: []page.Route{
		page.Show(list, v1alpha1.ScopeRead, showArticles),
		page.Show(list+"/bulk", v1alpha1.ScopeRead, showBulkResults),
		page.Form(list+"/bulk", review.Bulk, page.Sent(changeMany)).For(v1alpha1.ScopeRead),
	}}
}
