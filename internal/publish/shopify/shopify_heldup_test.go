package shopify_test

import (
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/fence"
)

// GraphQL queries are POST requests, as mutations are. A token leaves nothing in the shop.
func TestAControllerThatWasHeldUpReadsAndWritesNothing(t *testing.T) {
	c := newConnection(t)
	c.secret = map[string]string{"clientID": clientID, "clientSecret": clientSecret}
	ctx, attempt := fence.Begun(t.Context(), began.Add(-time.Minute))
	target := c.target(&fence.Transport{Next: c.transport, Clock: c.clock})
	if o := c.connector.Test(ctx, target, ""); o.Outcome != v1alpha1.AttemptAccepted || attempt.Refused() {
		t.Errorf("a test of the connection ends with %+v", o)
	}
	c.connector.Publish(ctx, target, article())
	if !attempt.Refused() || attempt.Sent() || len(c.posts) != 0 || c.granted != 1 {
		t.Errorf("refused %t, sent %t, %d articles made", attempt.Refused(), attempt.Sent(), len(c.posts))
	}
}
