// Package eventsubscriptions has the pages of event subscriptions and their deliveries.
package eventsubscriptions

import (
	"embed"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
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
		page.Form("/w/:workspace/events/new", v1alpha1.ScopeWrite, "create-event-subscription", createSubscription),
		page.Show(one, v1alpha1.ScopeRead, showSubscription),
		page.Show(one+"/edit", v1alpha1.ScopeWrite, showEditSubscription),
		page.Form(one+"/edit", v1alpha1.ScopeWrite, "update-event-subscription", editSubscription),
		page.Form(one+"/delete", v1alpha1.ScopeWrite, "delete-event-subscription", deleteSubscription),
		page.Form(one+"/resume", v1alpha1.ScopeWrite, "update-event-subscription", resumeSubscription),
		page.Form(one+"/test", v1alpha1.ScopeWrite, "test-event-subscription", testSubscription),
		page.Form(one+"/rotate", v1alpha1.ScopeWrite, "rotate-event-secret", rotateEventSecret),
		page.Form(one+"/redeliver", v1alpha1.ScopeWrite, "redeliver-event", redeliverEvent),
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
	list, err := page.Call[eventsubscription.EventSubscriptionList](v, rest.Request{Operation: "list-event-subscriptions"})
	if err != nil {
		return nil, err
	}
	sites, err := v.Sites()
	if err != nil {
		return nil, err
	}
	view := subscriptionsView{MayEdit: v.May(v1alpha1.ScopeWrite)}
	for _, s := range list.Data {
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
	r := onSubscription(v, "list-event-deliveries")
	r.Query = page.Parameters("cursor", v.Query("before"))
	list, err := page.Call[eventsubscription.EventDeliveryList](v, r)
	if err != nil {
		return nil, err
	}
	view := subscriptionView{subscriptionRow: row, MayEdit: v.May(v1alpha1.ScopeWrite)}
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
	s, err := page.Call[eventsubscription.EventSubscriptionAnswer](v, onSubscription(v, "get-event-subscription"))
	if err != nil {
		return subscriptionRow{}, err
	}
	sites, err := v.Sites()
	return subscriptionRowOf(s.EventSubscription, sites), err
}

func onSubscription(v *page.Visit, operation string) rest.Request {
	return rest.Request{Operation: operation, Path: map[string]string{"uid": v.Param("uid")}}
}

// doOnSubscription does an operation on the subscription of the page, and leads back to it.
func doOnSubscription(v *page.Visit, r rest.Request, done string) (*page.Answer, error) {
	if r.Body == nil {
		r.Body = operation.NoRequest{}
	}
	_, err := page.Call[operation.Envelope](v, r)
	return v.Back(v.Path("events", v.Param("uid")), done, err)
}

func resumeSubscription(v *page.Visit) (*page.Answer, error) {
	r := onSubscription(v, "update-event-subscription")
	r.Body = eventsubscription.UpdateEventSubscriptionRequest{Disabled: patch.Of(false)}
	return doOnSubscription(v, r, "Resumed. The events that wait are sent within a minute.")
}

func testSubscription(v *page.Visit) (*page.Answer, error) {
	return doOnSubscription(v, onSubscription(v, "test-event-subscription"),
		"The test event has been asked for. It appears below within a few seconds.")
}

func redeliverEvent(v *page.Visit) (*page.Answer, error) {
	r := onSubscription(v, "redeliver-event")
	r.Path["delivery_uid"] = v.Form("delivery")
	return doOnSubscription(v, r, "The event is sent again within a few seconds.")
}
