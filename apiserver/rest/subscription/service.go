// Package subscription is the operations of the REST API on event subscriptions, their secrets, and their deliveries.
package subscription

import (
	"context"

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
	s.registerReads()
	s.registerCreate()
	s.registerUpdate()
	s.registerSecret()
	s.registerTest()
	s.registerDeliveries()
	s.registerRecover()
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
