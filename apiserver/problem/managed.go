package problem

import (
	"fmt"
	"net/http"
	"strings"
)

// Managed is the answer to a change of what a manager, such as that of Flux or Argo CD, applies from a manifest: it says what to do there.
// Its details name the members of the request that change such fields.
func Managed(manager, do string, fields ...string) *APIError {
	var details []Detail
	for _, field := range fields {
		name := restName(strings.TrimPrefix(field, "."))
		if name == strings.TrimPrefix(field, ".") {
			// No member of a request has the name of this field.
			continue
		}
		details = append(details, Detail{
			Field: name, Code: DetailManaged, Message: fmt.Sprintf("%q applies this from a manifest: %s it there", manager, do),
		})
	}
	e := New(http.StatusConflict, CodeConflict, fmt.Sprintf("a manifest that %q applies has this: %s it there", manager, do), details...)
	e.Problem.Reason = ReasonManaged
	return e
}
