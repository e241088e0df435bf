package eventsubscriptions

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"

	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/page"
	"github.com/pressroom-dev/pressroom/apiserver/rest/eventsubscription"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
	restsite "github.com/pressroom-dev/pressroom/apiserver/rest/site"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

const (
	// allEventsName stands for all events in a subscription.
	allEventsName = "*"
	// formatStandard is the format of messages for programs.
	formatStandard = "standard"
)

type subscriptionForm struct {
	page.FormProblems

	// UID is empty for a new one.
	UID string
	// URL is empty for that of a chat, which is a secret.
	URL, Format, SiteUID string
	// Read are the settings that the form was shown with, of a subscription that exists.
	Read    string
	Choices []eventChoice
	Sites   []restsite.Site
}

// formatChoice is one form of messages.
type formatChoice struct{ Name, Word, Hint string }

// Formats returns the forms of messages that can be chosen.
func (subscriptionForm) Formats() []formatChoice {
	return []formatChoice{
		{formatStandard, "A receiver of yours", "Signed requests for a program"},
		{"slack", "Slack", "The URL of an incoming webhook"},
		{"teams", "Microsoft Teams", "The URL of a workflow that posts to a channel or chat when it receives a webhook request"},
	}
}

// eventChoice is one kind of event that can be ticked.
type eventChoice struct {
	Name, Summary string
	Chosen        bool
}

// chatEvents are what people in a chat wait for.
var chatEvents = []string{"blog.ready_for_review", "blog.failed", "site.failing"}

func newSubscriptionForm(v *page.Visit, format, url, siteUID string, events []string) (subscriptionForm, error) {
	sites, err := v.Sites()
	all := slices.Contains(events, allEventsName)
	f := subscriptionForm{UID: v.Param("uid"), Format: cmp.Or(format, formatStandard), URL: url, SiteUID: siteUID, Sites: sites}
	for _, kind := range lifecycle.EventKinds {
		f.Choices = append(f.Choices, eventChoice{kind.Name, kind.Summary, all || slices.Contains(events, kind.Name)})
	}
	return f, err
}

func showSubscriptionForm(v *page.Visit, f subscriptionForm) *page.Answer {
	if f.UID == "" {
		return v.Page("form.html", "New subscription", f)
	}
	return v.Page("form.html", "Edit subscription", f)
}

// sentSubscription returns the form as it was sent, with what was wrong with it.
func sentSubscription(v *page.Visit, err error) (*page.Answer, error) {
	var wrong page.FormProblems
	if page.IsStatus(err, http.StatusNotFound) || !wrong.Refused(err) {
		return v.ShownBefore(err, subscriptionPath(v))
	}
	f, err := newSubscriptionForm(v, v.Form("format"), v.Form("url"), v.Form("site"), v.Forms("events"))
	if err != nil {
		return nil, err
	}
	f.Read, f.FormProblems = v.Form("read"), wrong
	switch {
	case f.Changed:
		return changedMeanwhile(v, f)
	case f.Problems["events"] != "":
		f.Problems["events"] = "Choose at least one."
	}
	return showSubscriptionForm(v, f).With(http.StatusUnprocessableEntity), nil
}

// chosenEvents returns the events that were ticked: all of them are *, which has later kinds too.
func chosenEvents(v *page.Visit) eventsubscription.EventNames {
	ticked := v.Forms("events")
	names := make(eventsubscription.EventNames, 0, len(ticked))
	for _, name := range ticked {
		names = append(names, eventsubscription.EventName(name))
	}
	if len(names) == len(lifecycle.EventKinds) {
		return eventsubscription.EventNames{allEventsName}
	}
	return names
}

func newSubscription(v *page.Visit) (*page.Answer, error) {
	format, events := v.Query("format"), []string{allEventsName}
	if format != "" {
		events = chatEvents
	}
	f, err := newSubscriptionForm(v, format, "", "", events)
	if err != nil {
		return nil, err
	}
	return showSubscriptionForm(v, f), nil
}

// subscriptionPath returns the path of the page of a subscription.
func subscriptionPath(v *page.Visit) func(uid string) string {
	return func(uid string) string { return v.Path("events", uid) }
}

func createSubscription(v *page.Visit) (*page.Answer, error) {
	body := eventsubscription.CreateEventSubscriptionRequest{
		URL: v.Form("url"), Events: chosenEvents(v), Format: eventsubscription.Format(v.Form("format")),
		SiteUID: operation.SiteUID(v.Form("site")),
	}
	out, err := page.Call(v, eventsubscription.Create, eventsubscription.CreateInput{Idempotent: v.Once(), Body: body})
	if err != nil {
		return sentSubscription(v, err)
	}
	made := out.Body
	if made.Format != formatStandard {
		return v.Redirect(v.Path("events", made.UID), "Subscribed. A test event shows whether messages arrive."), nil
	}
	return v.ShowSecret(page.SecretView{
		Heading: "Subscribed", Lead: "Events are sent to " + made.URL + ".", Label: "Signing secret", Secret: made.Secret,
		Next: v.Path("events", made.UID),
	}), nil
}

func showEditSubscription(v *page.Visit) (*page.Answer, error) {
	row, err := readSubscription(v)
	if err != nil {
		return nil, err
	}
	url := row.URL
	if row.Format != formatStandard {
		url = ""
	}
	f, err := newSubscriptionForm(v, row.Format, url, ptr.Deref(row.SiteUID, ""), row.Events)
	if err != nil {
		return nil, err
	}
	f.Read, err = settingsOf(row.EventSubscription)
	return showSubscriptionForm(v, f), err
}

// settingsOf are the settings of a subscription, as its form sends them back.
func settingsOf(row eventsubscription.EventSubscription) (string, error) {
	site := ptr.Deref(row.SiteUID, "")
	data, err := json.Marshal(eventsubscription.ExpectedSubscription{
		URL: &row.URL, Events: &row.Events, Format: &row.Format, SiteUID: &site,
	})
	return string(data), err
}

// changedMeanwhile shows the form as it was sent, if somebody has changed the subscription since the form was shown. A person who sends it
// again has seen what the subscription is now.
func changedMeanwhile(v *page.Visit, f subscriptionForm) (*page.Answer, error) {
	row, err := readSubscription(v)
	if err != nil {
		return nil, err
	}
	for field, now := range map[string]string{
		"url": row.URL, "format": row.Format, "events": strings.Join(row.Events, ", "), "site_uid": cmp.Or(row.SiteName, "all sites"),
	} {
		if f.Problems[field] != "" {
			f.Problems[field] = "Now: " + now
		}
	}
	f.Read, err = settingsOf(row.EventSubscription)
	return showSubscriptionForm(v, f).With(http.StatusUnprocessableEntity), err
}

// sent returns what was entered; nil if nothing was.
func sent[T ~string](value T) *T {
	if value == "" {
		return nil
	}
	return &value
}

func editSubscription(v *page.Visit) (*page.Answer, error) {
	// Without an event nothing would change, which is not what an empty choice means.
	events := chosenEvents(v)
	if len(events) == 0 {
		events = eventsubscription.EventNames{""}
	}
	read := &eventsubscription.ExpectedSubscription{}
	if json.Unmarshal([]byte(v.Form("read")), read) != nil {
		read = nil
	}
	site := patch.Null[*operation.SiteUID]()
	if uid := operation.SiteUID(v.Form("site")); uid != "" {
		site = patch.Of(&uid)
	}
	body := eventsubscription.UpdateEventSubscriptionRequest{
		URL: sent(v.Form("url")), Events: events, Format: sent(eventsubscription.Format(v.Form("format"))), SiteUID: site, Expected: read,
	}
	in := eventsubscription.UpdateInput{OnSubscription: onSubscription(v), Body: body}
	if _, err := page.Call(v, eventsubscription.Update, in); err != nil {
		return sentSubscription(v, err)
	}
	return v.Redirect(v.Path("events", v.Param("uid")), "Saved."), nil
}

func rotateEventSecret(v *page.Visit) (*page.Answer, error) {
	made, err := page.Call(v, eventsubscription.RotateSecret,
		eventsubscription.CommandInput{OnSubscription: onSubscription(v), Idempotent: v.Once()})
	if err != nil {
		return v.ShownBefore(err, subscriptionPath(v))
	}
	return v.ShowSecret(page.SecretView{
		Heading: "A new signing secret", Lead: "Until the next rotation, requests also carry a signature by the previous secret.",
		Label: "Signing secret", Secret: made.Body.Secret, Next: v.Path("events", made.Body.UID),
	}), nil
}

func deleteSubscription(v *page.Visit) (*page.Answer, error) {
	_, err := page.Call(v, eventsubscription.Delete, eventsubscription.DeleteInput{OnSubscription: onSubscription(v)})
	if page.IsStatus(err, http.StatusConflict) {
		return v.RedirectProblem(v.Path("events", v.Param("uid")), page.ProblemOf(err)), nil
	}
	if err != nil {
		return nil, err
	}
	return v.Redirect(v.Path("events"), "Deleted."), nil
}
