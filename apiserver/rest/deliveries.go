package rest

import (
	"context"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/eventdelivery"
)

// OnDelivery is embedded in the input of every operation on one delivery of a subscription.
type OnDelivery struct {
	OnSubscription
	Delivery string `path:"delivery" doc:"The delivery's uid: the webhook-id." example:"f4ac9b1e-2d3c-8d4e-95f6-a7b8c9d0e1f2"`
}

type (
	// ListDeliveriesInput is the input of list-event-deliveries.
	ListDeliveriesInput struct {
		OnSubscription
		Limit  int    `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"Deliveries on a page."`
		Cursor string `query:"cursor" maxLength:"2048" doc:"The nextCursor of the page before."`
	}
	// GetEventDeliveryInput is the input of get-event-delivery.
	GetEventDeliveryInput struct{ OnDelivery }
	// RedeliverEventInput is the input of redeliver-event.
	RedeliverEventInput struct {
		OnDelivery
		Body *NoRequest
	}
)

type (
	// DeliveriesOutput is the answer of list-event-deliveries.
	DeliveriesOutput struct{ Body EventDeliveryList }
	// DeliveryOutput is the answer of get-event-delivery and redeliver-event.
	DeliveryOutput struct{ Body EventDeliveryAnswer }
)

const (
	deliveriesPath = subscriptionsPath + "/{uid}/deliveries"
	deliveryPath   = deliveriesPath + "/{delivery}"
)

func (s *service) registerDeliveries() {
	read, write := s.group(tagEvents, v1alpha1.ScopeRead), s.group(tagEvents, v1alpha1.ScopeWrite)

	op := s.operation(http.MethodGet, deliveriesPath, "list-event-deliveries", inWorkspace...)
	op.Summary = "List recent deliveries"
	op.Description = "What was sent and how it was answered, newest first. Delivered events are kept for 24 hours, failed ones for " +
		"7 days. Repeat with nextCursor until hasMore is false."
	handle(read, op, s.listDeliveries)

	op = s.operation(http.MethodGet, deliveryPath, "get-event-delivery", inWorkspace...)
	op.Summary = "Get a delivery"
	op.Description = "What was sent of one event, and how it was answered."
	handle(read, op, s.getEventDelivery)

	op = s.operation(http.MethodPost, deliveryPath+"/redeliver", "redeliver-event", creating...)
	op.Summary = "Redeliver an event"
	op.Description = "Sends an event whose delivery has ended again, with the same webhook-id and body."
	handle(write, op, s.redeliverEvent)
}

func (s *service) listDeliveries(ctx context.Context, c *call, in *ListDeliveriesInput) (*DeliveriesOutput, error) {
	found, err := s.subscriptions().find(ctx, c.workspace, in.UID)
	if err != nil {
		return nil, err
	}
	page, err := s.subscriptions().deliveries(ctx, found, in.Cursor, in.Limit)
	if apierrors.IsBadRequest(err) && in.Cursor != "" {
		return nil, problem.Invalid(problem.Detail{Field: "cursor", Message: "must be the nextCursor of a page before"})
	}
	if err != nil {
		return nil, err
	}
	out := EventDeliveryList{Envelope: succeeded, Data: []EventDelivery{}, HasMore: page.Continue != ""}
	for i := range page.Items {
		out.Data = append(out.Data, presentDelivery(&page.Items[i]))
	}
	if out.HasMore {
		out.NextCursor = &page.Continue
	}
	return &DeliveriesOutput{Body: out}, nil
}

func (s *service) getEventDelivery(ctx context.Context, c *call, in *GetEventDeliveryInput) (*DeliveryOutput, error) {
	d, err := s.findDelivery(ctx, c, in.OnDelivery)
	if err != nil {
		return nil, err
	}
	return &DeliveryOutput{Body: EventDeliveryAnswer{Envelope: succeeded, EventDelivery: presentDelivery(d)}}, nil
}

func (s *service) redeliverEvent(ctx context.Context, c *call, in *RedeliverEventInput) (*DeliveryOutput, error) {
	d, err := s.findDelivery(ctx, c, in.OnDelivery)
	if err != nil {
		return nil, err
	}
	if eventdelivery.Open(d) {
		return nil, problem.Conflict("the event is being delivered already")
	}
	if err := s.subscriptions().redeliver(ctx, d); err != nil {
		return nil, err
	}
	return &DeliveryOutput{Body: EventDeliveryAnswer{Envelope: succeeded, EventDelivery: presentDelivery(d)}}, nil
}

// findDelivery returns a delivery of the subscription that the request names.
func (s *service) findDelivery(ctx context.Context, c *call, in OnDelivery) (*v1alpha1.EventDelivery, error) {
	found, err := s.subscriptions().find(ctx, c.workspace, in.UID)
	if err != nil {
		return nil, err
	}
	if !identity.IsUID(in.Delivery) {
		return nil, problem.NotFound(subjectDelivery)
	}
	d, err := s.subscriptions().delivery(ctx, client.ObjectKey{Namespace: c.workspace, Name: in.Delivery})
	if apierrors.IsNotFound(err) || (err == nil && d.Spec.SubscriptionRef.Name != found.Name) {
		return nil, problem.NotFound(subjectDelivery)
	}
	return d, err
}
