package operation

import (
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// Require is the group's operations for calls that pass a check. As the scope, it is checked before the request is looked at.
func (g Group) Require(check func(*Call) *problem.APIError) Group {
	api := huma.NewGroup(g.api)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		if e := check(CallOf(ctx.Context())); e != nil {
			g.core.refuse(ctx, e)
			return
		}
		next(ctx)
	})
	return Group{g.core, api}
}

// WholeAccount is the group's operations with an API key of the whole account alone: not with a token, because a client acts in the
// name of people, and not with a key that is limited to some workspaces.
func (g Group) WholeAccount() Group {
	return g.Require(func(c *Call) *problem.APIError {
		if c.Principal.Client == "" && len(c.Principal.Workspaces) == 0 {
			return nil
		}
		return problem.New(http.StatusForbidden, problem.CodeInsufficientScope,
			"apps and their access are managed with an API key of the whole account")
	})
}

// EitherScope is the group's operations with a credential that has one of two scopes. Which one a request needs is in its body.
func (g Group) EitherScope(a, b v1alpha1.Scope) Group {
	names := strings.ToLower(string(a) + " or " + string(b))
	g = g.Require(func(c *Call) *problem.APIError {
		if c.Principal.Has(a) || c.Principal.Has(b) {
			return nil
		}
		return problem.InsufficientScope(names)
	})
	g.api.UseSimpleModifier(func(op *huma.Operation) { op.Security = security(a, b) })
	return g
}
