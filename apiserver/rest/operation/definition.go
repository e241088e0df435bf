// Package operation is what the operations of the REST API have in common, whatever resource they are about: who calls (Call), with which
// scope (Group), limits of requests and of bodies, repeats under an Idempotency-Key, the line in the log, and the answer to an error.
package operation

import (
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// The tags of operations.
const (
	TagSites     = "Sites"
	TagArticles  = "Articles"
	TagEditorial = "Editorial"
	TagEvents    = "Events"
	TagOAuth     = "OAuth"
	TagAccount   = "Account"
)

// The errors of each kind of operation, in addition to the errors of every operation.
var (
	ReadErrors     = []int{http.StatusBadRequest, http.StatusNotFound}
	CreateErrors   = []int{http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusRequestEntityTooLarge}
	EditErrors     = append([]int{http.StatusPreconditionFailed}, CreateErrors...)
	DeleteErrors   = []int{http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusPreconditionFailed}
	GenerateErrors = append([]int{http.StatusPaymentRequired}, CreateErrors...)
)

// operation returns what all operations have in common. The overlay of the OpenAPI document says what each of them does.
func (s *Core) operation(method, path, id string, errors []int) huma.Operation {
	verb, _, _ := strings.Cut(id, "-")
	return huma.Operation{
		Method: method, Path: path, OperationID: id, DefaultStatus: statusOf[verb],
		Middlewares: huma.Middlewares{s.readStrictly, s.prepareBody},
		// prepareBody reads the body, whose form may take more bytes than what the client has sent.
		MaxBodyBytes: 2 * jsonbody.MaxContentBytes, BodyReadTimeout: s.Limits.BodyTimeout,
		Responses: map[string]*huma.Response{"default": {Ref: "#/components/responses/Error", Description: codes(errors)}},
	}
}

// statusOf has the status of success of operations by their verb, if it is not 200.
var statusOf = map[string]int{
	"create": http.StatusCreated, "generate": http.StatusAccepted, "test": http.StatusAccepted,
	"delete": http.StatusNoContent, "revoke": http.StatusNoContent,
}

// codes lists the errors of an operation beside those of every operation, by their statuses. Each refuses parameters that it does not know.
func codes(statuses []int) string {
	all := append([]int{http.StatusBadRequest}, statuses...)
	slices.Sort(all)
	var b strings.Builder
	for _, status := range slices.Compact(all) {
		fmt.Fprintf(&b, "%d %s, ", status, codeOf[status])
	}
	b.WriteString("or an error of every operation.")
	return b.String()
}

// codeOf has the code of a status that not every operation answers.
var codeOf = map[int]problem.Code{
	http.StatusBadRequest: problem.CodeValidation, http.StatusPaymentRequired: problem.CodeInsufficientCredits,
	http.StatusNotFound: problem.CodeNotFound, http.StatusConflict: problem.CodeConflict,
	http.StatusPreconditionFailed: problem.CodePreconditionFailed, http.StatusRequestEntityTooLarge: problem.CodePayloadTooLarge,
}

// security names the credential of an operation, and its scope; with several scopes, one of them is enough.
func security(scopes ...v1alpha1.Scope) (alternatives []map[string][]string) {
	for _, scope := range scopes {
		alternatives = append(alternatives, map[string][]string{"apiKey": strings.Fields(strings.ToLower(string(scope)))})
	}
	return alternatives
}

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
