package dashboard

import (
	"errors"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
)

// call calls an operation of the REST API as the person who is signed in, in the workspace of the page. The error of a call that was
// refused is a *problem.APIError.
func call[O any](v *visit, r rest.Request) (O, error) {
	if r.Workspace == "" {
		r.Workspace = v.workspace
	}
	as := rest.Caller{Principal: v.person.Principal(), Session: v.person.SessionID}
	return rest.Do[O](v.ctx(), v.dashboard.api, as, r)
}

// refusal returns why a call was refused, if it was.
func refusal(err error) (*problem.APIError, bool) {
	var refused *problem.APIError
	ok := errors.As(err, &refused)
	return refused, ok
}

// isStatus reports whether a call was refused with a status.
func isStatus(err error, status int) bool {
	refused, ok := refusal(err)
	return ok && refused.GetStatus() == status
}

// fieldProblems returns what is wrong with the fields of a form, by their names in the REST API.
func fieldProblems(err error) map[string]string {
	refused, ok := refusal(err)
	if !ok {
		return nil
	}
	out := map[string]string{}
	for _, d := range refused.Problem.Details {
		out[d.Field] = plainly(d.Message)
	}
	return out
}
