package dashboard

import (
	"cmp"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// listView is the data of the list of articles.
type listView struct {
	Filter listFilter
	Tabs   []listTab
	// Sites of the workspace.
	Sites []rest.Site
	Rows  []listRow
	// Previous and Next are the addresses of the pages beside this one; empty if there is none. First is that of the first one.
	Previous, Next, First string
	// Empty says why there is no row.
	Empty *emptyList
	// Selectable says that rows can be ticked, and Actions are those that at least one of them allows.
	Selectable bool
	Actions    []bulkAction
}

// listRow is an article in the list.
type listRow struct {
	rest.ArticleSummary

	Title, Path, SiteName string
	// Time is shown after TimeWord.
	TimeWord string
	Time     any
	// Reason says why the article is in its status; empty if that says it all.
	Reason string
	// Gone means that the article is in the list no more: it was there when the page was loaded.
	Gone bool
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
		Filter: f, Sites: sites, Tabs: v.tabs(f, byStatus(counts)), First: f.tab(f.Status).path(v),
		Selectable: v.may(v1alpha1.ScopeWrite) || v.may(v1alpha1.ScopeApprove),
	}
	found, err := v.listed(&view)
	if err != nil {
		return nil, err
	}
	for _, a := range found {
		view.Rows = append(view.Rows, v.row(a, names))
	}
	view.Actions = v.bulkActionsOn(found)
	if len(found) == 0 {
		view.Empty = v.emptyList(f, byStatus(counts), len(sites))
	}
	view.Rows = append(view.Rows, v.goneRows(found, names)...)
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
func (v *visit) goneRows(found []rest.ArticleSummary, names map[string]string) []listRow {
	var rows []listRow
	for _, uid := range v.shown {
		if slices.ContainsFunc(found, func(a rest.ArticleSummary) bool { return a.UID == uid }) {
			continue
		}
		row := listRow{ArticleSummary: rest.ArticleSummary{UID: uid}, Gone: true, Title: "Deleted"}
		if a, err := call[rest.Article](v, rest.Request{Operation: "get-article", Path: map[string]string{"uid": uid}}); err == nil {
			row = v.row(a.ArticleSummary, names)
			row.Gone = true
		}
		rows = append(rows, row)
	}
	return rows
}

// row returns an article as a row of the list.
func (v *visit) row(a rest.ArticleSummary, siteNames map[string]string) listRow {
	row := listRow{
		ArticleSummary: a, Title: rowTitle(a), Path: v.path("articles", a.UID), SiteName: cmp.Or(siteNames[a.SiteUID], "a deleted site"),
		TimeWord: "made", Time: a.CreatedAt, Reason: rowReason(a),
	}
	if a.Status == statusReview {
		row.Path = withQuery(row.Path, "next", "1")
	}
	switch {
	case a.PublishedAt != nil:
		row.TimeWord, row.Time = "published", a.PublishedAt
	case a.PublishAt != nil:
		row.TimeWord, row.Time = "to be published", a.PublishAt
	}
	return row
}

// rowTitle is what an article is called where there is no text yet.
func rowTitle(a rest.ArticleSummary) string { return cmp.Or(a.Title, a.TargetKeyword, "Untitled") }

// rowReason says why an article is in its status, if that needs saying.
func rowReason(a rest.ArticleSummary) string {
	failed := a.Publication != nil && a.Publication.State == "failed"
	switch a.Status {
	case "published":
		if failed {
			return "It is published. Sending it again failed: " + a.StatusMessage
		}
		return ""
	case "review":
		if a.Reasons.Approved == "awaiting_review" {
			return ""
		}
	case "rejected":
		if a.Review != nil {
			return a.Review.Note
		}
	case "draft", "archived", "scheduled":
		return ""
	}
	return a.StatusMessage
}
