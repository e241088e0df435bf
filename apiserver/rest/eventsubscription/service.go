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
	read, write := s.Group(operation.TagEvents, v1alpha1.ScopeRead), s.Group(operation.TagEvents, v1alpha1.ScopeWrite)
	operation.Handle(read, http.MethodGet, subscriptionsPath, "list-event-subscriptions", s.listSubscriptions, operation.ReadErrors...)
	operation.Handle(write, http.MethodPost, subscriptionsPath, "create-event-subscription", s.create, operation.CreateErrors...)
	operation.Handle(read, http.MethodGet, subscriptionPath, "get-event-subscription", s.get, operation.ReadErrors...)
	operation.Handle(write, http.MethodPatch, subscriptionPath, "update-event-subscription", s.update, operation.EditErrors...)
	operation.Handle(write, http.MethodDelete, subscriptionPath, "delete-event-subscription", s.delete, operation.DeleteErrors...)
	operation.Handle(write, http.MethodPost, subscriptionPath+"/rotate-secret", "rotate-event-secret", s.rotate, operation.CreateErrors...)
	operation.Handle(write, http.MethodPost, subscriptionPath+"/test", "test-event-subscription", s.test, operation.EditErrors...)
	operation.Handle(write, http.MethodPost, subscriptionPath+"/recover", "recover-event-subscription", s.recover,
		operation.CreateErrors...)
	operation.Handle(read, http.MethodGet, deliveriesPath, "list-event-deliveries", s.listDeliveries, operation.ReadErrors...)
	operation.Handle(read, http.MethodGet, deliveryPath, "get-event-delivery", s.getDelivery, operation.ReadErrors...)
	operation.Handle(write, http.MethodPost, deliveryPath+"/redeliver", "redeliver-event", s.redeliver, operation.CreateErrors...)
}

type (
	deleteSubscriptionInput struct {
		OnSubscription
		operation.IfMatch
	}
	subscriptionOutput struct {
		ETag string `header:"ETag" doc:"Names this state of the subscription, for If-Match."`
		Body EventSubscriptionAnswer
	}
)

// answer returns a subscription as an answer, with its entity tag.
func answer(e *v1alpha1.EventSubscription) (*subscriptionOutput, error) {
	out := EventSubscriptionAnswer{Envelope: operation.Succeeded, EventSubscription: presentSubscription(e)}
	tag, err := operation.Tag(operation.Written(e), out)
	return &subscriptionOutput{ETag: tag, Body: out}, err
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

func (s *service) get(ctx context.Context, c *operation.Call, in *OnSubscription) (*subscriptionOutput, error) {
	found, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	return answer(found)
}

func (s *service) delete(ctx context.Context, c *operation.Call, in *deleteSubscriptionInput) (*operation.DeleteOutput, error) {
	found, err := s.find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	return s.Remove(ctx, found, in.IfMatch, ".spec.url")
}
