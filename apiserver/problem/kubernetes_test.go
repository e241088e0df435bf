package problem_test

import (
	"net/http"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// What kube-apiserver says of an object becomes what must be of a member of the request.
func TestTheRuleOfAnInvalidFieldIsTheMessage(t *testing.T) {
	for _, test := range []struct{ field, message, wantField, want string }{
		{"spec.url", `Invalid value: "ftp://a.example": url must be an http or https URL with a host`, "url", "must be an http or https URL with a host"},
		{"spec.cms.headless.url", `Invalid value: url may not carry user information`, "connection.url", "may not carry user information"},
		{"spec.domain", `Invalid value: "a b": spec.domain in body should match '^[a-z]+$'`, "domain", "must match '^[a-z]+$'"},
		{"spec.generate.tone", "Too long: may not be more than 200 bytes", "tone", "must be at most 200 bytes"},
		{"spec.events", "Too many: 40: must have at most 30 items", "events", "must have at most 30 items"},
		{"spec.displayName", `Invalid value: "": spec.displayName in body should be at least 1 chars long`, "name", "must be at least 1 characters long"},
		{"spec.url", "Invalid value: the host is odd", "url", "must be valid: the host is odd"},
	} {
		err := &apierrors.StatusError{ErrStatus: metav1.Status{
			Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid,
			Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{
				Type: metav1.CauseTypeFieldValueInvalid, Field: test.field, Message: test.message,
			}}},
		}}
		got := problem.FromKubernetes(err).Problem.Details
		if len(got) != 1 || got[0].Field != test.wantField || got[0].Message != test.want {
			t.Errorf("%s: %+v", test.field, got)
		}
	}
}

func TestTheTypeOfACauseIsTheMessageWhereItSaysAll(t *testing.T) {
	for kind, want := range map[metav1.CauseType]problem.ErrorDetail{
		metav1.CauseTypeFieldValueDuplicate:    {Field: "events", Code: problem.DetailDuplicate, Message: "must not come twice"},
		metav1.CauseTypeFieldValueRequired:     {Field: "events", Code: problem.DetailRequired, Message: "is required"},
		metav1.CauseTypeFieldValueNotSupported: {Field: "events", Code: problem.DetailNotOneOf, Message: "must be one of A, B"},
	} {
		err := &apierrors.StatusError{ErrStatus: metav1.Status{
			Code: http.StatusUnprocessableEntity, Reason: metav1.StatusReasonInvalid,
			Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{
				Type: kind, Field: "spec.events", Message: `Unsupported value: "x": supported values: "A", "B"`,
			}}},
		}}
		if got := problem.FromKubernetes(err).Problem.Details; len(got) != 1 || got[0] != want {
			t.Errorf("%s: %+v", kind, got)
		}
	}
}
