package problem_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/go-logr/logr"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

func TestADetailHasACode(t *testing.T) {
	for message, want := range map[string]problem.DetailCode{
		"is required":                                    problem.DetailRequired,
		"is not a known field":                           problem.DetailUnknownField,
		"is not a known parameter":                       problem.DetailUnknownField,
		"must not come twice":                            problem.DetailDuplicate,
		"must not be empty":                              problem.DetailEmpty,
		"must be at least 2 characters long":             problem.DetailTooShort,
		"must be at most 50 entries":                     problem.DetailTooLong,
		"must not be below 1":                            problem.DetailTooSmall,
		"must not be above 100":                          problem.DetailTooLarge,
		"must be an integer":                             problem.DetailWrongType,
		"must be the uid of a site in this workspace":    problem.DetailInvalid,
		"is not supported by this operation":             problem.DetailNotSupported,
		"must be valid JSON in UTF-8: it ends too early": problem.DetailMalformed,
		"must be printable ASCII characters":             problem.DetailMalformed,
	} {
		if got := problem.Invalid(problem.ErrorDetail{Field: "x", Message: message}).Problem.Details[0].Code; got != want {
			t.Errorf("%s: got %s, want %s", message, got, want)
		}
	}
}

func TestAnErrorBodyStandsAlone(t *testing.T) {
	answer := httptest.NewRecorder()
	answer.Header().Set("x-request-id", "r-1")
	problem.Unauthorized().Write(answer, logr.Discard())
	var e problem.APIError
	if err := json.Unmarshal(answer.Body.Bytes(), &e); err != nil {
		t.Fatal(err)
	}
	if e.Problem.RequestID != "r-1" || e.Problem.Status != http.StatusUnauthorized || e.Problem.Reason != "" {
		t.Errorf("got %+v", e.Problem)
	}
	if answer.Header().Get("WWW-Authenticate") == "" {
		t.Error("a 401 without a challenge")
	}
}

func TestAnAnswerLeavesTheErrorAsItIs(t *testing.T) {
	shared := problem.TextChanged("sha256:0")
	if answer := shared.For("r-1"); answer.Problem.RequestID != "r-1" || answer.Problem.CurrentDigest != "sha256:0" {
		t.Errorf("got %+v", answer.Problem)
	}
	if shared.Problem.RequestID != "" {
		t.Error("another request would get the same id")
	}
}
