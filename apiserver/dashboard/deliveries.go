package dashboard

import (
	"cmp"
	"net/url"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// deliveriesPageSize is how many articles are on a page.
const deliveriesPageSize = "50"

func deliveryRoutes() []route {
	return []route{
		page("/w/:workspace/deliveries", v1alpha1.ScopeRead, showDeliveries),
		form("/w/:workspace/deliveries/redeliver-failed", v1alpha1.ScopeWrite, "bulk-articles", redeliverFailed),
	}
}

// deliveriesView is the data of the list of deliveries.
type deliveriesView struct {
	Tabs  []deliveryTab
	State string
	Mark  mark
	// Site is the uid of the site that is chosen, and SiteName its name; empty for all.
	Site, SiteName string
	Sites          []rest.Site
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
	rest.ArticleSummary

	SiteName, ReasonText, Advice string
	// Redeliver offers to send the article again.
	Redeliver bool
}

func showDeliveries(v *visit) (*answer, error) {
	sites, names, err := v.sitesAndNames()
	if err != nil {
		return nil, err
	}
	view := deliveriesView{State: v.query("state"), Sites: sites, MayRedeliver: v.may(v1alpha1.ScopeWrite), MaxAttempts: maxAttempts}
	if view.Mark = deliveryMark(view.State); view.Mark.Class == "" {
		view.State, view.Mark = stateFailed, deliveryMark(stateFailed)
	}
	if name, ok := names[v.query("site")]; ok {
		view.Site, view.SiteName = v.query("site"), name
	}
	page, err := v.deliveriesIn(view.State, view.Site, v.query("before"), deliveriesPageSize)
	if err != nil {
		return nil, err
	}
	for _, a := range page.Data {
		row := deliveryRow{
			ArticleSummary: a, SiteName: names[a.SiteUID], Redeliver: view.MayRedeliver && ended(view.State) && a.Status != "archived",
		}
		if a.Publication != nil {
			row.ReasonText = reasonWord(a.Publication.Reason)
			row.Advice = advice(a.Publication.Reason, a.Publication.HTTPStatus)
		}
		view.Rows = append(view.Rows, row)
	}
	if err := v.countDeliveries(&view); err != nil {
		return nil, err
	}
	view.pages(v, page)
	return v.page("deliveries.html", "Deliveries", view), nil
}

// deliveriesIn returns articles whose last delivery is in a state, of a site or of all.
func (v *visit) deliveriesIn(state, site, before, limit string) (rest.ArticlePage, error) {
	query := url.Values{"publication": {state}, "limit": {limit}}
	if site != "" {
		query.Set("site_uid", site)
	}
	if before != "" {
		query.Set("cursor", before)
	}
	return call[rest.ArticlePage](v, rest.Request{Operation: "list-articles", Query: query})
}

// countDeliveries adds the tabs with their counts, and offers to redeliver what has failed of one site.
func (v *visit) countDeliveries(view *deliveriesView) error {
	counts, err := v.counts(v.workspace, view.Site)
	if err != nil {
		return err
	}
	n := counts.ByPublication
	number := map[string]int{
		stateFailed: n.Failed, stateRetrying: n.RetryScheduled, stateInProgress: n.Delivering, stateDelivered: n.Delivered,
	}
	for _, s := range deliveryStates {
		view.Tabs = append(view.Tabs, deliveryTab{
			deliveriesPath(v, s.state, view.Site, ""), s.mark.Text, number[s.state], s.state == view.State,
		})
	}
	if view.State == stateFailed && view.MayRedeliver && (view.Site != "" || len(view.Sites) == 1) {
		view.Failed, view.RedeliverSite = min(number[stateFailed], maxRedelivered), cmp.Or(view.Site, view.Sites[0].UID)
	}
	return nil
}

func (view *deliveriesView) pages(v *visit, page rest.ArticlePage) {
	if v.query("before") != "" {
		view.First = deliveriesPath(v, view.State, view.Site, "")
	}
	if page.HasMore && page.NextCursor != nil {
		view.Older = deliveriesPath(v, view.State, view.Site, *page.NextCursor)
	}
}
