package operationtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// UIDs returns the uids of a page of articles.
func (api *API) UIDs(query string) []string {
	api.T.Helper()
	var page articlelist.ArticlePage
	api.Into(Request{Path: "/v1/api/blogs?" + query}, &page)
	out := make([]string, 0, len(page.Data))
	for _, a := range page.Data {
		out = append(out, a.UID)
	}
	return out
}

// Accepted reads the answer to a request for a generated article.
func Accepted(t *testing.T, got testkit.Answer) generation.GenerateAnswer {
	t.Helper()
	var out generation.GenerateAnswer
	if err := json.Unmarshal([]byte(got.Raw), &out); err != nil || got.Status != http.StatusAccepted {
		t.Fatalf("got %d: %s", got.Status, got.Raw)
	}
	return out
}

// Request is one HTTP request; what is empty is filled with what works.
type Request struct {
	Method, Path, Body string
	Key, Workspace     string
	Header             map[string]string
}

// WithID returns the request with an id.
func (r Request) WithID(id string) Request {
	header := map[string]string{"x-request-id": id}
	maps.Copy(header, r.Header)
	r.Header = header
	return r
}

// Failure reads the body of an error.
func Failure(t *testing.T, a testkit.Answer) problem.APIError {
	t.Helper()
	var f problem.APIError
	if err := json.Unmarshal([]byte(a.Raw), &f); err != nil {
		t.Fatalf("the body is no error body: %v: %q", err, a.Raw)
	}
	return f
}

// Do makes a request, and checks that its answer has no word of Kubernetes.
func (api *API) Do(r Request) testkit.Answer {
	api.T.Helper()
	if r.Method == "" {
		r.Method = http.MethodGet
	}
	q := httptest.NewRequestWithContext(api.T.Context(), r.Method, r.Path, strings.NewReader(r.Body))
	if r.Key == "" {
		r.Key = RightKey
	}
	if r.Key != "-" {
		q.Header.Set("x-api-key", r.Key)
	}
	if r.Workspace == "" {
		r.Workspace = Workspace
	}
	if r.Workspace != "-" {
		q.Header.Set("x-workspace-id", r.Workspace)
	}
	if r.Body != "" {
		q.Header.Set("Content-Type", "application/json")
	}
	for name, value := range r.Header {
		q.Header.Set(name, value)
	}
	recorder := httptest.NewRecorder()
	api.ServeHTTP(recorder, q)
	got, err := testkit.Recorded(recorder)
	if err != nil {
		api.T.Fatal(err)
	}
	if words := testkit.WordsOfKubernetes(got); words != "" {
		api.T.Errorf("%s %s answers with a word of Kubernetes, %s: %s", r.Method, r.Path, words, got.Raw)
	}
	return got
}

// Into does a request that must succeed, and reads its answer unless the target is nil.
func (api *API) Into(r Request, target any) {
	api.T.Helper()
	got := api.Do(r)
	if got.Status >= http.StatusBadRequest {
		api.T.Fatalf("%s %s: got %d: %s", r.Method, r.Path, got.Status, got.Raw)
	}
	if target == nil {
		return
	}
	if err := json.Unmarshal([]byte(got.Raw), target); err != nil {
		api.T.Fatal(err)
	}
}

// GenerateBody asks for an article with these members over the right ones; a nil one is left out.
func GenerateBody(over map[string]any) string {
	body := map[string]any{"site_uid": SiteUID, "keyword": "trail running shoes"}
	for name, value := range over {
		if value == nil {
			delete(body, name)
			continue
		}
		body[name] = value
	}
	data, err := json.Marshal(body)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// WantFields checks an answer that names fields.
func WantFields(t *testing.T, got testkit.Answer, want ...string) {
	t.Helper()
	f := Failure(t, got)
	if got.Status != http.StatusBadRequest || f.Problem.Code != problem.CodeValidation {
		t.Fatalf("got %d %s, want 400 VALIDATION_ERROR: %s", got.Status, f.Problem.Code, got.Raw)
	}
	fields := make([]string, 0, len(f.Problem.Details))
	for _, d := range f.Problem.Details {
		fields = append(fields, d.Field)
		if d.Message == "" {
			t.Errorf("the detail of %s says nothing", d.Field)
		}
	}
	if fmt.Sprint(fields) != fmt.Sprint(want) {
		t.Errorf("details name %v, want %v: %s", fields, want, got.Raw)
	}
}

// WantFailure checks the status, the code and the form of an error.
func WantFailure(t *testing.T, got testkit.Answer, status int, code problem.Code) {
	t.Helper()
	f := Failure(t, got)
	if got.Status != status || f.Problem.Code != code {
		t.Errorf("got %d %s, want %d %s: %s", got.Status, f.Problem.Code, status, code, got.Raw)
	}
	if f.Success || f.Problem.Message == "" || f.Problem.Details == nil {
		t.Errorf("not the error body of docs/reference/contract.md: %s", got.Raw)
	}
	if !strings.HasPrefix(got.Raw, `{"success":false,"error":{"code":"`) {
		t.Errorf("not the error body of docs/reference/contract.md: %s", got.Raw)
	}
}

// Compact returns JSON without white space.
func Compact(s string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(s)) != nil {
		return s
	}
	return b.String()
}

// WantLimit checks that a limit of the account is reached, and which.
func WantLimit(t *testing.T, got testkit.Answer, limit string, most int) {
	t.Helper()
	WantFailure(t, got, http.StatusConflict, problem.CodeLimitReached)
	f := Failure(t, got)
	if d := f.Problem.Details; len(d) != 1 || d[0].Field != limit || !strings.Contains(f.Problem.Message, strconv.Itoa(most)) {
		t.Errorf("got %s, want the limit %s of %d", got.Raw, limit, most)
	}
}

// Written is a request for an article with a text.
func Written(text string) string {
	return `{"site_uid":"` + SiteUID + `","title":"T","content_markdown":"` + text + `"}`
}

// WantReason checks the answer to a request that conflicts.
func WantReason(t *testing.T, got testkit.Answer, want problem.Reason) {
	t.Helper()
	WantFailure(t, got, http.StatusConflict, problem.CodeConflict)
	if reason := Failure(t, got).Problem.Reason; reason != want {
		t.Errorf("got the reason %q, want %q: %s", reason, want, got.Raw)
	}
}

// WantBody checks the whole body of an answer with the status 200.
func WantBody(t *testing.T, got testkit.Answer, want string) {
	t.Helper()
	if got.Status != http.StatusOK || strings.TrimSpace(got.Raw) != Compact(want) {
		t.Errorf("got %d\n%s\nwant 200\n%s", got.Status, got.Raw, Compact(want))
	}
}

// Keyed is the header of a request that may be repeated.
var Keyed = map[string]string{"Idempotency-Key": "k"}
