package rest_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/test/openapitest"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestTheDocumentIsValidOpenAPI31(t *testing.T) {
	if !bytes.Contains(document.JSON, []byte(`"openapi": "3.1.0"`)) {
		t.Error("the document is not of version 3.1.0")
	}
	openapitest.Read(t, document.JSON)
}

func TestTheServedDocumentIsTheCommittedOne(t *testing.T) {
	got := operationtest.New(t).Do(operationtest.Request{Path: "/openapi.json", Key: "-", Workspace: "-"})
	if got.Status != http.StatusOK || got.Raw != string(document.JSON) || got.Header.Get("Content-Type") != "application/json" {
		t.Errorf("got %d %s with %d bytes, want the document without a key", got.Status, got.Header.Get("Content-Type"), len(got.Raw))
	}
}

// described is what is read of the document.
type described struct {
	Servers []any `json:"servers"`
	Paths   map[string]map[string]struct {
		OperationID string `json:"operationId"`
		Parameters  []struct {
			Name string `json:"name"`
		} `json:"parameters"`
		Summary     string                `json:"summary"`
		Description string                `json:"description"`
		Tags        []string              `json:"tags"`
		Security    []map[string][]string `json:"security"`
		Scopes      []string              `json:"x-scopes"`
		Responses   map[string]struct {
			Ref         string         `json:"$ref"`
			Description string         `json:"description"`
			Headers     map[string]any `json:"headers"`
			Content     map[string]struct {
				Schema struct {
					Ref string `json:"$ref"`
				} `json:"schema"`
			} `json:"content"`
		} `json:"responses"`
	} `json:"paths"`
	Webhooks map[string]map[string]struct {
		Security *[]any `json:"security"`
	} `json:"webhooks"`
	Components struct {
		Responses map[string]struct {
			Description string `json:"description"`
		} `json:"responses"`
		Schemas map[string]struct {
			Description string            `json:"description"`
			Examples    []json.RawMessage `json:"examples"`
			Properties  map[string]struct {
				Ref         string `json:"$ref"`
				Description string `json:"description"`
			} `json:"properties"`
		} `json:"schemas"`
	} `json:"components"`
}

func readDocument(t *testing.T) (d described) {
	t.Helper()
	if err := json.Unmarshal(document.JSON, &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestEveryOperationDocumentsItsScopeKeyAndErrors(t *testing.T) {
	operations := 0
	for path, methods := range readDocument(t).Paths {
		for method, op := range methods {
			operations++
			if op.OperationID == "" || op.Summary == "" || op.Description == "" || len(op.Tags) != 1 {
				t.Errorf("%s %s is not wholly documented: %+v", method, path, op)
			}
			failed := op.Responses["4XX"]
			if op.Responses["5XX"].Ref != failed.Ref {
				t.Errorf("%s %s fails with %s or %s, want one form of errors", method, path, failed.Ref, op.Responses["5XX"].Ref)
			}
			if strings.HasPrefix(path, "/v1/public/") {
				if failed.Ref != "#/components/responses/OAuthError" {
					t.Errorf("%s %s fails with %s, want an error of OAuth", method, path, failed.Ref)
				}
				continue
			}
			if len(op.Security) == 0 || op.Security[0]["apiKey"] == nil || (len(op.Scopes) == 0) != (op.OperationID == "whoami") {
				t.Errorf("%s %s needs %v with %v, want a key with a scope", method, path, op.Security, op.Scopes)
			}
			if failed.Ref != "#/components/responses/Error" {
				t.Errorf("%s %s fails with %s, want the error of all operations", method, path, failed.Ref)
			}
			// Each refuses a parameter that it does not know.
			want := []string{"400 VALIDATION_ERROR"}
			if strings.HasPrefix(path, "/v1/api/blogs") || path == "/v1/api/generate" {
				want = append(want, "404 NOT_FOUND")
			}
			if method == "post" || method == "patch" {
				want = append(want, "413 PAYLOAD_TOO_LARGE")
				// A preview changes nothing.
				if op.OperationID != "preview-text" {
					want = append(want, "409 CONFLICT")
				}
			}
			if op.OperationID == "get-article" {
				want = append(want, "410 GONE")
			}
			for _, code := range want {
				if !strings.Contains(failed.Description, code) {
					t.Errorf("%s %s does not document %s: %s", method, path, code, failed.Description)
				}
			}
		}
	}
	for _, name := range []string{"Error", "OAuthError"} {
		if failed := readDocument(t).Components.Responses[name].Description; !strings.Contains(failed, "405") {
			t.Errorf("%s does not document that other methods are refused: %s", name, failed)
		}
	}
	if operations != 70 {
		t.Errorf("%d operations, want 70", operations)
	}
}

func TestAnswersDocumentTheHeadersOfCreationAndOfRepeats(t *testing.T) {
	for path, methods := range readDocument(t).Paths {
		for method, op := range methods {
			repeatable := false
			for _, p := range op.Parameters {
				repeatable = repeatable || p.Name == "Idempotency-Key"
			}
			for status, r := range op.Responses {
				if _, has := r.Headers["Location"]; has != (status == "201") {
					t.Errorf("%s %s: %s has a Location: %v", method, path, status, has)
				}
				if _, has := r.Headers["Idempotent-Replayed"]; has != (repeatable && strings.HasPrefix(status, "2")) {
					t.Errorf("%s %s: %s has Idempotent-Replayed: %v", method, path, status, has)
				}
			}
		}
	}
}

// A program has the names of schemas and members alone: what they mean must stand with them.
func TestEverySchemaAndMemberIsDescribed(t *testing.T) {
	for name, schema := range readDocument(t).Components.Schemas {
		if schema.Description == "" {
			t.Errorf("%s has no description", name)
		}
		for member, m := range schema.Properties {
			if m.Description == "" && m.Ref == "" {
				t.Errorf("%s.%s has no description", name, member)
			}
		}
	}
}

// TestEveryAnswerAndEventHasAnExample goes through the document: an answer or an event without an example that fits its schema fails.
func TestEveryAnswerAndEventHasAnExample(t *testing.T) {
	d := readDocument(t)
	if len(d.Servers) == 0 {
		t.Error("the document names no server")
	}
	checked := openapitest.Read(t, document.JSON)
	for path, methods := range d.Paths {
		for method, op := range methods {
			for status, r := range op.Responses {
				for _, media := range r.Content {
					examples := d.Components.Schemas[strings.TrimPrefix(media.Schema.Ref, "#/components/schemas/")].Examples
					if len(examples) == 0 {
						t.Errorf("%s %s: %s has no example", method, path, status)
					}
					for _, example := range examples {
						checkExample(t, checked, method, path, status, example)
					}
				}
			}
		}
	}
	for _, name := range []string{"post.publish", "connection.test", "subscription.test", "blog.published", "blog.ready_for_review"} {
		if d.Webhooks[name]["post"].Security == nil {
			t.Errorf("the document lacks the webhook %s, or that it needs no API key", name)
		}
	}
}

// checkExample checks an example as the answer that it stands for.
func checkExample(t *testing.T, d *openapitest.Document, method, path, status string, example json.RawMessage) {
	t.Helper()
	code, err := strconv.Atoi(strings.ReplaceAll(status, "XX", "00"))
	if err != nil {
		t.Fatal(err)
	}
	concrete := regexp.MustCompile(`\{[a-z_]+\}`).ReplaceAllString(path, operationtest.SiteUID)
	r := httptest.NewRequestWithContext(t.Context(), strings.ToUpper(method), concrete, http.NoBody)
	if err := d.CheckAnswer(r, code, http.Header{"Content-Type": {"application/json"}}, example); err != nil {
		t.Errorf("%s %s: the example of %s: %v", method, path, status, err)
	}
}

// checkAgainst checks a request and its answer against the document.
func checkAgainst(api *operationtest.API, d *openapitest.Document, r operationtest.Request, wantStatus int, validRequest bool) {
	api.T.Helper()
	got := api.Do(r)
	if got.Status != wantStatus {
		api.T.Errorf("%s %s: got %d, want %d: %.300s", r.Method, r.Path, got.Status, wantStatus, got.Raw)
	}
	method := cmp.Or(r.Method, http.MethodGet)
	request := httptest.NewRequestWithContext(api.T.Context(), method, r.Path, strings.NewReader(r.Body))
	request.Header.Set("x-api-key", "k")
	request.Header.Set("x-workspace-id", operationtest.Workspace)
	if r.Body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if validRequest {
		if err := d.CheckRequest(request); err != nil {
			api.T.Errorf("request %s %s: %v", method, r.Path, err)
		}
	}
	if err := d.CheckAnswer(request, got.Status, got.Header, []byte(got.Raw)); err != nil {
		api.T.Errorf("answer to %s %s: %v", method, r.Path, err)
	}
}

func TestRealAnswersAreAsTheDocumentSays(t *testing.T) {
	d := openapitest.Read(t, document.JSON)
	api := operationtest.New(t)
	api.Site(operationtest.Workspace, operationtest.SiteUID)
	published, generating := api.Published(), api.Article(nil)
	written := `{"site_uid":"` + operationtest.SiteUID + `","title":"T","content_markdown":"M","faq":[{"question":"Q","answer":"A"}],"target_keyword":"trail shoes"}`
	for _, r := range []operationtest.Request{
		{Path: "/v1/api/sites"},
		{Path: "/v1/api/workspaces"},
		{Path: "/v1/api/blogs"},
		{Path: "/v1/api/blogs?limit=1&status=generating,review&site_uid=" + operationtest.SiteUID},
		{Path: "/v1/api/blogs/" + published.Name},
		{Path: "/v1/api/blogs/" + generating.Name},
	} {
		checkAgainst(api, d, r, http.StatusOK, true)
	}
	checkAgainst(api, d, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(map[string]any{"secondary_keywords": []string{"grip"}})}, 202, true)
	checkAgainst(api, d, operationtest.Request{Method: "POST", Path: "/v1/api/blogs", Body: written}, 201, true)

	client := operationtest.ClientsPath + "/" + api.Do(operationtest.Request{Method: "POST", Path: operationtest.ClientsPath, Body: operationtest.ClientBody}).Text("client_id")
	checkAgainst(api, d, operationtest.Request{Method: "POST", Path: operationtest.ClientsPath, Body: operationtest.ClientBody}, 201, true)
	checkAgainst(api, d, operationtest.Request{Path: operationtest.ClientsPath}, 200, true)
	checkAgainst(api, d, operationtest.Request{Path: client}, 200, true)
	checkAgainst(api, d, operationtest.Request{Method: "POST", Path: client + "/rotate-secret"}, 200, true)
	checkAgainst(api, d, operationtest.Request{Method: "DELETE", Path: client}, 204, true)
	checkAgainst(api, d, operationtest.Request{Path: client}, 404, true)

	key := map[string]string{"Idempotency-Key": "k"}
	checkAgainst(api, d, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: key}, 202, true)
	checkAgainst(api, d, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(map[string]any{"tone": "dry"}), Header: key}, 409, true)
	checkAgainst(api, d, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: `{"keyword":7}`}, 400, false)
	checkAgainst(api, d, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Key: "unknown"}, 401, true)
	checkAgainst(api, d, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Key: operationtest.ReadOnlyKey}, 403, true)
	checkAgainst(api, d, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: strings.Repeat("x", 2<<20)}, 413, false)
	checkAgainst(api, d, operationtest.Request{Path: "/v1/api/blogs/0198f0a1-0000-7000-8000-00000000aaaa"}, 404, true)
	checkAgainst(api, d, operationtest.Request{Path: "/v1/api/blogs", Key: "away"}, 503, true)
	api.Ledger.Err = &ledger.LimitError{Code: ledger.InsufficientCredits}
	checkAgainst(api, d, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}, 402, true)
	api.Ledger.Err = &ledger.LimitError{Code: ledger.RateLimited, RetryAfter: 1}
	checkAgainst(api, d, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}, 429, true)
	api.Ledger.Err = io.ErrUnexpectedEOF
	checkAgainst(api, d, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}, 500, true)
}

func TestTheOpenAPIDocumentSaysHowLargeBodiesMayBe(t *testing.T) {
	for text, want := range map[string]int{`"x-max-body-bytes": 1048576`: 2, `"x-max-body-bytes": 65536`: 12} {
		if got := strings.Count(string(document.JSON), text); got < want {
			t.Errorf("%s is there %d times, want at least %d", text, got, want)
		}
	}
}

func TestTheDocumentDescribesTheRateLimitOnce(t *testing.T) {
	if n := bytes.Count(document.JSON, []byte("draft-ietf-httpapi-ratelimit-headers")); n != 1 {
		t.Errorf("the draft is named %d times, want 1", n)
	}
	if n := bytes.Count(document.JSON, []byte(`"$ref": "#/components/headers/RateLimit"`)); n < 38 {
		t.Errorf("%d answers refer to the header, want those of 38 operations at least", n)
	}
}
