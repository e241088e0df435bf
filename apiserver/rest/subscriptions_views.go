package rest

import (
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
)

// EventSubscription is a subscription in an answer.
type EventSubscription struct {
	UID           string   `json:"uid" format:"uuid"`
	URL           string   `json:"url" example:"https://example.com/hooks/pressroom"`
	Events        []string `json:"events" doc:"* for all, or names of events."`
	SiteUID       *string  `json:"site_uid" format:"uuid" doc:"Only articles of this site; null for all of the workspace."`
	Status        string   `json:"status" enum:"active,failing,suspended,blocked" doc:"suspended: after 5 days of failing, or because suspend is true."`
	Suspend       bool     `json:"suspend" doc:"Somebody has suspended the subscription with kubectl or in a manifest, and ends that there. Events wait, up to 7 days each."`
	StatusMessage string   `json:"status_message" doc:"Why, for people."`
	CreatedAt     string   `json:"created_at" format:"date-time"`

	LastTest *SubscriptionTest `json:"last_test" doc:"The last test event; null if there was none."`
}

// SubscriptionTest is a test event of a subscription in an answer.
type SubscriptionTest struct {
	Nonce       string `json:"nonce" doc:"As test-event-subscription returned it."`
	RequestedAt string `json:"requested_at" format:"date-time"`
	DeliveryUID string `json:"delivery_uid" format:"uuid" doc:"Its delivery, for get-event-delivery."`
}

// EventSubscriptionAnswer is one subscription as an answer.
type EventSubscriptionAnswer struct {
	Envelope
	EventSubscription
}

// EventSecretAnswer is a subscription with the secret that has just been made for it.
type EventSecretAnswer struct {
	Envelope
	EventSubscription
	Secret string `json:"secret" doc:"Signing secret in Standard Webhooks' form. It is shown this once."`
}

// EventSubscriptionList is the answer of list-event-subscriptions.
type EventSubscriptionList struct {
	Envelope
	Data []EventSubscription `json:"data"`
}

// EventDelivery is the delivery of one event.
type EventDelivery struct {
	UID           string  `json:"uid" format:"uuid" doc:"The webhook-id of its requests."`
	Event         string  `json:"event" example:"blog.published"`
	ArticleUID    *string `json:"article_uid" format:"uuid" doc:"Null for a test."`
	Status        string  `json:"status" enum:"pending,delivering,retry_scheduled,delivered,failed"`
	StatusMessage string  `json:"status_message" doc:"Why, for people."`
	OccurredAt    string  `json:"occurred_at" format:"date-time"`
	DeliveryRecord
}

// DeliveryRecord is what was sent, and how it was answered.
type DeliveryRecord struct {
	NextAttemptAt *string        `json:"next_attempt_at" format:"date-time" doc:"Null if none is due."`
	Attempts      []EventAttempt `json:"attempts" maxItems:"8" doc:"The last 8, oldest first."`
	LastAnswer    *EventAnswer   `json:"last_answer" doc:"What the receiver answered last; null while it has answered nothing."`
}

// EventAttempt is one request to the receiver.
type EventAttempt struct {
	Cycle  int32 `json:"cycle" doc:"1, and one more for each redelivery."`
	Number int32 `json:"number" minimum:"1" maximum:"4" doc:"Number of the attempt in its cycle."`
	AttemptResult
}

// AttemptResult is the result of one request to a receiver.
type AttemptResult struct {
	StartedAt    string `json:"started_at" format:"date-time"`
	Outcome      string `json:"outcome" enum:"in_progress,accepted,rejected,timeout,connection_failed,address_blocked,not_sent,unknown"`
	ErrorClass   string `json:"error_class" doc:"Kind of what went wrong, such as timeout or server_error; empty if nothing did."`
	HTTPStatus   *int32 `json:"http_status" doc:"Null if no answer came."`
	Milliseconds int64  `json:"milliseconds"`
	Message      string `json:"message"`
}

// EventAnswer is the answer of a receiver.
type EventAnswer struct {
	HTTPStatus int32  `json:"http_status"`
	Snippet    string `json:"snippet" maxLength:"200" doc:"Beginning of the body, without what has the form of a credential."`
}

// EventDeliveryAnswer is one delivery as an answer.
type EventDeliveryAnswer struct {
	Envelope
	EventDelivery
}

// EventDeliveryList is the answer of list-event-deliveries.
type EventDeliveryList struct {
	Envelope
	Data       []EventDelivery `json:"data" maxItems:"100"`
	NextCursor *string         `json:"nextCursor" doc:"Pass it as cursor for the next page; null on the last one."`
	HasMore    bool            `json:"hasMore" doc:"False when there is no further page."`
}

const allEvents EventName = "*"

func selectorOf(name EventName) v1alpha1.EventSelector {
	for _, kind := range lifecycle.EventKinds {
		if kind.Name == string(name) {
			return v1alpha1.EventSelector(kind.Type)
		}
	}
	return v1alpha1.SelectAll
}

func selectorsOf(names EventNames) []v1alpha1.EventSelector {
	out := make([]v1alpha1.EventSelector, 0, len(names))
	for _, name := range names {
		out = append(out, selectorOf(name))
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
		UID: identity.UID(identity.KindEventSubscription, s.Namespace, s.Name), URL: s.Spec.URL, Events: []string{},
		Status: "active", Suspend: s.Spec.Suspend, CreatedAt: milliseconds(s.CreationTimestamp.Time),
	}
	for _, e := range s.Spec.Events {
		out.Events = append(out.Events, selectorName(e))
	}
	if s.Spec.SiteRef != nil {
		out.SiteUID = new(identity.UID(identity.KindSite, s.Namespace, s.Spec.SiteRef.Name))
	}
	if t := s.Status.Test; t != nil {
		out.LastTest = &SubscriptionTest{
			Nonce:       attempts.Handled(s.Status.HandledRequests, v1alpha1.TestEventAnnotation),
			RequestedAt: milliseconds(t.Time.Time), DeliveryUID: t.Delivery,
		}
	}
	ready := meta.FindStatusCondition(s.Status.Conditions, v1alpha1.ConditionReady)
	if ready != nil && ready.ObservedGeneration == s.Generation {
		out.StatusMessage = ready.Message
		if ready.Status != "True" {
			out.Status = "blocked"
		}
	}
	switch {
	case s.Suspended():
		out.Status = "suspended"
	case s.Status.FailingSince != nil && out.Status == "active":
		out.Status = "failing"
	}
	return out
}

func presentDelivery(d *v1alpha1.EventDelivery) EventDelivery {
	out := EventDelivery{
		UID: d.Name, Event: lifecycle.EventName(d), OccurredAt: milliseconds(d.Spec.Time.Time),
		Status: deliveryStatus(d),
	}
	if article := d.Spec.ArticleRef.Name; article != "" {
		out.ArticleUID = new(identity.UID(identity.KindArticle, d.Namespace, article))
	}
	if c := meta.FindStatusCondition(d.Status.Conditions, v1alpha1.ConditionDelivered); c != nil {
		out.StatusMessage = c.Message
	}
	out.DeliveryRecord = presentRecord(&d.Status.DeliveryRecord)
	return out
}

func presentRecord(r *v1alpha1.DeliveryRecord) DeliveryRecord {
	out := DeliveryRecord{Attempts: []EventAttempt{}}
	if r.Cycle == nil {
		return out
	}
	out.NextAttemptAt = whenOrNull(r.Cycle.NextAttemptTime)
	for i := range r.Attempts {
		out.Attempts = append(out.Attempts, presentAttempt(&r.Attempts[i]))
	}
	if answer := r.LastAnswer; answer != nil {
		out.LastAnswer = &EventAnswer{HTTPStatus: answer.HTTPStatus, Snippet: answer.Snippet}
	}
	return out
}

func presentAttempt(a *v1alpha1.DeliveryAttempt) EventAttempt {
	return EventAttempt{Cycle: a.Cycle, Number: a.Number, AttemptResult: presentResult(a.StartTime.Time, a.AttemptResult)}
}

func presentResult(started time.Time, r v1alpha1.AttemptResult) AttemptResult {
	out := AttemptResult{
		StartedAt: milliseconds(started), Outcome: snakeCase(string(r.Outcome)), ErrorClass: snakeCase(string(r.ErrorClass)),
		Milliseconds: r.Milliseconds, Message: r.Message,
	}
	if r.HTTPStatus != 0 {
		out.HTTPStatus = new(r.HTTPStatus)
	}
	return out
}

func deliveryStatus(d *v1alpha1.EventDelivery) string {
	c := d.Status.Cycle
	switch {
	case c != nil:
		return snakeCase(string(c.State))
	case d.Status.FinishTime != nil:
		return "failed"
	default:
		return "pending"
	}
}

// snakeCase converts a PascalCase value of the Kubernetes API to the form of the REST API.
func snakeCase(value string) string {
	var b strings.Builder
	upper := func(c byte) bool { return c >= 'A' && c <= 'Z' }
	for i, c := range value {
		if i > 0 && upper(value[i]) && !upper(value[i-1]) {
			b.WriteByte('_')
		}
		b.WriteRune(c)
	}
	return strings.ToLower(b.String())
}

// newestFirst sorts by a time, and by name if the times are equal.
func newestFirst[T any](items []T, at func(T) (time.Time, string)) {
	slices.SortFunc(items, func(a, b T) int {
		ta, na := at(a)
		tb, nb := at(b)
		if c := tb.Compare(ta); c != 0 {
			return c
		}
		return strings.Compare(na, nb)
	})
}
