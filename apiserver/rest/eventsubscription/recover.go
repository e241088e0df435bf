package eventsubscription

import (
	"context"
	"errors"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// recoveredAtOnce bounds the events that one request sends again: each is a write.
const recoveredAtOnce = 100

// RecoverRequest is a request to send the events of a time again.
type RecoverRequest struct {
	Since time.Time  `json:"since" doc:"Only events that occurred at this time or later." example:"2026-11-20T09:00:00Z"`
	Until *time.Time `json:"until,omitempty" doc:"Only events that occurred before this time: the until of the last answer."`
}

// RecoverInput is the input of recover-event-subscription.
type RecoverInput struct {
	OnSubscription
	operation.Idempotent
	Body RecoverRequest
}

// Resolve checks what the schema cannot express.
func (in *RecoverInput) Resolve(huma.Context) []error {
	if until := in.Body.Until; until != nil && !until.After(in.Body.Since) {
		return []error{&huma.ErrorDetail{Location: "body.until", Message: "must be after since"}}
	}
	return nil
}

// EventsRecovered says how many events are sent again.
type EventsRecovered struct {
	operation.Envelope
	Redelivered int     `json:"redelivered" minimum:"0" maximum:"100" doc:"How many events are sent again: the latest that failed."`
	Until       *string `json:"until" format:"date-time" doc:"Repeat with this until for the events before; null if there are none."`
}

// Recover has the events of an outage sent again.
var Recover = operation.Operation[RecoverInput, operation.Output[EventsRecovered]]{
	ID: "recover-event-subscription", Method: http.MethodPost, Path: subscriptionPath + "/recover", Tag: operation.TagEvents,
	Scope: v1alpha1.ScopeWrite, Errors: operation.CreateErrors,
}

func (s *service) recover(ctx context.Context, c *operation.Call, in *RecoverInput) (*operation.Output[EventsRecovered], error) {
	return operation.Command[operation.Output[EventsRecovered]]{
		Operation: Recover.ID, About: []any{in.UID, in.Body},
		Do: func(ctx context.Context, nonce string) (*operation.Output[EventsRecovered], error) {
			return s.redeliverFailed(ctx, c, in, nonce)
		},
	}.Run(ctx, c, in.Idempotent, c.Workspace)
}

// redeliverFailed walks through the deliveries, the newest first, until one is too old or enough are sent again.
func (s *service) redeliverFailed(
	ctx context.Context, c *operation.Call, in *RecoverInput, nonce string,
) (*operation.Output[EventsRecovered], error) {
	found, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	out := &operation.Output[EventsRecovered]{Body: EventsRecovered{Envelope: operation.Succeeded}}
	for cursor := ""; ; {
		page := &v1alpha1.EventDeliveryList{}
		err := kube.ReadPage(ctx, s.Client, page, cursor, recoveredAtOnce, deliveriesOf(found)...)
		if out.Body.Redelivered > 0 && kube.IsShareUsedUp(err) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		for i := range page.Items {
			d := &page.Items[i]
			occurred := d.Spec.Time.Time
			switch {
			case occurred.Before(in.Body.Since):
				out.Body.Until = nil
				return out, nil
			case in.Body.Until != nil && !occurred.Before(*in.Body.Until), deliveryStatus(d) != statusFailed:
				continue
			case out.Body.Redelivered == recoveredAtOnce:
				return out, nil
			}
			err := s.recoverOne(ctx, c, d, nonce, &out.Body)
			if out.Body.Redelivered > 0 && kube.IsShareUsedUp(err) {
				return out, nil
			}
			if err != nil {
				return nil, err
			}
		}
		if cursor = page.Continue; cursor == "" {
			out.Body.Until = nil
			return out, nil
		}
	}
}

// recoverOne has an event sent again and counts it, unless it is gone or is being sent by now. Its time is rounded up: events of the same
// millisecond are looked at again.
func (s *service) recoverOne(
	ctx context.Context, c *operation.Call, d *v1alpha1.EventDelivery, nonce string, out *EventsRecovered,
) error {
	// The request itself stands for the first one.
	if out.Redelivered > 0 {
		if err := c.TakeBytes(ctx, operation.ObjectBytes); err != nil {
			return err
		}
	}
	_, err := s.startRedelivery(ctx, client.ObjectKeyFromObject(d), nonce)
	if refused, ok := errors.AsType[*problem.APIError](err); ok && refused.GetStatus() == http.StatusConflict {
		return nil
	}
	if err != nil {
		return client.IgnoreNotFound(err)
	}
	out.Redelivered++
	out.Until = new(operation.Milliseconds(d.Spec.Time.Add(time.Millisecond)))
	return nil
}
