// Package subscription is the operations of the REST API on event subscriptions, their secrets, and their deliveries.
package subscription

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
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

// checkLimit returns an APIError if the account may not have another subscription. The count is from this replica's memory, which lags
// behind a write by a moment: requests that are answered at the same time may pass the limit by a few.
func (s *service) checkLimit(ctx context.Context, c *operation.Call) error {
	limits, err := s.AccountLimits(ctx, c)
	if err != nil {
		return err
	}
	if most := limits.MostEventSubscriptions(); s.Index.Usage(c.Principal.Account).Subscriptions >= most {
		return problem.LimitReached("eventSubscriptions", "event subscriptions", most)
	}
	return nil
}
