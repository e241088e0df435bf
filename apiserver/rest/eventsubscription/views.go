package eventsubscription

import (
	"github.com/danielgtaylor/huma/v2"
	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/deliveryrecord"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/reason"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
)

// EventSubscription is a subscription in an answer.
type EventSubscription struct {
	UID           string   `json:"uid" format:"uuid" doc:"Id, for the path of other operations."`
	URL           string   `json:"url" doc:"Of a chat, whose URL is a secret, only the host." example:"https://example.com/hooks/pressroom"`
	Format        string   `json:"format" enum:"standard,slack,teams,github" doc:"Form of the messages."`
	Events        []string `json:"events" doc:"* for all, or names of events."`
	SiteUID       *string  `json:"site_uid" format:"uuid" doc:"Only events of this site and its articles; null for all of the workspace."`
	Status        string   `json:"status" enum:"active,failing,suspended,blocked" doc:"suspended: after 5 days of failing, or because disabled is true."`
	Disabled      bool     `json:"disabled" doc:"Whether somebody has suspended it: events wait, up to 7 days each."`
	StatusMessage string   `json:"status_message" doc:"Why, for people."`
	CreatedAt     string   `json:"created_at" format:"date-time" doc:"When it was created."`

	LastTest *SubscriptionTest `json:"last_test" doc:"The last test event; null if there was none."`
}

// SubscriptionTest is a test event of a subscription in an answer.
type SubscriptionTest struct {
	Nonce       string `json:"nonce" doc:"As test-event-subscription returned it."`
	RequestedAt string `json:"requested_at" format:"date-time" doc:"When it was asked for."`
	DeliveryUID string `json:"delivery_uid" format:"uuid" doc:"Its delivery, for get-event-delivery."`
}

// EventSubscriptionAnswer is one subscription as an answer.
type EventSubscriptionAnswer struct {
	operation.Envelope
	EventSubscription
}

// EventSecretAnswer is a subscription with the secret that has just been made for it.
type EventSecretAnswer struct {
	EventSubscriptionAnswer
	Secret string `json:"secret" doc:"Signing secret in Standard Webhooks' form. It is shown this once."`
}

// EventSubscriptionList is the answer of list-event-subscriptions.
type EventSubscriptionList struct {
	operation.Envelope
	Data []EventSubscription `json:"data" doc:"What the answer is about."`
}

// EventDelivery is the delivery of one event.
type EventDelivery struct {
	UID           string  `json:"uid" format:"uuid" doc:"The webhook-id of its requests."`
	Event         string  `json:"event" doc:"Type of the event." example:"blog.published"`
	ArticleUID    *string `json:"article_uid" format:"uuid" doc:"Null for a test and an event of a site."`
	Status        string  `json:"status" enum:"pending,delivering,retry_scheduled,delivered,failed" doc:"What it can be used for now."`
	StatusMessage string  `json:"status_message" doc:"Why, for people."`
	OccurredAt    string  `json:"occurred_at" format:"date-time" doc:"When it happened."`
	deliveryrecord.DeliveryRecord
}

// EventDeliveryAnswer is one delivery as an answer.
type EventDeliveryAnswer struct {
	operation.Envelope
	EventDelivery
}

// EventDeliveryList is the answer of list-event-deliveries.
type EventDeliveryList struct {
	operation.Envelope
	Data []EventDelivery `json:"data" maxItems:"100" doc:"What the answer is about."`
	operation.Page
}

const allEvents EventName = "*"

// statusFailed is the status of a delivery that has ended without success.
const statusFailed = "failed"

func selectorsOf(names EventNames) (out []v1alpha1.EventSelector) {
	for _, name := range names {
		selector := v1alpha1.SelectAll
		for _, kind := range lifecycle.EventKinds {
			if kind.Name == string(name) {
				selector = v1alpha1.EventSelector(kind.Type)
			}
		}
		out = append(out, selector)
	}
	return out
}

func selectorName(s v1alpha1.EventSelector) string {
	if s == v1alpha1.SelectAll {
		return string(allEvents)
	}
	return lifecycle.EventKindOf(v1alpha1.ArticleEventType(s)).Name
}

func presentSubscription(s *v1alpha1.EventSubscription) EventSubscription {
	out := EventSubscription{
		UID: identity.UID(identity.KindEventSubscription, s.Namespace, s.Name), URL: shownURL(s.Spec), Events: []string{},
		Format: string(formatOf(s.Spec.Format)), Status: "active", Disabled: s.Spec.Suspend,
		CreatedAt: operation.Milliseconds(s.CreationTimestamp.Time),
	}
	for _, e := range s.Spec.Events {
		out.Events = append(out.Events, selectorName(e))
	}
	if s.Spec.SiteRef != nil {
		out.SiteUID = new(identity.UID(identity.KindSite, s.Namespace, s.Spec.SiteRef.Name))
	}
	if t := s.Status.Test; t != nil {
		out.LastTest = &SubscriptionTest{
			Nonce:       command.HandledNonce(s.Status.HandledRequests, v1alpha1.TestEventAnnotation),
			RequestedAt: operation.Milliseconds(t.Time.Time), DeliveryUID: t.Delivery,
		}
	}
	ready := meta.FindStatusCondition(s.Status.Conditions, v1alpha1.ConditionReady)
	if ready != nil && ready.ObservedGeneration == s.Generation {
		out.StatusMessage = reason.Message(ready)
		if ready.Status != "True" {
			out.Status = "blocked"
		}
	}
	switch {
	case s.Spec.Suspend:
		out.Status, out.StatusMessage = "suspended", "somebody has suspended it: events wait, up to 7 days each"
	case s.Suspended():
		out.Status = "suspended"
		out.StatusMessage = "the receiver has failed for 5 days: events wait, up to 7 days each, until somebody resumes it"
	case s.Status.FailingSince != nil && out.Status == "active":
		out.Status = "failing"
	}
	return out
}

func presentDelivery(d *v1alpha1.EventDelivery) EventDelivery {
	out := EventDelivery{
		UID: d.Name, Event: lifecycle.EventName(d), OccurredAt: operation.Milliseconds(d.Spec.Time.Time),
		Status: deliveryStatus(d),
	}
	if article := d.Spec.ArticleRef.Name; article != "" {
		out.ArticleUID = new(identity.UID(identity.KindArticle, d.Namespace, article))
	}
	if c := meta.FindStatusCondition(d.Status.Conditions, v1alpha1.ConditionDelivered); c != nil {
		out.StatusMessage = reason.Message(c)
	}
	out.DeliveryRecord = deliveryrecord.PresentRecord(&d.Status.DeliveryRecord)
	return out
}

func deliveryStatus(d *v1alpha1.EventDelivery) string {
	c := d.Status.Cycle
	switch {
	case c != nil:
		return operation.SnakeCase(string(c.State))
	case d.Status.FinishTime != nil:
		return statusFailed
	default:
		return "pending"
	}
}

// EventName names a kind of event in a request, or all of them.
type EventName string

// Schema describes an EventName.
func (EventName) Schema(huma.Registry) *huma.Schema {
	names := make([]any, 0, 1+len(lifecycle.EventKinds))
	names = append(names, string(allEvents))
	for _, kind := range lifecycle.EventKinds {
		names = append(names, kind.Name)
	}
	return &huma.Schema{Type: huma.TypeString, Enum: names}
}

// EventNames name the events that a subscription wants.
type EventNames []EventName

// Schema describes EventNames.
func (EventNames) Schema(r huma.Registry) *huma.Schema {
	return &huma.Schema{
		Type: huma.TypeArray, Items: EventName("").Schema(r), Description: "* alone for all.",
		MinItems: new(1), MaxItems: new(len(lifecycle.EventKinds)), UniqueItems: true,
	}
}
