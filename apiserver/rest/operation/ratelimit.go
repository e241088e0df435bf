package operation

import (
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
)

// setRateLimit sets the header fields of draft-ietf-httpapi-ratelimit-headers: the share of a credential at this replica, and what is
// left of it. If the request must wait, nothing is.
func (s *Core) setRateLimit(ctx huma.Context, p auth.Principal, wait time.Duration) {
	left := s.requests.Left(p.ID, p.Account)
	if wait > 0 {
		left = middleware.Left{More: wait}
	}
	ctx.SetHeader(middleware.RateLimitPolicyHeader, s.requests.Policy())
	ctx.SetHeader(middleware.RateLimitHeader, left.String())
}
