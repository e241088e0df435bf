package rest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/testkit/project"
)

func openAPIValidator(t *testing.T) validator.Validator {
	t.Helper()
	data, err := rest.Document()
	if err != nil {
		t.Fatal(err)
	}
	document, err := libopenapi.NewDocument(data)
	if err != nil {
		t.Fatal(err)
	}
	v, errs := validator.NewValidator(document)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return v
}

func TestTheDocumentIsValidOpenAPI31(t *testing.T) {
	data, err := rest.Document()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte(`"openapi": "3.1.0"`)) {
		t.Error("the document is not of version 3.1.0")
	}
	if valid, errs := openAPIValidator(t).ValidateDocument(); !valid {
		for _, e := range errs {
			t.Error(e.Message, e.Reason, e.SchemaValidationErrors)
		}
	}
}

// TestTheCommittedDocumentIsFresh compares docs/openapi.json, which `pressroom openapi > docs/openapi.json` writes.
func TestTheCommittedDocumentIsFresh(t *testing.T) {
	want, err := rest.Document()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(project.Root(), "docs", "openapi.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/openapi.json is stale: go run ./cmd/pressroom openapi > docs/openapi.json")
	}
}

func TestTheServedDocumentIsTheCommittedOne(t *testing.T) {
	want, err := rest.Document()
	if err != nil {
		t.Fatal(err)
	}
	got := newAPI(t).do(request{path: "/openapi.json", key: "-", workspace: "-"})
	if got.Status != http.StatusOK || got.Raw != string(want) || got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("got %d %s with %d bytes, want the document without a key", got.Status, got.Header.Get("Content-Type"), len(got.Raw))
	}
}

func TestEveryOperationDocumentsItsScopeKeyAndErrors(t *testing.T) {
	data, err := rest.Document()
	if err != nil {
		t.Fatal(err)
	}
	var document struct {
		Paths map[string]map[string]struct {
			OperationID string                `json:"operationId"`
			Summary     string                `json:"summary"`
			Description string                `json:"description"`
			Security    []map[string][]string `json:"security"`
			Scope       string                `json:"x-required-scope"`
			Responses   map[string]any        `json:"responses"`
		} `json:"paths"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	operations := 0
	for path, methods := range document.Paths {
		for method, op := range methods {
			operations++
			if strings.HasPrefix(path, "/v1/public/") {
				// These are for apps: no key, and OAuth's errors.
				if op.OperationID == "" || op.Summary == "" || op.Description == "" || op.Responses["401"] == nil || op.Responses["400"] == nil {
					t.Errorf("%s %s is not wholly documented: %+v", method, path, op)
				}
				continue
			}
			if op.OperationID == "" || op.Summary == "" || op.Description == "" || len(op.Security) != 1 || op.Scope == "" {
				t.Errorf("%s %s is not wholly documented: %+v", method, path, op)
			}
			want := []string{"401", "403", "429", "500", "503"}
			if strings.HasPrefix(path, "/v1/api/blogs") || path == "/v1/api/generate" {
				want = append(want, "400", "404")
			}
			if (method == "post" || method == "patch") && !strings.HasSuffix(path, "delete") {
				want = append(want, "413")
				// A preview changes nothing.
				if op.OperationID != "preview-text" {
					want = append(want, "409")
				}
			}
			for _, status := range want {
				if op.Responses[status] == nil {
					t.Errorf("%s %s does not document %s", method, path, status)
				}
			}
			if op.Responses["422"] != nil {
				t.Errorf("%s %s documents 422, which is never answered", method, path)
			}
		}
	}
	if operations != 58 {
		t.Errorf("%d operations, want 58", operations)
	}
}

// TestEveryOperationHasATagExamplesAndCodes goes through the document: an operation without a tag, an answer without an example that
// fits its schema, or an error without a code that is listed fails.
func TestEveryOperationHasATagExamplesAndCodes(t *testing.T) {
	data, err := rest.Document()
	if err != nil {
		t.Fatal(err)
	}
	type response struct {
		Ref     string `json:"$ref"`
		Content map[string]struct {
			Example json.RawMessage `json:"example"`
		} `json:"content"`
	}
	var document struct {
		Servers []any `json:"servers"`
		Paths   map[string]map[string]struct {
			Tags      []string            `json:"tags"`
			Responses map[string]response `json:"responses"`
		} `json:"paths"`
		Webhooks   map[string]any `json:"webhooks"`
		Components struct {
			Responses map[string]response `json:"responses"`
			Schemas   map[string]struct {
				Properties map[string]struct {
					Enum []any `json:"enum"`
				} `json:"properties"`
			} `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(data, &document); err != nil {
		t.Fatal(err)
	}
	if len(document.Servers) == 0 {
		t.Error("the document names no server")
	}
	for _, name := range []string{"post.publish", "connection.test", "subscription.test", "blog.published", "blog.ready_for_review"} {
		if document.Webhooks[name] == nil {
			t.Errorf("the document lacks the webhook %s", name)
		}
	}
	codes := document.Components.Schemas["Problem"].Properties["code"].Enum
	for name, r := range document.Components.Responses {
		var failure problem.APIError
		if err := json.Unmarshal(r.Content["application/json"].Example, &failure); err != nil || !slices.Contains(codes, any(string(failure.Problem.Code))) {
			t.Errorf("%s has no example with a code of %v: %v", name, codes, err)
		}
	}
	v := openAPIValidator(t)
	for path, methods := range document.Paths {
		for method, op := range methods {
			if len(op.Tags) != 1 {
				t.Errorf("%s %s has the tags %v, want one", method, path, op.Tags)
			}
			failures := 0
			for status, r := range op.Responses {
				if r.Ref != "" {
					failures++
					if _, ok := document.Components.Responses[strings.TrimPrefix(r.Ref, "#/components/responses/")]; !ok {
						t.Errorf("%s %s: %s is not there", method, path, r.Ref)
					}
					continue
				}
				for _, media := range r.Content {
					if status[0] == '2' {
						checkExample(t, v, method, path, status, media.Example)
					}
				}
			}
			if failures == 0 && !strings.HasPrefix(path, "/v1/public/") {
				t.Errorf("%s %s documents no error", method, path)
			}
		}
	}
}

// checkExample validates an example as the answer that it stands for.
func checkExample(t *testing.T, v validator.Validator, method, path, status string, example json.RawMessage) {
	t.Helper()
	if len(example) == 0 {
		t.Errorf("%s %s: %s has no example", method, path, status)
		return
	}
	code, err := strconv.Atoi(status)
	if err != nil {
		t.Fatal(err)
	}
	concrete := regexp.MustCompile(`\{[a-z_]+\}`).ReplaceAllString(path, siteUID)
	q := httptest.NewRequestWithContext(t.Context(), strings.ToUpper(method), concrete, http.NoBody)
	answer := &http.Response{
		StatusCode: code, Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(example)),
	}
	if valid, errs := v.ValidateHttpResponse(q, answer); !valid {
		for _, e := range errs {
			t.Errorf("%s %s: the example of %s: %s %s %v", method, path, status, e.Message, e.Reason, e.SchemaValidationErrors)
		}
	}
}

// checkAgainst validates a request and its answer against the document.
func (api *restAPI) checkAgainst(v validator.Validator, r request, wantStatus int, validRequest bool) {
	api.t.Helper()
	got := api.do(r)
	if got.Status != wantStatus {
		api.t.Errorf("%s %s: got %d, want %d: %.300s", r.method, r.path, got.Status, wantStatus, got.Raw)
	}
	method := r.method
	if method == "" {
		method = http.MethodGet
	}
	build := func() *http.Request {
		q := httptest.NewRequestWithContext(api.t.Context(), method, r.path, strings.NewReader(r.body))
		q.Header.Set("x-api-key", "k")
		q.Header.Set("x-workspace-id", workspace)
		if r.body != "" {
			q.Header.Set("Content-Type", "application/json")
		}
		return q
	}
	if validRequest {
		if valid, errs := v.ValidateHttpRequest(build()); !valid {
			for _, e := range errs {
				api.t.Errorf("request %s %s: %s: %s %v", method, r.path, e.Message, e.Reason, e.SchemaValidationErrors)
			}
		}
	}
	response := &http.Response{StatusCode: got.Status, Header: got.Header, Body: io.NopCloser(strings.NewReader(got.Raw))}
	if valid, errs := v.ValidateHttpResponse(build(), response); !valid {
		for _, e := range errs {
			api.t.Errorf("answer to %s %s: %s: %s %v", method, r.path, e.Message, e.Reason, e.SchemaValidationErrors)
		}
	}
}

func TestRealAnswersAreAsTheDocumentSays(t *testing.T) {
	v := openAPIValidator(t)
	api := newAPI(t)
	api.site(workspace, siteUID)
	published, generating := api.published(), api.article(nil)
	written := `{"site_uid":"` + siteUID + `","title":"T","content_markdown":"M","faq":[{"question":"Q","answer":"A"}],"target_keyword":"trail shoes"}`
	for _, r := range []request{
		{path: "/v1/api/sites"},
		{path: "/v1/api/workspaces"},
		{path: "/v1/api/blogs"},
		{path: "/v1/api/blogs?limit=1&status=generating&site_uid=" + siteUID},
		{path: "/v1/api/blogs/" + published.Name},
		{path: "/v1/api/blogs/" + generating.Name},
	} {
		api.checkAgainst(v, r, http.StatusOK, true)
	}
	api.checkAgainst(v, request{method: "POST", path: "/v1/api/generate", body: generateBody(map[string]any{"secondary_keywords": []string{"grip"}})}, 202, true)
	api.checkAgainst(v, request{method: "POST", path: "/v1/api/blogs", body: written}, 201, true)

	key := map[string]string{"Idempotency-Key": "k"}
	api.checkAgainst(v, request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: key}, 202, true)
	api.checkAgainst(v, request{method: "POST", path: "/v1/api/generate", body: generateBody(map[string]any{"tone": "dry"}), header: key}, 409, true)
	api.checkAgainst(v, request{method: "POST", path: "/v1/api/generate", body: `{"keyword":7}`}, 400, false)
	api.checkAgainst(v, request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), key: "unknown"}, 401, true)
	api.checkAgainst(v, request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), key: readOnlyKey}, 403, true)
	api.checkAgainst(v, request{method: "POST", path: "/v1/api/generate", body: strings.Repeat("x", 2<<20)}, 413, false)
	api.checkAgainst(v, request{path: "/v1/api/blogs/0198f0a1-0000-7000-8000-00000000aaaa"}, 404, true)
	api.checkAgainst(v, request{path: "/v1/api/blogs", key: "away"}, 503, true)
	api.ledger.err = &ledger.LimitError{Code: ledger.InsufficientCredits}
	api.checkAgainst(v, request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}, 402, true)
	api.ledger.err = &ledger.LimitError{Code: ledger.RateLimited, RetryAfter: 1}
	api.checkAgainst(v, request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}, 429, true)
	api.ledger.err = io.ErrUnexpectedEOF
	api.checkAgainst(v, request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}, 500, true)
}
