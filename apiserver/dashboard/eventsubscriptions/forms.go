package eventsubscriptions

import (
	"cmp"
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
	// formatStandard is the format of messages for programs, and formatGitHub of those for workflows of GitHub. The others are for chats.
	formatStandard = "standard"
	formatGitHub   = "github"
)

type subscriptionForm struct {
	page.FormProblems

	// UID is empty for a new one.
	UID string
	// URL is empty for that of a chat, which is a secret. A token is never shown.
	URL, Format, SiteUID string
	// Expected are the settings that the form was shown with, of a subscription that exists.
	Expected *eventsubscription.ExpectedSubscription
	Choices  []eventChoice
	Sites    []restsite.Site
}

// formatChoice is one form of messages.
type formatChoice struct{ Name, Word, Hint string }

// Formats returns the forms of messages that can be chosen.
func (subscriptionForm) Formats() []formatChoice {
	return []formatChoice{
		{formatStandard, "A receiver of yours", "Signed requests for a program"},
		{"slack", "Slack", "The URL of an incoming webhook"},
		{"teams", "Microsoft Teams", "The URL of a workflow that posts to a channel or chat when it receives a webhook request"},
		{formatGitHub, "GitHub", "Starts workflows of a repository: https://api.github.com/repos/OWNER/REPOSITORY/dispatches"},
	}
}

// eventChoice is one kind of event that can be ticked.
type eventChoice struct {
	Name, Summary string
	Chosen        bool
}

// chatEvents are what people in a chat wait for.
var chatEvents = eventsubscription.EventNames{"blog.ready_for_review", "blog.failed", "site.failing"}

// entered is what can be entered into the form.
type entered struct {
	URL     string
	Format  eventsubscription.Format
	Token   string
	SiteUID operation.SiteUID `json:"site_uid"`
	Events  eventsubscription.EventNames

	Expected *eventsubscription.ExpectedSubscription
}

func newSubscriptionForm(v *page.Visit, e entered) (subscriptionForm, error) {
	sites, err := v.Sites()
	all := slices.Contains(e.Events, allEventsName)
	f := subscriptionForm{
		UID: v.Param("uid"), Format: string(cmp.Or(e.Format, formatStandard)), URL: e.URL, SiteUID: string(e.SiteUID), Sites: sites,
		Expected: e.Expected,
	}
	for _, kind := range lifecycle.EventKinds {
		chosen := all || slices.Contains(e.Events, eventsubscription.EventName(kind.Name))
		f.Choices = append(f.Choices, eventChoice{kind.Name, kind.Summary, chosen})
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
func sentSubscription(v *page.Visit, e entered, err error) (*page.Answer, error) {
	var wrong page.FormProblems
	if page.IsStatus(err, http.StatusNotFound) || !wrong.Refused(err) {
		return v.ShownBefore(err, subscriptionPath(v))
	}
	f, err := newSubscriptionForm(v, e)
	if err != nil {
		return nil, err
	}
	f.FormProblems = wrong
	switch {
	case f.Changed:
		return changedMeanwhile(v, f)
	case f.Problems["events"] != "":
		f.Problems["events"] = "Choose at least one."
	}
	return showSubscriptionForm(v, f).With(http.StatusUnprocessableEntity), nil
}

// chosenEvents are those that were ticked: all of them are *, which has later kinds too.
func (e entered) chosenEvents() eventsubscription.EventNames {
	if len(e.Events) == len(lifecycle.EventKinds) {
		return eventsubscription.EventNames{allEventsName}
	}
	return e.Events
}

func newSubscription(v *page.Visit) (*page.Answer, error) {
	e := entered{Format: eventsubscription.Format(v.Query("format")), Events: eventsubscription.EventNames{allEventsName}}
	if e.Format != "" {
		e.Events = chatEvents
	}
	f, err := newSubscriptionForm(v, e)
	if err != nil {
		return nil, err
	}
	return showSubscriptionForm(v, f), nil
}

// subscriptionPath returns the path of the page of a subscription.
func subscriptionPath(v *page.Visit) func(uid string) string {
	return func(uid string) string { return v.Path("events", uid) }
}

func createSubscription(v *page.Visit, e entered) (*page.Answer, error) {
	body := eventsubscription.CreateEventSubscriptionRequest{
		URL: e.URL, Events: e.chosenEvents(), Format: e.Format, Token: e.Token, SiteUID: e.SiteUID,
	}
	out, err := page.Call(v, eventsubscription.Create, eventsubscription.CreateInput{Idempotent: v.Once(), Body: body})
	if err != nil {
		return sentSubscription(v, e, err)
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
	e := entered{
		URL: row.URL, Format: eventsubscription.Format(row.Format), SiteUID: operation.SiteUID(ptr.Deref(row.SiteUID, "")),
		Expected: settingsOf(row.EventSubscription),
	}
	if e.Format != formatStandard && e.Format != formatGitHub {
		e.URL = ""
	}
	for _, name := range row.Events {
		e.Events = append(e.Events, eventsubscription.EventName(name))
	}
	f, err := newSubscriptionForm(v, e)
	if err != nil {
		return nil, err
	}
	return showSubscriptionForm(v, f), nil
}

// settingsOf are the settings of a subscription, as its form sends them back.
func settingsOf(row eventsubscription.EventSubscription) *eventsubscription.ExpectedSubscription {
	return &eventsubscription.ExpectedSubscription{
		URL: &row.URL, Events: &row.Events, Format: &row.Format, SiteUID: new(ptr.Deref(row.SiteUID, "")),
	}
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
	f.Expected = settingsOf(row.EventSubscription)
	return showSubscriptionForm(v, f).With(http.StatusUnprocessableEntity), nil
}

// editSubscription sends the address and the token only if they were entered: a token and the address of a chat are not shown, and stay if
// their fields are empty.
func editSubscription(v *page.Visit, e entered) (*page.Answer, error) {
	body := eventsubscription.UpdateEventSubscriptionRequest{
		Events: e.chosenEvents(), Format: &e.Format, SiteUID: patch.Null[*operation.SiteUID](), Expected: e.Expected,
	}
	if e.URL != "" {
		body.URL = &e.URL
	}
	if e.Token != "" {
		body.Token = &e.Token
	}
	if e.SiteUID != "" {
		body.SiteUID = patch.Of(&e.SiteUID)
	}
	if len(body.Events) == 0 {
		// Without an event nothing would change, which is not what an empty choice means.
		body.Events = eventsubscription.EventNames{""}
	}
	in := eventsubscription.UpdateInput{OnSubscription: onSubscription(v), Body: body}
	if _, err := page.Call(v, eventsubscription.Update, in); err != nil {
		return sentSubscription(v, e, err)
	}
	return v.Redirect(v.Path("events", v.Param("uid")), "Saved."), nil
}

func rotateEventSecret(v *page.Visit) (*page.Answer, error) {
	made, err := page.Call(v, eventsubscription.RotateSecret,
		eventsubscription.RotateSecretInput{
			CommandInput: eventsubscription.CommandInput{OnSubscription: onSubscription(v), Idempotent: v.Once()},
		})
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
