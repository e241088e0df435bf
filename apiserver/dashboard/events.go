package dashboard

import (
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

func eventRoutes() []route {
	const one = "/w/:workspace/events/:uid"
	return []route{
		page("/w/:workspace/events", v1alpha1.ScopeRead, showSubscriptions),
		page("/w/:workspace/events/new", v1alpha1.ScopeWrite, newSubscription),
		form("/w/:workspace/events/new", v1alpha1.ScopeWrite, "create-event-subscription", createSubscription),
		page(one, v1alpha1.ScopeRead, showSubscription),
		page(one+"/edit", v1alpha1.ScopeWrite, showEditSubscription),
		form(one+"/edit", v1alpha1.ScopeWrite, "edit-event-subscription", editSubscription),
		form(one+"/delete", v1alpha1.ScopeWrite, "delete-event-subscription", deleteSubscription),
		form(one+"/resume", v1alpha1.ScopeWrite, "resume-event-subscription", resumeSubscription),
		form(one+"/test", v1alpha1.ScopeWrite, "test-event-subscription", testSubscription),
		form(one+"/rotate", v1alpha1.ScopeWrite, "rotate-event-secret", rotateEventSecret),
		form(one+"/redeliver", v1alpha1.ScopeWrite, "redeliver-event", redeliverEvent),
	}
}

// subscriptionMarks are the statuses of subscriptions in words.
var subscriptionMarks = map[string]mark{
	"active": {"ok", "Active"}, "failing": {"warn", "Failing"}, "suspended": {"failed", "Suspended"}, "blocked": {"failed", "Blocked"},
}

// eventDeliveryMarks are the statuses of deliveries of events in words.
var eventDeliveryMarks = map[string]mark{
	"pending": {"", "Waits"}, stateInProgress: {inProgress, "In progress"}, stateRetrying: {"retrying", "Retrying"},
	stateDelivered: {"delivered", "Delivered"}, stateFailed: {"failed", "Failed"},
}

type subscriptionRow struct {
	rest.EventSubscription

	State    mark
	SiteName string
}

// subscriptionsView is the data of the list of subscriptions.
type subscriptionsView struct {
	Rows    []subscriptionRow
	MayEdit bool
}

func showSubscriptions(v *visit) (*answer, error) {
	list, err := call[rest.EventSubscriptionList](v, rest.Request{Operation: "list-event-subscriptions"})
	if err != nil {
		return nil, err
	}
	sites, err := v.sites()
	if err != nil {
		return nil, err
	}
	view := subscriptionsView{MayEdit: v.may(v1alpha1.ScopeWrite)}
	for _, s := range list.Data {
		view.Rows = append(view.Rows, subscriptionRowOf(s, sites))
	}
	return v.page("events.html", "Events", view), nil
}

func subscriptionRowOf(s rest.EventSubscription, sites []rest.Site) subscriptionRow {
	row := subscriptionRow{EventSubscription: s, State: subscriptionMarks[s.Status]}
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
	rest.EventDelivery

	State mark
	// Ended says that the event can be redelivered.
	Ended bool
}

// Log returns the attempts of the delivery.
func (r eventDeliveryRow) Log(l *layout) attemptsView {
	return l.attempts("Attempts of "+r.UID, r.Attempts)
}

func showSubscription(v *visit) (*answer, error) {
	row, err := v.subscription()
	if err != nil {
		return nil, err
	}
	page, err := v.eventDeliveries()
	if err != nil {
		return nil, err
	}
	view := subscriptionView{subscriptionRow: row, MayEdit: v.may(v1alpha1.ScopeWrite)}
	for _, d := range page.Data {
		view.Deliveries = append(view.Deliveries, eventDeliveryRow{
			d, eventDeliveryMarks[d.Status], ended(d.Status),
		})
	}
	here := v.path("events", v.param("uid"))
	if v.query("before") != "" {
		view.First = here
	}
	if page.HasMore && page.NextCursor != nil {
		view.Older = here + "?" + urlQuery("before", *page.NextCursor)
	}
	return v.page("event.html", "Subscription", view), nil
}

// subscription returns the subscription of the page.
func (v *visit) subscription() (subscriptionRow, error) {
	s, err := call[rest.EventSubscriptionAnswer](v, v.onSubscription("get-event-subscription"))
	if err != nil {
		return subscriptionRow{}, err
	}
	sites, err := v.sites()
	return subscriptionRowOf(s.EventSubscription, sites), err
}

func (v *visit) eventDeliveries() (rest.EventDeliveryList, error) {
	r := v.onSubscription("list-event-deliveries")
	if before := v.query("before"); before != "" {
		r.Query = map[string][]string{"cursor": {before}}
	}
	return call[rest.EventDeliveryList](v, r)
}

// onSubscription is a request about the subscription of the page.
func (v *visit) onSubscription(operation string) rest.Request {
	return rest.Request{Operation: operation, Path: map[string]string{"uid": v.param("uid")}}
}

// doOnSubscription does an operation on the subscription of the page, and leads back to it.
func doOnSubscription(v *visit, r rest.Request, done string) (*answer, error) {
	back := v.path("events", v.param("uid"))
	r.Body = rest.NoRequest{}
	_, err := call[rest.Envelope](v, r)
	if isStatus(err, http.StatusConflict) {
		return v.redirectProblem(back, problemOf(err)), nil
	}
	if err != nil {
		return nil, err
	}
	return v.redirect(back, done), nil
}

func resumeSubscription(v *visit) (*answer, error) {
	return doOnSubscription(v, v.onSubscription("resume-event-subscription"), "Resumed. The events that wait are sent within a minute.")
}

func testSubscription(v *visit) (*answer, error) {
	return doOnSubscription(v, v.onSubscription("test-event-subscription"),
		"The test event has been asked for. It appears below within a few seconds.")
}

func redeliverEvent(v *visit) (*answer, error) {
	r := v.onSubscription("redeliver-event")
	r.Path["delivery"] = v.form("delivery")
	return doOnSubscription(v, r, "The event is sent again within a few seconds.")
}
