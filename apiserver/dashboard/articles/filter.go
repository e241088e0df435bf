package articles

import (
	"net/url"
	"slices"
	"strconv"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
)

// listFilter says which articles the list shows. It is the query of the page's address.
type listFilter struct {
	// Status is that of the tab; allStatuses for all.
	Status string
	// Site is the uid of a site, Text what was searched for.
	Site, Text string
	Oldest     bool
	// before is the _id of the article after which the page begins; after is the _id of the article before which it ends. At most one is
	// set.
	before, after string
	// shown is how many articles the pages before this one have.
	shown int
}

// filterOf reads the filter of the page. Anyone who may approve begins with what waits for them.
func filterOf(v *page.Visit) listFilter {
	f := listFilter{
		Status: v.Query("status"), Site: v.Query("site"), Text: v.Query("q"), Oldest: v.Query("order") == "oldest",
		before: v.Query("before"), after: v.Query("after"),
	}
	if f.Status == "" {
		f.Status = page.AllStatuses
		if v.May(v1alpha1.ScopeApprove) {
			f.Status = "review"
		}
	}
	if f.Text != "" && v.Query("first") != "" {
		// A search begins in all statuses. The tabs are a filter beside it.
		f.Status = page.AllStatuses
	}
	if f.before != "" {
		f.after = ""
	}
	if n, err := strconv.Atoi(v.Query("n")); err == nil && n > 0 && f.before+f.after != "" {
		f.shown = n
	}
	return f
}

// Narrow reports whether anything but the status is chosen.
func (f listFilter) Narrow() bool { return f.Site != "" || f.Text != "" }

// values is the filter as the query of a page's address.
func (f listFilter) values() url.Values {
	order, shown := "", ""
	if f.Oldest {
		order = "oldest"
	}
	if f.shown > 0 {
		shown = strconv.Itoa(f.shown)
	}
	return page.Parameters("status", f.Status, "site", f.Site, "q", f.Text, "order", order, "before", f.before, "after", f.after,
		"n", shown)
}

// tab is the filter of the first page of another status.
func (f listFilter) tab(status string) listFilter {
	f.Status, f.before, f.after, f.shown = status, "", "", 0
	return f
}

// path is the address of a list.
func (f listFilter) path(v *page.Visit) string { return v.Path("articles") + "?" + f.values().Encode() }

// backwards reports whether the page is read from its end: the articles before one are those that follow it in the other order.
func (f listFilter) backwards() bool { return f.after != "" }

// list is the list that an article is opened from.
func (f listFilter) list(at int) page.List { return page.List{Query: f.tab(f.Status).values(), At: at} }

// listTab is a tab of the list.
type listTab struct {
	Text, Path string
	Count      int
	Current    bool
}

// tabOrder are the tabs: what waits for people comes first.
var tabOrder = [...]string{
	"review", "generating", "draft", "approved", "scheduled", "published", "rejected", "failed", "archived", page.AllStatuses,
}

// alwaysTabs are shown even if they have no article.
var alwaysTabs = []string{page.StatusReview, "scheduled", page.StatusPublished, page.AllStatuses}

// tabs returns the tabs with the numbers of their articles: those that have any, the one that is open, and a few others.
func tabs(v *page.Visit, f listFilter, counts map[string]int) []listTab {
	out := make([]listTab, 0, len(tabOrder))
	for _, status := range tabOrder {
		if counts[status] == 0 && status != f.Status && !slices.Contains(alwaysTabs, status) {
			continue
		}
		text := page.StatusWord(status)
		if status == page.AllStatuses {
			text = "All"
		}
		out = append(out, listTab{Text: text, Path: f.tab(status).path(v), Count: counts[status], Current: status == f.Status})
	}
	return out
}
