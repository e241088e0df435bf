// Package eventsubscriptions has the pages of event subscriptions and their deliveries.
package eventsubscriptions

import (
	"embed"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/eventsubscription"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
)

//go:embed *.html
var templates embed.FS

// Area returns the routes of these pages, and their templates.
func Area() page.Area {
	const one = "/w/:workspace/events/:uid"
	return page.Area{Templates: templates, Routes: []page.Route{
		page.Show("/w/:workspace/events", v1alpha1.ScopeRead, showSubscriptions),
		page.Show("/w/:workspace/events/new", v1alpha1.ScopeWrite, newSubscription),
		page.Form("/w/:workspace/events/new", eventsubscription.Create, page.Sent(createSubscription)),
		page.Show(one, v1alpha1.ScopeRead, showSubscription),
		page.Show(one+"/edit", v1alpha1.ScopeWrite, showEditSubscription),
		page.Form(one+"/edit", eventsubscription.Update, page.Sent(editSubscription)),
		page.Form(one+"/delete", eventsubscription.Delete, deleteSubscription),
		page.Form(one+"/resume", eventsubscription.Update, resumeSubscription),
		page.Form(one+"/test", eventsubscription.Test, testSubscription),
		page.Form(one+"/rotate", eventsubscription.RotateSecret, rotateEventSecret),
		page.Form(one+"/redeliver", eventsubscription.Redeliver, page.Sent(redeliverEvent)),
	}}
}

type subscriptionRow struct {
	eventsubscription.EventSubscription

	State    page.Mark
	SiteName string
}

// subscriptionsView is the data of the list of subscriptions.
type subscriptionsView struct {
	Rows    []subscriptionRow
	MayEdit bool
}

func showSubscriptions(v *page.Visit) (*page.Answer, error) {
	list, err := page.Call(v, eventsubscription.List, operation.InWorkspace{})
	if err != nil {
		return nil, err
	}
	sites, err := v.Sites()
	if err != nil {
		return nil, err
	}
	view := subscriptionsView{MayEdit: v.May(v1alpha1.ScopeWrite)}
	for _, s := range list.Body.Data {
		view.Rows = append(view.Rows, subscriptionRowOf(s, sites))
	}
	return v.Page("eventsubscriptions.html", "Events", view), nil
}

func subscriptionRowOf(s eventsubscription.EventSubscription, sites []restsite.Site) subscriptionRow {
	row := subscriptionRow{EventSubscription: s, State: page.Words.Subscriptions[s.Status]}
	if s.SiteUID == nil {
		return row
	}
	row.SiteName = "a site that no longer exists"
	for _, site := range sites {
		if site.UID == *s.SiteUID {
			row.SiteName = site.Name
		}
	}
	return row
}

// subscriptionView is the data of the page of a subscription.
type subscriptionView struct {
	subscriptionRow

	MayEdit    bool
	Deliveries []eventDeliveryRow
	// First and Older are paths of pages of the deliveries; empty if there is none.
	First, Older string
}

type eventDeliveryRow struct {
	eventsubscription.EventDelivery

	State page.Mark
	// Ended says that the event can be redelivered.
	Ended bool
}

// Log returns the attempts of the delivery.
func (r eventDeliveryRow) Log(l *page.Layout) page.AttemptsView {
	return l.Attempts("Attempts of "+r.UID, r.Attempts)
}

func showSubscription(v *page.Visit) (*page.Answer, error) {
	row, err := readSubscription(v)
	if err != nil {
		return nil, err
	}
	out, err := page.Call(v, eventsubscription.ListDeliveries,
		eventsubscription.ListDeliveriesInput{OnSubscription: onSubscription(v), Cursor: v.Query("before")})
	if err != nil {
		return nil, err
	}
	list, view := out.Body, subscriptionView{subscriptionRow: row, MayEdit: v.May(v1alpha1.ScopeWrite)}
	for _, d := range list.Data {
		view.Deliveries = append(view.Deliveries, eventDeliveryRow{
			d, page.Words.Deliveries[d.Status], page.Ended(d.Status),
		})
	}
	here := v.Path("events", v.Param("uid"))
	if v.Query("before") != "" {
		view.First = here
	}
	if list.HasMore && list.NextCursor != nil {
		view.Older = page.WithQuery(here, "before", *list.NextCursor)
	}
	return v.Page("eventsubscription.html", "Subscription", view), nil
}

func readSubscription(v *page.Visit) (subscriptionRow, error) {
	s, err := page.Call(v, eventsubscription.Get, onSubscription(v))
	if err != nil {
		return subscriptionRow{}, err
	}
	sites, err := v.Sites()
	return subscriptionRowOf(s.Body.EventSubscription, sites), err
}

// onSubscription names the subscription of the page.
func onSubscription(v *page.Visit) eventsubscription.OnSubscription {
	return eventsubscription.OnSubscription{UID: v.Param("uid")}
}

// back leads back to the page of the subscription after an operation.
func back(v *page.Visit, done string, err error) (*page.Answer, error) {
	return v.Back(v.Path("events", v.Param("uid")), done, err)
}

func resumeSubscription(v *page.Visit) (*page.Answer, error) {
	_, err := page.Call(v, eventsubscription.Update, eventsubscription.UpdateInput{
		OnSubscription: onSubscription(v), Body: eventsubscription.UpdateEventSubscriptionRequest{Disabled: patch.Of(false)},
	})
	return back(v, "Resumed. The events that wait are sent within a minute.", err)
}

func testSubscription(v *page.Visit) (*page.Answer, error) {
	_, err := page.Call(v, eventsubscription.Test, eventsubscription.CommandInput{OnSubscription: onSubscription(v)})
	return back(v, "The test event has been asked for. It appears below within a few seconds.", err)
}

func redeliverEvent(v *page.Visit, on eventsubscription.OnDelivery) (*page.Answer, error) {
	on.OnSubscription = onSubscription(v)
	_, err := page.Call(v, eventsubscription.Redeliver, eventsubscription.RedeliverInput{OnDelivery: on})
	return back(v, "The event is sent again within a few seconds.", err)
}
