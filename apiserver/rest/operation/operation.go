// Package operation is what the operations of the REST API have in common, whatever resource they are about: who calls (Call), with which
// scope, limits of requests and of bodies, repeats under an Idempotency-Key, the line in the log, and the answer to an error.
package operation

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// The tags of operations.
const (
	TagSites     = "Sites"
	TagArticles  = "Articles"
	TagEditorial = "Editorial"
	TagEvents    = "Events"
	TagBriefs    = "Briefs"
	TagOAuth     = "OAuth"
	TagAccount   = "Account"
)

// The errors of each kind of operation, in addition to the errors of every operation.
var (
	BodyErrors     = []int{http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnsupportedMediaType}
	ReadErrors     = []int{http.StatusBadRequest, http.StatusNotFound}
	CreateErrors   = append([]int{http.StatusNotFound, http.StatusConflict}, BodyErrors...)
	EditErrors     = append([]int{http.StatusPreconditionFailed}, CreateErrors...)
	DeleteErrors   = []int{http.StatusBadRequest, http.StatusNotFound, http.StatusConflict, http.StatusPreconditionFailed}
	GenerateErrors = append([]int{http.StatusPaymentRequired}, CreateErrors...)
)

// Operation is an operation of the REST API, as the OpenAPI document has it. It is a variable beside its handler. I is its input and O its
// output, in the form that huma reads: parameters and header fields have tags, and Body is the body. The overlay of the document says what
// the operation does.
type Operation[I, O any] struct {
	// ID is the operationId.
	ID           string
	Method, Path string
	// Tag is the part of the API that it belongs to.
	Tag string
	// Scope that the credential must have; AnyScope if every credential may call the operation. OrScope is one that is enough as well: the
	// handler finds out which of them the request needs.
	Scope, OrScope v1alpha1.Scope
	// WholeAccount means that an API key of the whole account is needed: not a token, because a client acts in the name of people, and not
	// a key that is limited to some workspaces.
	WholeAccount bool
	// Status of success; 200 if it is 0.
	Status int
	// MaxBody is how many bytes the body may have; jsonbody.MaxBytes if it is 0.
	MaxBody int64
	// WritesNothing is said of an operation that writes nothing although its method is not GET. It is not logged.
	WritesNothing bool
	// Unlisted is said of an operation that only pages of this process call: it answers at once what several operations answer, which a
	// client may call with the same scope. The OpenAPI document does not have it, for which the body of its answer embeds Unlisted.
	Unlisted bool
	// Errors are the statuses of its errors, beside those of every operation.
	Errors []int
}

// Check refuses some calls of an operation. As the scope, it is checked before the request is looked at.
type Check func(*Call) *problem.APIError

// Handle registers the operation, with what holds for all operations: JSON, limits of the body, entering the workspace, the limit of the
// replica, and the translation of errors.
func (o Operation[I, O]) Handle(s *Core, run func(context.Context, *Call, *I) (*O, error), checks ...Check) {
	op := o.definition(s, checks)
	huma.Register(s.api, op, func(ctx context.Context, in *I) (*O, error) {
		c := CallOf(ctx)
		if e := problem.OfBody(ctx); e != nil {
			return nil, e
		}
		endReadDeadline(c.http)
		entryOf(ctx).note(in)
		ctx, cancel := context.WithTimeout(kube.WithLists(ctx, c), s.Limits.OperationTimeout)
		defer cancel()
		err := c.admit(ctx, in, o.writes())
		var out *O
		if err == nil {
			out, err = run(ctx, c, in)
		}
		if err != nil {
			return nil, s.Problem(ctx, o.ID, err)
		}
		entryOf(ctx).note(out)
		if id := cmp.Or(entryOf(ctx).Object, entryOf(ctx).Article); o.Status == http.StatusCreated && id != "" {
			c.http.SetHeader("Location", o.Path+"/"+id)
		}
		if c.replayed.Load() {
			c.http.SetHeader("Idempotent-Replayed", "true")
		}
		return out, nil
	})
}

// definition is the operation for the framework.
func (o Operation[I, O]) definition(s *Core, checks []Check) huma.Operation {
	scopes := []v1alpha1.Scope{o.Scope}
	if o.OrScope != "" {
		scopes = append(scopes, o.OrScope)
	}
	if o.WholeAccount {
		checks = append([]Check{wholeAccount}, checks...)
	}
	if o.Unlisted {
		checks = append([]Check{fromPage}, checks...)
	}
	most := cmp.Or(o.MaxBody, jsonbody.MaxBytes)
	op := huma.Operation{
		Method: o.Method, Path: o.Path, OperationID: o.ID, DefaultStatus: o.Status, Tags: []string{o.Tag},
		Security: []map[string][]string{{"apiKey": {}}},
		// prepareBody validates it.
		SkipValidateBody: true, Hidden: o.Unlisted,
		Middlewares: huma.Middlewares{s.logOperation(o.writes()), s.authenticate(scopes, checks), s.readStrictly, s.prepareBody(most)},
		// prepareBody reads the body, whose form may take more bytes than what the client has sent.
		MaxBodyBytes: 2 * jsonbody.MaxContentBytes, BodyReadTimeout: s.Limits.BodyTimeout,
		Responses: map[string]*huma.Response{
			"4XX": {Ref: errorRef, Description: codes(o.Errors)},
			"5XX": {Ref: errorRef, Description: "500 INTERNAL, or 503 UNAVAILABLE."},
		},
		Extensions: map[string]any{},
	}
	if names := scopeNames(scopes); len(names) > 0 {
		op.Extensions["x-scopes"] = names
	}
	if _, has := reflect.TypeFor[I]().FieldByName(bodyField); has {
		op.Extensions["x-max-body-bytes"] = most
	}
	return op
}

func (o Operation[I, O]) writes() bool { return o.Method != http.MethodGet && !o.WritesNothing }

// wholeAccount is the Check of operations that need an API key of the whole account.
func wholeAccount(c *Call) *problem.APIError {
	if c.Principal.Client == "" && len(c.Principal.Workspaces) == 0 {
		return nil
	}
	return problem.New(http.StatusForbidden, problem.CodeInsufficientScope,
		"apps and their access are managed with an API key of the whole account")
}

// errorRef is the answer of every error in the OpenAPI document.
const errorRef = "#/components/responses/Error"

// fromPage is the Check of operations that only pages call. For clients they do not exist.
func fromPage(c *Call) *problem.APIError {
	if c.Local && middleware.ViaOf(c.http.Context()) == middleware.ViaPage {
		return nil
	}
	return problem.NotFound("path")
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
	http.StatusNotFound: problem.CodeNotFound, http.StatusConflict: problem.CodeConflict, http.StatusGone: problem.CodeGone,
	http.StatusPreconditionFailed: problem.CodePreconditionFailed, http.StatusRequestEntityTooLarge: problem.CodePayloadTooLarge,
	http.StatusUnsupportedMediaType: problem.CodeUnsupportedType,
}

// scopeNames returns scopes as the OpenAPI document has them: an operation needs one of them. They are no scopes of OpenAPI, which only
// security schemes of OAuth 2.0 and OpenID Connect have: a token is sent in the header of the API key.
func scopeNames(scopes []v1alpha1.Scope) (names []string) {
	for _, scope := range scopes {
		if scope != AnyScope {
			names = append(names, strings.ToLower(string(scope)))
		}
	}
	return names
}
