package rest

import (
	"cmp"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// call is an authenticated request.
type call struct {
	service   *service
	principal auth.Principal
	// credential that the request came with. It is never logged or stored.
	credential string
	// local means that a page of this process calls.
	local bool
	// received is called once the whole request has been read.
	received func()
	// tellLeft sets the header fields about the limit of requests. They are set before the answer begins, whichever it is.
	tellLeft func(wait time.Duration)
	// workspace is the namespace of the request; set once the key has been found to open it.
	workspace string
}

type callKey struct{}

// credentialHeader carries an API key or an access token.
const credentialHeader = "x-api-key"

// workspaceHeader names the workspace of a request.
const workspaceHeader = "x-workspace-id"

func callOf(ctx context.Context) *call {
	c, _ := ctx.Value(callKey{}).(*call)
	return c
}

// opens reports whether the key opens a workspace: it belongs to the key's account, is not being deleted, and is one of the
// key's workspaces if the key is limited to some.
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

// anyScope is the scope of operations that every credential may use.
const anyScope v1alpha1.Scope = ""

// scopeExtension documents the scope that an operation needs.
const scopeExtension = "x-required-scope"

// group is the operations of one tag that need the same scope.
type group struct {
	service *service
	api     huma.API
}

func (s *service) group(tag string, scope v1alpha1.Scope) group {
	g := huma.NewGroup(s.api)
	g.UseMiddleware(s.logOperation, s.authenticate(scope))
	g.UseSimpleModifier(func(op *huma.Operation) {
		op.Tags = []string{tag}
		op.Security = []map[string][]string{{keyScheme: {}}}
		if op.Extensions == nil {
			op.Extensions = map[string]any{scopeExtension: strings.ToLower(cmp.Or(string(scope), "any"))}
		}
	})
	return group{s, g}
}

// handle registers an operation, with what holds for all operations: entering the workspace, the limit of the replica, and
// the translation of errors.
func handle[I, O any](g group, op huma.Operation, run func(context.Context, *call, *I) (*O, error)) {
	s := g.service
	huma.Register(g.api, op, func(ctx context.Context, in *I) (*O, error) {
		c := callOf(ctx)
		c.received()
		record := recordOf(ctx)
		record.note(in)
		ctx, cancel := context.WithTimeout(ctx, s.Limits.OperationTimeout)
		defer cancel()
		if scoped, ok := any(in).(interface{ workspaceID() string }); ok {
			if !c.opens(scoped.workspaceID()) {
				return nil, problem.NotFound("workspace")
			}
			c.workspace = scoped.workspaceID()
			record.workspace = c.workspace
		}
		wait := s.requests.Take(c.principal.ID, c.principal.Account)
		c.tellLeft(wait)
		if wait > 0 {
			return nil, problem.TooManyRequests(wait)
		}
		out, err := run(ctx, c, in)
		if err != nil {
			return nil, s.operationProblem(ctx, &op, err)
		}
		record.note(out)
		return handOver(ctx, out), nil
	})
}

// authenticate is the first check of a request: the credential (401) and its scope (403). A client that sends much more than it may
// is refused here, before its requests are read (429).
func (s *service) authenticate(scope v1alpha1.Scope) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		if !s.Synced() {
			s.refuse(ctx, problem.Starting())
			return
		}
		principal, given, err := s.caller(ctx)
		if err != nil {
			s.refuse(ctx, s.authProblem(ctx.Context(), err))
			return
		}
		recordOf(ctx.Context()).by = principal
		_, local := callerOf(ctx.Context())
		c := &call{service: s, principal: principal, credential: given, local: local, received: func() { endReadDeadline(ctx) }}
		c.tellLeft = func(wait time.Duration) { s.tellLeft(ctx, principal, wait) }
		c.tellLeft(0)
		if scope != anyScope && !principal.Has(scope) {
			s.refuse(ctx, problem.InsufficientScope(strings.ToLower(string(scope))))
			return
		}
		if wait := s.arrivals.Take(principal.ID, principal.Account); wait > 0 {
			c.tellLeft(wait)
			s.refuse(ctx, problem.TooManyRequests(wait))
			return
		}
		next(huma.WithValue(ctx, callKey{}, c))
	}
}

// caller returns who sends a request: whom a page of this process has signed in (see Local), or whom the credential belongs to, and that
// credential.
func (s *service) caller(ctx huma.Context) (auth.Principal, string, error) {
	if c, ok := callerOf(ctx.Context()); ok {
		return c.Principal, "session " + c.Session, nil
	}
	given := ctx.Header(credentialHeader)
	principal, err := s.Authenticator.Authenticate(ctx.Context(), given)
	return principal, given, err
}

// endReadDeadline removes the deadline of a request that has been read. If it passed while the operation is still running, the
// server would treat the connection as broken and cancel this request and all later ones on it.
func endReadDeadline(ctx huma.Context) {
	// This fails only on a connection that is closed already, or without one as in tests.
	_ = http.NewResponseController(humagin.Unwrap(ctx).Writer).SetReadDeadline(time.Time{})
}
