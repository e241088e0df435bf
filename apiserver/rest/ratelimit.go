package rest

import (
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// tellLeft sets the header fields of draft-ietf-httpapi-ratelimit-headers: the share of a credential at this replica, and what is
// left of it. If the request must wait, nothing is.
func (s *service) tellLeft(ctx huma.Context, p auth.Principal, wait time.Duration) {
	left := s.requests.Left(p.ID, p.Account)
	if wait > 0 {
		left = middleware.Left{More: wait}
	}
	ctx.SetHeader(middleware.RateLimitPolicyHeader, s.requests.Policy())
	ctx.SetHeader(middleware.RateLimitHeader, left.String())
}

// The headers are components of the document, which answers refer to.
const headerRef = "#/components/headers/"

// documentRateLimit documents the header fields about the limit of requests, once, on every answer to a valid credential.
func documentRateLimit(document *huma.OpenAPI) {
	text := &huma.Schema{Type: huma.TypeString}
	document.Components.Headers = map[string]*huma.Header{
		middleware.RateLimitPolicyHeader: {
			Description: "How many requests a key or token may send to one replica: q of them at once, which come back within w seconds " +
				"(draft-ietf-httpapi-ratelimit-headers).",
			Schema: text, Example: `"default";q=500;w=5`,
		},
		middleware.RateLimitHeader: {
			Description: "How many requests r are left for the key, or for its account if those are fewer, and after how many seconds t " +
				"there is another one.",
			Schema: text, Example: `"default";r=499;t=1`,
		},
	}
	add := func(r *huma.Response) {
		if r == nil || r.Ref != "" {
			return
		}
		if r.Headers == nil {
			r.Headers = map[string]*huma.Header{}
		}
		for name := range document.Components.Headers {
			r.Headers[name] = &huma.Header{Ref: headerRef + name}
		}
	}
	operations(document, func(op *huma.Operation) {
		// Operations without the key are those that clients of OAuth call.
		if op.Extensions[scopeExtension] == nil {
			return
		}
		for _, r := range op.Responses {
			add(r)
		}
	})
	for name, r := range document.Components.Responses {
		if !beforeAuthentication(name) {
			add(r)
		}
	}
}

// beforeAuthentication reports whether a shared response is sent before a credential was found to work.
func beforeAuthentication(name string) bool {
	for _, e := range []*problem.APIError{problem.Unauthorized(), problem.MethodNotAllowed("")} {
		if name == responseName(e.GetStatus()) {
			return true
		}
	}
	return false
}
