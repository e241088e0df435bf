package rest

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
)

// call is an authenticated request.
type call struct {
	service   *service
	principal auth.Principal
	// received is called once the whole request has been read.
	received func()
	// workspace is the namespace of the request; set once the request may enter it.
	workspace string
}

type callKey struct{}

func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// opens reports whether the key may enter a workspace: it is the account's, is not going away, and is one of the key's
// workspaces where the key is limited to some.
func (c *call) opens(workspace string) bool {
	w, ok := c.service.Index.Workspace(workspace)
	return ok && w.Account == c.principal.Account && c.principal.Opens(workspace)
}

// InWorkspace is embedded in the input of every operation on a workspace.
type InWorkspace struct {
	Workspace string `header:"x-workspace-id" required:"true" doc:"Workspace, from list-workspaces." example:"acme-blog"`
}

func (in InWorkspace) workspaceID() string { return in.Workspace }

// OnArticle is embedded in the input of every operation on one article.
type OnArticle struct {
	InWorkspace
	UID string `path:"uid" doc:"The article's uid." example:"0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2"`
}

// handle registers an operation. What holds for all of them is here: entering the workspace, the replica's own limit, and
// what becomes of an error that is no APIError.
func handle[I, O any](s *service, op huma.Operation, run func(context.Context, *call, *I) (*O, error)) {
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		c := callOf(ctx)
		c.received()
		ctx, cancel := context.WithTimeout(ctx, s.Limits.OperationTimeout)
		defer cancel()
		if scoped, ok := any(in).(interface{ workspaceID() string }); ok {
			if !c.opens(scoped.workspaceID()) {
				return nil, notFound("workspace")
			}
			c.workspace = scoped.workspaceID()
		}
		if wait := s.throttle.take(c.principal.ID); wait > 0 {
			return nil, tooManyRequests(wait)
		}
		out, err := run(ctx, c, in)
		if err != nil {
			return nil, s.report(ctx, &op, err)
		}
		return out, nil
	})
}

// authenticate is the first thing that happens to a request: who asks (401), and may they (403).
func (s *service) authenticate(scope v1alpha1.Scope) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		if !s.Synced() {
			s.refuse(ctx, starting())
			return
		}
		principal, err := s.Authenticator.Authenticate(ctx.Context(), ctx.Header("x-api-key"))
		switch {
		case err != nil:
			s.refuse(ctx, s.authFailure(ctx.Context(), err))
		case !principal.Has(scope):
			s.refuse(ctx, insufficientScope(strings.ToLower(string(scope))))
		default:
			c := &call{service: s, principal: principal, received: func() { endReadDeadline(ctx) }}
			next(huma.WithValue(ctx, callKey{}, c))
		}
	}
}

// endReadDeadline takes the deadline off a request that has been read. If it came while the operation is still at work, the
// server would take the connection for broken and cancel this request and all later ones on it.
func endReadDeadline(ctx huma.Context) {
	// Only a connection that is gone already, or none as in tests, cannot.
	_ = http.NewResponseController(humagin.Unwrap(ctx).Writer).SetReadDeadline(time.Time{})
}
