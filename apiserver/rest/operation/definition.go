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

// The errors of each kind of operation, beside those of every operation.
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
