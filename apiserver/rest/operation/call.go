package operation

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// Call is an authenticated request.
type Call struct {
	Core      *Core
	Principal auth.Principal
	// Local means that a page or a tool of this process calls.
	Local bool
	http  huma.Context
	// replayed means that the answer repeats an earlier one.
	replayed atomic.Bool
	// Workspace is the namespace of the request; set once the key has been found to open it.
	Workspace string
	// lists counts those that were read from kube-apiserver.
	lists atomic.Int32
}

type callKey struct{}

// credentialHeader carries an API key or an access token.
const credentialHeader = "x-api-key"

// WorkspaceHeader names the workspace of a request.
const WorkspaceHeader = "x-workspace-id"

// CallOf returns the call of a request that has been authenticated, else nil.
func CallOf(ctx context.Context) *Call {
	c, _ := ctx.Value(callKey{}).(*Call)
	return c
}

// Opens reports whether the key opens a workspace: it belongs to the key's account, is not being deleted, and is one of the
// key's workspaces if the key is limited to some.
func (c *Call) Opens(workspace string) bool {
	w, ok := c.Core.Index.Workspace(workspace)
	return ok && w.Account == c.Principal.Account && c.Principal.Opens(workspace)
}

// Take counts another request of the call's credential, and returns how long it must wait; 0 if it may go on.
func (c *Call) Take() time.Duration {
	return c.Core.requests.Take(c.Principal.ID, c.Principal.Account)
}

// Turn waits until the account may use the CPU for long: one account has half of the replica's CPUs at most. The function that it returns
// ends that.
func (c *Call) Turn(ctx context.Context) (end func(), err error) {
	return c.Core.turns.Wait(ctx, c.Principal.Account)
}

// BeginList waits until another list may be read from kube-apiserver for the account. The request itself stands for the first one, and each
// other one counts as a request. It implements kube.Lists.
func (c *Call) BeginList(ctx context.Context) (end func(), err error) {
	if c.lists.Add(1) > 1 {
		if wait := c.Take(); wait > 0 {
			return nil, problem.TooManyRequests(wait)
		}
	}
	return c.Core.reads.Wait(ctx, c.Principal.Account)
}

// Replayed says in the answer that it repeats an earlier one: nothing was done again.
func (c *Call) Replayed() { c.replayed.Store(true) }

// InWorkspace is embedded in the input of every operation on a workspace.
type InWorkspace struct {
	Workspace string `header:"x-workspace-id" required:"true" doc:"Workspace, from list-workspaces." example:"acme-blog"`
}

func (in InWorkspace) workspaceID() string { return in.Workspace }

// Enter names the workspace of an input that names none.
func (in *InWorkspace) Enter(workspace string) { in.Workspace = cmp.Or(in.Workspace, workspace) }

// AnyScope is the scope of operations that every credential may call.
const AnyScope v1alpha1.Scope = ""

// admit enters the workspace that a valid request names, and counts the request and what it writes.
func (c *Call) admit(ctx context.Context, in any, writes bool) error {
	if scoped, ok := in.(interface{ workspaceID() string }); ok {
		if !c.Opens(scoped.workspaceID()) {
			return problem.NotFound("workspace")
		}
		c.Workspace = scoped.workspaceID()
		entryOf(ctx).workspace = c.Workspace
	}
	wait := c.Take()
	c.setRateLimit(wait)
	if wait > 0 {
		return problem.TooManyRequests(wait)
	}
	if writes {
		return c.TakeBytes(ctx, ObjectBytes)
	}
	return nil
}

// authenticate is the first check of a request: the credential (401), that it has one of the scopes (403), and what else is checked.
// A client that sends much more than it may, with the scope or without, is refused here, before its requests are read (429).
func (s *Core) authenticate(scopes []v1alpha1.Scope, checks []Check) func(huma.Context, func(huma.Context)) {
	checks = append([]Check{hasOneOf(scopes)}, checks...)
	return func(ctx huma.Context, next func(huma.Context)) {
		if !s.Synced() {
			s.refuse(ctx, starting())
			return
		}
		if len(humagin.Unwrap(ctx).Request.Header.Values(credentialHeader)) > 1 {
			s.refuse(ctx, problem.Invalid(comesTwice(credentialHeader)))
			return
		}
		principal, local, err := s.caller(ctx)
		if err != nil {
			s.refuse(ctx, s.authProblem(ctx.Context(), err))
			return
		}
		entryOf(ctx.Context()).by = principal
		c := &Call{Core: s, Principal: principal, Local: local, http: ctx}
		c.setRateLimit(0)
		if wait := s.arrivals.Take(principal.ID, principal.Account); wait > 0 {
			c.setRateLimit(wait)
			s.refuse(ctx, problem.TooManyRequests(wait))
			return
		}
		for _, check := range checks {
			if e := check(c); e != nil {
				s.refuse(ctx, e)
				return
			}
		}
		next(huma.WithValue(ctx, callKey{}, c))
	}
}

// starting is the answer until the index is complete.
func starting() *problem.APIError { return problem.Unavailable("the service is starting", time.Second) }

// hasOneOf is the Check of the scope.
func hasOneOf(scopes []v1alpha1.Scope) Check {
	names := make([]string, len(scopes))
	for i, scope := range scopes {
		names[i] = strings.ToLower(string(scope))
	}
	return func(c *Call) *problem.APIError {
		if slices.ContainsFunc(scopes, func(scope v1alpha1.Scope) bool { return scope == AnyScope || c.Principal.Has(scope) }) {
			return nil
		}
		return problem.InsufficientScope(strings.Join(names, " or "))
	}
}

// caller returns who sends a request: whom this process has found out already (see Local), or whom the credential belongs to.
func (s *Core) caller(ctx huma.Context) (caller auth.Principal, local bool, err error) {
	if caller, local = ctx.Context().Value(callerKey{}).(auth.Principal); local {
		return caller, true, nil
	}
	caller, err = s.Authenticator.Authenticate(ctx.Context(), ctx.Header(credentialHeader))
	return caller, false, err
}

// endReadDeadline removes the deadline of a request that has been read. If it passed while the operation is still running, the
// server would treat the connection as broken and cancel this request and all later ones on it.
func endReadDeadline(ctx huma.Context) {
	// This fails only on a connection that is closed already, or without one as in tests.
	_ = http.NewResponseController(humagin.Unwrap(ctx).Writer).SetReadDeadline(time.Time{})
}

// callerKey is the key of a context that has an auth.Principal. Only Local sets it, so no request from the network has one.
type callerKey struct{}

// withCaller returns a context for a call in the name of somebody whom this process has found out: a person who has signed in to its pages,
// or the holder of a credential who calls a tool.
func withCaller(ctx context.Context, caller auth.Principal, via middleware.Via) context.Context {
	return middleware.WithVia(context.WithValue(ctx, callerKey{}, caller), via)
}
