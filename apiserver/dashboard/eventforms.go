package dashboard

import (
	"net/http"
	"slices"

	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// allEventsName stands for all events in a subscription.
const allEventsName = "*"

// subscriptionForm is the data of the form of a subscription.
type subscriptionForm struct {
	// UID is empty for a new one.
	UID, URL, SiteUID string
	Choices           []eventChoice
	Sites             []rest.Site
	// Problem is about the whole form, and Problems are about fields, by their names in the REST API.
	Problem  string
	Problems map[string]string
}

// eventChoice is one kind of event that can be ticked.
type eventChoice struct {
	Name, Summary string
	Chosen        bool
}

func (v *visit) subscriptionForm(url, siteUID string, events []string) (subscriptionForm, error) {
	sites, err := v.sites()
	all := slices.Contains(events, allEventsName)
	f := subscriptionForm{UID: v.param("uid"), URL: url, SiteUID: siteUID, Sites: sites}
	for _, kind := range lifecycle.EventKinds {
		f.Choices = append(f.Choices, eventChoice{kind.Name, kind.Summary, all || slices.Contains(events, kind.Name)})
	}
	return f, err
}

func (v *visit) showSubscriptionForm(f subscriptionForm) *answer {
	if f.UID == "" {
		return v.page("eventform.html", "New subscription", f)
	}
	return v.page("eventform.html", "Edit subscription", f)
}

// sentSubscription returns the form as it was sent, with what was wrong with it.
func (v *visit) sentSubscription(err error) (*answer, error) {
	refused, ok := refusal(err)
	if !ok || refused.GetStatus() >= http.StatusInternalServerError || refused.GetStatus() == http.StatusNotFound {
		return nil, err
	}
	f, err := v.subscriptionForm(v.form("url"), v.form("site"), v.forms("events"))
	if err != nil {
		return nil, err
	}
	f.Problem, f.Problems = formProblem(refused), byField(fieldProblems(refused))
	return v.showSubscriptionForm(f).with(http.StatusUnprocessableEntity), nil
}

// chosenEvents returns the events that were ticked: all of them are *, which has later kinds too.
func (v *visit) chosenEvents() rest.EventNames {
	ticked := v.forms("events")
	names := make(rest.EventNames, 0, len(ticked))
	for _, name := range ticked {
		names = append(names, rest.EventName(name))
	}
	if len(names) == len(lifecycle.EventKinds) {
		return rest.EventNames{allEventsName}
	}
	return names
}

func newSubscription(v *visit) (*answer, error) {
	f, err := v.subscriptionForm("", "", []string{allEventsName})
	if err != nil {
		return nil, err
	}
	return v.showSubscriptionForm(f), nil
}

func createSubscription(v *visit) (*answer, error) {
	body := rest.SubscribeRequest{URL: v.form("url"), Events: v.chosenEvents(), SiteUID: rest.SiteUID(v.form("site"))}
	made, err := call[rest.EventSecretAnswer](v, rest.Request{Operation: "create-event-subscription", Header: v.once(), Body: body})
	if err != nil {
		return v.sentSubscription(err)
	}
	return v.showSecret(secretView{
		Heading: "Subscribed", Lead: "Events are sent to " + made.URL + ".", Label: "Signing secret", Secret: made.Secret,
		Next: v.path("events", made.UID),
	}), nil
}

func showEditSubscription(v *visit) (*answer, error) {
	row, err := v.subscription()
	if err != nil {
		return nil, err
	}
	site := ""
	if row.SiteUID != nil {
		site = *row.SiteUID
	}
	f, err := v.subscriptionForm(row.URL, site, row.Events)
	if err != nil {
		return nil, err
	}
	return v.showSubscriptionForm(f), nil
}

func editSubscription(v *visit) (*answer, error) {
	r := v.onSubscription("edit-event-subscription")
	// Without an event nothing would change, which is not what an empty choice means.
	events := v.chosenEvents()
	if len(events) == 0 {
		events = rest.EventNames{""}
	}
	r.Body = rest.EditSubscriptionRequest{URL: new(v.form("url")), Events: events, SiteUID: new(v.form("site"))}
	if _, err := call[rest.Envelope](v, r); err != nil {
		return v.sentSubscription(err)
	}
	return v.redirect(v.path("events", v.param("uid")), "Saved."), nil
}

func rotateEventSecret(v *visit) (*answer, error) {
	r := v.onSubscription("rotate-event-secret")
	r.Header, r.Body = v.once(), rest.NoRequest{}
	made, err := call[rest.EventSecretAnswer](v, r)
	if err != nil {
		return nil, err
	}
	return v.showSecret(secretView{
		Heading: "A new signing secret", Lead: "Until the next rotation, requests also carry a signature by the previous secret.",
		Label: "Signing secret", Secret: made.Secret, Next: v.path("events", made.UID),
	}), nil
}

func deleteSubscription(v *visit) (*answer, error) {
	_, err := call[rest.Envelope](v, v.onSubscription("delete-event-subscription"))
	if isStatus(err, http.StatusConflict) {
		return v.redirectProblem(v.path("events", v.param("uid")), problemOf(err)), nil
	}
	if err != nil {
		return nil, err
	}
	return v.redirect(v.path("events"), "Deleted."), nil
}
