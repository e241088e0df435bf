package rest

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// wholeAccount is the group's operations with an API key of the whole account alone: not with a token, because a client acts in the
// name of people, and not with a key that is limited to some workspaces. As the scope, it is checked before the request is looked at.
func (g group) wholeAccount() group {
	api := huma.NewGroup(g.api)
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		if p := callOf(ctx.Context()).principal; p.Client != "" || len(p.Workspaces) > 0 {
			g.service.refuse(ctx, problem.New(http.StatusForbidden, problem.CodeInsufficientScope,
				"apps and their access are managed with an API key of the whole account"))
			return
		}
		next(ctx)
	})
	return group{g.service, api}
}

// eitherScope is the group's operations with a credential that has one of two scopes. Which one a request needs is in its body.
func (g group) eitherScope(a, b v1alpha1.Scope) group {
	api := huma.NewGroup(g.api)
	names := strings.ToLower(string(a) + " or " + string(b))
	api.UseMiddleware(func(ctx huma.Context, next func(huma.Context)) {
		if p := callOf(ctx.Context()).principal; !p.Has(a) && !p.Has(b) {
			g.service.refuse(ctx, problem.InsufficientScope(names))
			return
		}
		next(ctx)
	})
	api.UseSimpleModifier(func(op *huma.Operation) { op.Extensions = map[string]any{scopeExtension: names} })
	return group{g.service, api}
}

// mark notes on what a client creates by which access it does. It ends with that access.
func mark(o *v1alpha1.EventSubscription, p auth.Principal) {
	if p.Client != "" {
		o.Labels = map[string]string{v1alpha1.GrantLabel: p.ID, v1alpha1.ClientLabel: p.Client}
	}
}

// sees reports whether the credential of a request may see a subscription. A client sees those that it has made itself: the URLs of
// others can be secrets.
func sees(ctx context.Context, s *v1alpha1.EventSubscription) bool {
	c := callOf(ctx)
	return c == nil || c.principal.Client == "" || s.Labels[v1alpha1.ClientLabel] == c.principal.Client
}
