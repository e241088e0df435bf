package eventsubscription

import (
	"context"
	"net/http"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/eventdelivery"
)

// OnDelivery is embedded in the input of every operation on one delivery of a subscription.
type OnDelivery struct {
	OnSubscription
	Delivery string `path:"delivery_uid" doc:"The delivery's uid: the webhook-id." example:"f4ac9b1e-2d3c-8d4e-95f6-a7b8c9d0e1f2"`
}

type (
	// ListDeliveriesInput is the input of list-event-deliveries.
	ListDeliveriesInput struct {
		OnSubscription
		Limit  int      `query:"limit" minimum:"1" maximum:"100" default:"20" doc:"Deliveries on a page."`
		Cursor string   `query:"cursor" maxLength:"2048" doc:"The nextCursor of the page before."`
		Status []string `query:"status" enum:"pending,delivering,retry_scheduled,delivered,failed" maxItems:"20" doc:"Only deliveries with one of these statuses. A page may then have fewer, or none, and hasMore." example:"failed"`
	}
	// RedeliverInput is the input of redeliver-event.
	RedeliverInput struct {
		OnDelivery
		operation.Idempotent
		Body *operation.NoRequest
	}
)

const (
	subjectDelivery = "delivery"

	deliveriesPath = subscriptionPath + "/deliveries"
	deliveryPath   = deliveriesPath + "/{delivery_uid}"
)

// ListDeliveries lists the deliveries of an event subscription.
var ListDeliveries = operation.Operation[ListDeliveriesInput, operation.Output[EventDeliveryList]]{
	ID: "list-event-deliveries", Method: http.MethodGet, Path: deliveriesPath, Tag: operation.TagEvents,
	Scope: v1alpha1.ScopeRead, Errors: operation.ReadErrors,
}

func (s *service) listDeliveries(
	ctx context.Context, c *operation.Call, in *ListDeliveriesInput,
) (*operation.Output[EventDeliveryList], error) {
	found, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	chosen, next, err := kube.Filter(ctx, s.Client, in.Cursor, in.Limit, func(page *v1alpha1.EventDeliveryList) (chosen []EventDelivery) {
		for i := range page.Items {
			if len(in.Status) == 0 || slices.Contains(in.Status, deliveryStatus(&page.Items[i])) {
				chosen = append(chosen, presentDelivery(&page.Items[i]))
			}
		}
		return chosen
	}, deliveriesOf(found)...)
	if err != nil {
		return nil, err
	}
	return operation.Answer(EventDeliveryList{Envelope: operation.Succeeded, Data: chosen, Page: operation.Next(next)}), nil
}

// deliveriesOf chooses the deliveries of a subscription. Their names begin with the time that is left (identity.EventID), so kube-apiserver
// lists the newest first and reads no more than a page.
func deliveriesOf(s *v1alpha1.EventSubscription) []client.ListOption {
	return []client.ListOption{client.InNamespace(s.Namespace), client.MatchingFields{"spec.subscriptionRef.name": s.Name}}
}

// GetDelivery returns the delivery of an event.
var GetDelivery = operation.Operation[OnDelivery, operation.Output[EventDeliveryAnswer]]{
	ID: "get-event-delivery", Method: http.MethodGet, Path: deliveryPath, Tag: operation.TagEvents, Scope: v1alpha1.ScopeRead,
	Errors: operation.ReadErrors,
}

func (s *service) getDelivery(ctx context.Context, c *operation.Call, in *OnDelivery) (*operation.Output[EventDeliveryAnswer], error) {
	d, err := s.findDelivery(ctx, c, *in)
	if err != nil {
		return nil, err
	}
	return deliveryAnswer(d), nil
}

func deliveryAnswer(d *v1alpha1.EventDelivery) *operation.Output[EventDeliveryAnswer] {
	return operation.Answer(EventDeliveryAnswer{Envelope: operation.Succeeded, EventDelivery: presentDelivery(d)})
}

// Redeliver has an event sent again.
var Redeliver = operation.Operation[RedeliverInput, operation.Output[EventDeliveryAnswer]]{
	ID: "redeliver-event", Method: http.MethodPost, Path: deliveryPath + "/redeliver", Tag: operation.TagEvents,
	Scope: v1alpha1.ScopeWrite, Errors: operation.CreateErrors,
}

func (s *service) redeliver(
	ctx context.Context, c *operation.Call, in *RedeliverInput,
) (*operation.Output[EventDeliveryAnswer], error) {
	return operation.Command[operation.Output[EventDeliveryAnswer]]{
		Operation: Redeliver.ID, About: []string{in.UID, in.Delivery},
		Do: func(ctx context.Context, nonce string) (*operation.Output[EventDeliveryAnswer], error) {
			found, err := s.findDelivery(ctx, c, in.OnDelivery)
			if err != nil {
				return nil, err
			}
			d, err := s.startRedelivery(ctx, client.ObjectKeyFromObject(found), nonce)
			if err != nil {
				return nil, err
			}
			return deliveryAnswer(d), nil
		},
		Again: func(ctx context.Context) (*operation.Output[EventDeliveryAnswer], error) {
			return s.getDelivery(ctx, c, &in.OnDelivery)
		},
	}.Run(ctx, c, in.Idempotent, c.Workspace)
}

// startRedelivery gives a delivery that has ended a nonce, for which the controller delivers it once more.
func (s *service) startRedelivery(ctx context.Context, key client.ObjectKey, nonce string) (*v1alpha1.EventDelivery, error) {
	return kube.Change(ctx, s.Client, key, func(d *v1alpha1.EventDelivery) error {
		if d.Annotations[v1alpha1.RedeliverAnnotation] == nonce {
			return nil
		}
		if eventdelivery.Unfinished(d) {
			return problem.Conflict(problem.ReasonInProgress, "the event is being delivered already")
		}
		metav1.SetMetaDataAnnotation(&d.ObjectMeta, v1alpha1.RedeliverAnnotation, nonce)
		return nil
	})
}

// findDelivery returns a delivery of the subscription that the request names.
func (s *service) findDelivery(ctx context.Context, c *operation.Call, in OnDelivery) (*v1alpha1.EventDelivery, error) {
	found, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	if !identity.IsUID(in.Delivery) {
		return nil, problem.NotFound(subjectDelivery)
	}
	d := &v1alpha1.EventDelivery{}
	if err := s.Client.Get(ctx, client.ObjectKey{Namespace: c.Workspace, Name: in.Delivery}, d); err != nil {
		return nil, err
	}
	if d.Spec.SubscriptionRef.Name != found.Name {
		return nil, problem.NotFound(subjectDelivery)
	}
	return d, nil
}
