package dashboard

import (
	"html/template"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// listView is the data of the list of articles.
type listView struct {
	Filter listFilter
	Tabs   template.HTML
	// Sites of the workspace.
	Sites []rest.Site
	Rows  []listRow
	// HTML is that of the rows.
	HTML []template.HTML
	// Previous and Next are the addresses of the pages beside this one; empty if there is none. First is that of the first one.
	Previous, Next, First string
	// Empty says why there is no row.
	Empty *emptyList
	// Selectable says that rows can be ticked, and Actions are those that at least one of them allows.
	Selectable bool
	Actions    []bulkAction
}

func listRoutes() []route {
	return []route{page("/w/:workspace/articles", v1alpha1.ScopeRead, showArticles)}
}

// showArticles lists articles.
func showArticles(v *visit) (*answer, error) {
	f := v.listFilter()
	sites, names, err := v.sitesAndNames()
	if err != nil {
		return nil, err
	}
	counts, err := v.counts(v.workspace, f.Site)
	if err != nil {
		return nil, err
	}
	view := listView{
		Filter: f, Sites: sites, First: f.tab(f.Status).path(v), Selectable: v.may(v1alpha1.ScopeWrite) || v.may(v1alpha1.ScopeApprove),
	}
	if view.Tabs, err = v.tabs(f, byStatus(counts)); err != nil {
		return nil, err
	}
	found, err := v.listed(&view)
	if err != nil {
		return nil, err
	}
	rows := rowsOf{v.path("articles"), view.Selectable, len(sites) > 1}
	view.Rows = make([]listRow, 0, len(found)+len(v.shown))
	for _, a := range found {
		view.Rows = append(view.Rows, v.row(a, names, rows))
	}
	view.Actions = v.bulkActionsOn(found)
	if len(found) == 0 {
		view.Empty = v.emptyList(f, byStatus(counts), len(sites))
	}
	view.Rows = append(view.Rows, v.goneRows(found, names, rows)...)
	if view.HTML, err = v.dashboard.rowsHTML(view.Rows); err != nil {
		return nil, err
	}
	return v.page("articles.html", "Articles", view), nil
}

// listed returns the articles of the page, and sets the addresses of those beside it.
func (v *visit) listed(view *listView) ([]rest.ArticleSummary, error) {
	f := view.Filter
	got, err := call[rest.ArticlePage](v, rest.Request{Operation: "list-articles", Query: f.query()})
	if err != nil {
		return nil, err
	}
	if f.backwards() && !got.HasMore {
		// It is the first page, which can have got longer since.
		f.after = ""
		if got, err = call[rest.ArticlePage](v, rest.Request{Operation: "list-articles", Query: f.query()}); err != nil {
			return nil, err
		}
	}
	if f.backwards() {
		// The answer of an operation must not be changed.
		got.Data = slices.Clone(got.Data)
		slices.Reverse(got.Data)
	}
	if len(got.Data) == 0 {
		return nil, nil
	}
	first, last := f.tab(f.Status), f.tab(f.Status)
	first.after, last.before = got.Data[0].ID, got.Data[len(got.Data)-1].ID
	if f.before != "" || f.backwards() {
		view.Previous = first.path(v)
	}
	if got.HasMore || f.backwards() {
		view.Next = last.path(v)
	}
	return got.Data, nil
}

// goneRows are the articles that the page had when it was loaded, and that the list does not have any more. They stay, with what has become
// of them, so that nothing moves under a pointer.
func (v *visit) goneRows(found []rest.ArticleSummary, names map[string]string, list rowsOf) []listRow {
	var rows []listRow
	for _, uid := range v.shown {
		if slices.ContainsFunc(found, func(a rest.ArticleSummary) bool { return a.UID == uid }) {
			continue
		}
		row := listRow{UID: uid, Title: "Deleted", Tick: list.tick, Site: list.site}
		if a, err := call[rest.Article](v, rest.Request{Operation: "get-article", Path: map[string]string{"uid": uid}}); err == nil {
			row = v.row(a.ArticleSummary, names, list)
		}
		row.Gone = true
		rows = append(rows, row)
	}
	return rows
}
