package page

import (
	"errors"
	"net/http"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// Call calls an operation of the REST API as the person who is signed in, in the workspace of the page. The error of a call that was
// refused is a *problem.APIError.
func Call[O any](v *Visit, r rest.Request) (O, error) {
	if r.Workspace == "" {
		r.Workspace = v.Workspace
	}
	return rest.Do[O](v.Ctx(), v.App.API, v.Person.Principal(), r)
}

// Refusal returns why a call was refused, if it was.
func Refusal(err error) (*problem.APIError, bool) {
	var refused *problem.APIError
	ok := errors.As(err, &refused)
	return refused, ok
}

// IsRefused reports whether an operation that has failed is certain to have done nothing.
func IsRefused(err error) bool {
	refused, ok := Refusal(err)
	return ok && refused.GetStatus() < http.StatusInternalServerError
}

// IsStatus reports whether a call was refused with a status.
func IsStatus(err error, status int) bool {
	refused, ok := Refusal(err)
	return ok && refused.GetStatus() == status
}

// FieldProblems returns what is wrong with the fields of a form, by their names in the REST API.
func FieldProblems(err error) map[string]string {
	refused, ok := Refusal(err)
	if !ok {
		return nil
	}
	out := map[string]string{}
	for _, d := range refused.Problem.Details {
		out[d.Field] = Plainly(d.Message)
	}
	return out
}

// OnArticle calls an operation on the article of the page.
func OnArticle[O any](v *Visit, operation string, body any) (O, error) {
	return Call[O](v, rest.Request{Operation: operation, Path: map[string]string{"uid": v.Param("uid")}, Body: body})
}
