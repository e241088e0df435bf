package dashboard

import (
	"html/template"
	"net/url"
	"strconv"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// listLimit is how many articles a page of the list has.
const listLimit = 50

// allStatuses is the tab with the articles of every status.
const allStatuses = "all"

// listFilter says which articles the list shows. It is the query of the page's address.
type listFilter struct {
	// Status is that of the tab; allStatuses for all.
	Status string
	// Site is the uid of a site, Text what was searched for.
	Site, Text string
	Oldest     bool
	// before is the _id of the article after which the page begins, after that of the one before which it ends. At most one is set.
	before, after string
}

// listFilter reads the filter of the page. Whoever may approve begins with what waits for them.
func (v *visit) listFilter() listFilter {
	f := listFilter{
		Status: v.query("status"), Site: v.query("site"), Text: v.query("q"), Oldest: v.query("order") == "oldest",
		before: v.query("before"), after: v.query("after"),
	}
	if f.Status == "" {
		f.Status = allStatuses
		if v.may(v1alpha1.ScopeApprove) {
			f.Status = "review"
		}
	}
	if f.before != "" {
		f.after = ""
	}
	return f
}

// Narrow reports whether anything but the status is chosen.
func (f listFilter) Narrow() bool { return f.Site != "" || f.Text != "" }

// values is the filter as the query of a page's address.
func (f listFilter) values() url.Values {
	out := url.Values{"status": {f.Status}}
	order := ""
	if f.Oldest {
		order = "oldest"
	}
	for name, value := range map[string]string{"site": f.Site, "q": f.Text, "order": order, "before": f.before, "after": f.after} {
		if value != "" {
			out.Set(name, value)
		}
	}
	return out
}

// tab is the filter of the first page of another status.
func (f listFilter) tab(status string) listFilter {
	f.Status, f.before, f.after = status, "", ""
	return f
}

// path is the address of a list.
func (f listFilter) path(v *visit) string { return f.below(v.path("articles")) }

func (f listFilter) below(list string) string { return list + "?" + f.values().Encode() }

// backwards reports whether the page is read from its end: the articles before one are those that follow it in the other order.
func (f listFilter) backwards() bool { return f.after != "" }

// query is the filter as the query of list-articles.
func (f listFilter) query() url.Values {
	out := url.Values{"limit": {strconv.Itoa(listLimit)}}
	if f.Status != allStatuses {
		out.Set("status", f.Status)
	}
	if f.Oldest != f.backwards() {
		out.Set("order", "oldest")
	}
	for name, value := range map[string]string{"site_uid": f.Site, "q": f.Text, "cursor": f.before + f.after} {
		if value != "" {
			out.Set(name, value)
		}
	}
	return out
}

// listTab is a tab of the list.
type listTab struct {
	Text, Path string
	Count      int
	Current    bool
}

// tabOrder are the tabs: what waits for people comes first.
var tabOrder = [...]string{
	"review", "generating", "draft", "approved", "scheduled", "published", "rejected", "failed", "archived", allStatuses,
}

// tabsView is what the tabs are made of.
type tabsView struct {
	// list is the path of the list.
	list   string
	filter listFilter
	counts [len(tabOrder)]int
}

// tabs returns the tabs with the numbers of their articles.
func (v *visit) tabs(f listFilter, counts map[string]int) (template.HTML, error) {
	view := tabsView{list: v.path("articles"), filter: f.tab(f.Status)}
	for i, status := range tabOrder {
		view.counts[i] = counts[status]
	}
	return fragmentOf(v.dashboard, "articles-tabs", view)
}

// Tabs returns each of them.
func (t tabsView) Tabs() []listTab {
	out := make([]listTab, 0, len(tabOrder))
	for i, status := range tabOrder {
		text := statusWord(status)
		if status == allStatuses {
			text = "All"
		}
		out = append(out, listTab{
			Text: text, Path: t.filter.tab(status).below(t.list), Count: t.counts[i], Current: status == t.filter.Status,
		})
	}
	return out
}
