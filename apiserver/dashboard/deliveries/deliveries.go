// Package deliveries has the list of articles by the state of their last delivery, and the log of those of an article.
package deliveries

import (
	"cmp"
	"embed"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/review"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	return page.Area{Templates: templates, Routes: []page.Route{
		page.Show("/w/:workspace/deliveries", v1alpha1.ScopeRead, showDeliveries),
		page.Form("/w/:workspace/deliveries/redeliver-failed", review.Bulk, page.Sent(redeliverFailed)),
		page.Show("/w/:workspace/articles/:uid/deliveries", v1alpha1.ScopeRead, showArticleDeliveries),
		page.Form("/w/:workspace/deliveries/redeliver", restarticle.Redeliver, page.Sent(redeliverOne)),
	}}
}

// deliveriesPageSize is how many articles are on a page.
const deliveriesPageSize = 50

// deliveriesView is the data of the list of deliveries.
type deliveriesView struct {
	Tabs  []deliveryTab
	State string
	Mark  page.Mark
	// Site is the uid of the site that is chosen, and SiteName its name; empty for all.
	Site, SiteName string
	Sites          []restsite.Site
	Rows           []deliveryRow
	// MayRedeliver offers to redeliver each row. Failed is how many articles a form redelivers at once, of the site RedeliverSite.
	MayRedeliver  bool
	Failed        int
	RedeliverSite string
	// First and Older are paths of pages; empty if there is none.
	First, Older string
	MaxAttempts  int
}

type deliveryTab struct {
	Path, Text string
	Count      int
	Current    bool
}

type deliveryRow struct {
	restarticle.ArticleSummary

	SiteName, ReasonText, Advice string
	// Redeliver offers to send the article again.
	Redeliver bool
}

func showDeliveries(v *page.Visit) (*page.Answer, error) {
	sites, names, err := v.SitesAndNames()
	if err != nil {
		return nil, err
	}
	view := deliveriesView{State: v.Query("state"), Sites: sites, MayRedeliver: v.May(v1alpha1.ScopeWrite), MaxAttempts: page.MaxAttempts}
	if name, ok := names[v.Query("site")]; ok {
		view.Site, view.SiteName = v.Query("site"), name
	}
	counts, err := v.Counts(v.Workspace, view.Site)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(deliveryStates, view.State) {
		view.State = firstState(counts.ByPublication)
	}
	view.Mark = deliveryMark(view.State)
	list, err := deliveriesIn(v, view.State, view.Site, v.Query("before"), deliveriesPageSize)
	if err != nil {
		return nil, err
	}
	for _, a := range list.Data {
		row := deliveryRow{
			ArticleSummary: a, SiteName: names[a.SiteUID], Redeliver: view.MayRedeliver && page.Ended(view.State) && a.Status != "archived",
		}
		if a.Publication != nil {
			row.ReasonText = page.ReasonWord(a.Publication.Reason)
			row.Advice = page.Advice(a.Publication.Reason, a.Publication.HTTPStatus)
		}
		view.Rows = append(view.Rows, row)
	}
	view.count(v, counts.ByPublication)
	view.pages(v, list)
	return v.Page("deliveries.html", "Deliveries", view), nil
}

func deliveriesIn(v *page.Visit, state, site, before string, limit int) (articlelist.ArticlePage, error) {
	found, err := page.Call(v, articlelist.List, articlelist.ListInput{
		OfSite: articlelist.OfSite{SiteUID: operation.SiteUID(site)}, Publication: state, Cursor: articlelist.Cursor(before), Limit: limit,
	})
	return found.Body, err
}

// firstState is the tab that the page opens with: the first one that has something.
func firstState(number map[string]int) string {
	for _, s := range deliveryStates {
		if number[s] > 0 {
			return s
		}
	}
	return page.StateFailed
}

// count adds the tabs with their counts, and offers to redeliver what has failed of one site.
func (view *deliveriesView) count(v *page.Visit, number map[string]int) {
	for _, s := range deliveryStates {
		view.Tabs = append(view.Tabs, deliveryTab{deliveriesPath(v, s, view.Site, ""), deliveryMark(s).Text, number[s], s == view.State})
	}
	if view.State == page.StateFailed && view.MayRedeliver && (view.Site != "" || len(view.Sites) == 1) {
		view.Failed, view.RedeliverSite = min(number[page.StateFailed], page.MaxBulk), cmp.Or(view.Site, view.Sites[0].UID)
	}
}

func (view *deliveriesView) pages(v *page.Visit, list articlelist.ArticlePage) {
	if v.Query("before") != "" {
		view.First = deliveriesPath(v, view.State, view.Site, "")
	}
	if list.HasMore && list.NextCursor != nil {
		view.Older = deliveriesPath(v, view.State, view.Site, *list.NextCursor)
	}
}

// deliveryStates are the tabs, in their order.
var deliveryStates = []string{page.StateFailed, page.StateRetrying, page.StateInProgress, page.StateDelivered}

// deliveryMark returns a state of a delivery in words.
func deliveryMark(state string) page.Mark {
	if slices.Contains(deliveryStates, state) {
		return page.Words.Deliveries[state]
	}
	return page.Mark{Text: "Nothing sent"}
}

// deliveriesPath returns the path of a page of the list of deliveries: those in a state, of a site or of all, from a cursor on.
func deliveriesPath(v *page.Visit, state, site, before string) string {
	return page.WithQuery(v.Path("deliveries"), "state", state, "site", site, "before", before)
}
