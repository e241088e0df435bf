// Package eventsubscription has the operations of the REST API on event subscriptions, their secrets, and their deliveries.
package eventsubscription

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

const (
	subscriptionsPath = "/v1/api/event-subscriptions"
	subscriptionPath  = subscriptionsPath + "/{uid}"
)

// service has the operations. Subscriptions and deliveries are rarely read, so no informer holds them.
type service struct {
	*operation.Core
}

// Register adds the operations.
func Register(core *operation.Core) {
	s := &service{Core: core}
	List.Handle(core, s.listSubscriptions)
	Create.Handle(core, s.create)
	Get.Handle(core, s.get)
	Update.Handle(core, s.update)
	Delete.Handle(core, s.delete)
	RotateSecret.Handle(core, s.rotate)
	Test.Handle(core, s.test)
	Recover.Handle(core, s.recover)
	ListDeliveries.Handle(core, s.listDeliveries)
	GetDelivery.Handle(core, s.getDelivery)
	Redeliver.Handle(core, s.redeliver)
}

type (
	// DeleteInput is the input of delete-event-subscription.
	DeleteInput struct {
		OnSubscription
		operation.IfMatch
	}
	// Output is a subscription as an answer, with its entity tag.
	Output struct {
		ETag string `header:"ETag" doc:"Names this state of the subscription, for If-Match."`
		Body EventSubscriptionAnswer
	}
)

// answer returns a subscription as an answer, with its entity tag.
func answer(e *v1alpha1.EventSubscription) (*Output, error) {
	out := EventSubscriptionAnswer{Envelope: operation.Succeeded, EventSubscription: presentSubscription(e)}
	tag, err := operation.Tag(operation.Written(e), out)
	return &Output{ETag: tag, Body: out}, err
}

// List lists event subscriptions.
var List = operation.Operation[operation.InWorkspace, operation.Output[EventSubscriptionList]]{
	ID: "list-event-subscriptions", Method: http.MethodGet, Path: subscriptionsPath, Tag: operation.TagEvents,
	Scope: v1alpha1.ScopeRead, Errors: operation.ReadErrors,
}

func (s *service) listSubscriptions(
	ctx context.Context, c *operation.Call, _ *operation.InWorkspace,
) (*operation.Output[EventSubscriptionList], error) {
	all, err := s.list(ctx, c)
	if err != nil {
		return nil, err
	}
	operation.NewestFirst(all)
	out := operation.Answer(EventSubscriptionList{Envelope: operation.Succeeded, Data: []EventSubscription{}})
	for i := range all {
		out.Body.Data = append(out.Body.Data, presentSubscription(&all[i]))
	}
	return out, nil
}

// Get returns an event subscription.
var Get = operation.Operation[OnSubscription, Output]{
	ID: "get-event-subscription", Method: http.MethodGet, Path: subscriptionPath, Tag: operation.TagEvents,
	Scope: v1alpha1.ScopeRead, Errors: operation.ReadErrors,
}

func (s *service) get(ctx context.Context, c *operation.Call, in *OnSubscription) (*Output, error) {
	found, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	return answer(found)
}

// Delete deletes an event subscription.
var Delete = operation.Operation[DeleteInput, operation.DeleteOutput]{
	ID: "delete-event-subscription", Method: http.MethodDelete, Path: subscriptionPath, Tag: operation.TagEvents,
	Scope: v1alpha1.ScopeWrite, Status: http.StatusNoContent, Errors: operation.DeleteErrors,
}

func (s *service) delete(ctx context.Context, c *operation.Call, in *DeleteInput) (*operation.DeleteOutput, error) {
	found, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	return s.Remove(ctx, found, in.IfMatch, ".spec.url")
}
