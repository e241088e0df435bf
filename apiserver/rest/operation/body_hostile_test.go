package operation_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// writing are the operations with a body.
var writing = []operationtest.Request{
	{Method: "POST", Path: "/v1/api/generate"},
	{Method: "POST", Path: "/v1/api/blogs"},
	{Method: "PATCH", Path: "/v1/api/blogs/" + operationtest.AnyUID},
	{Method: "POST", Path: "/v1/api/blogs/" + operationtest.AnyUID + "/approve"},
	{Method: "POST", Path: "/v1/api/blogs/" + operationtest.AnyUID + "/reject"},
	{Method: "POST", Path: "/v1/api/blogs/" + operationtest.AnyUID + "/publish"},
	{Method: "POST", Path: "/v1/api/blogs/" + operationtest.AnyUID + "/archive"},
	{Method: "POST", Path: "/v1/api/event-subscriptions"},
	{Method: "POST", Path: "/v1/api/oauth/clients"},
}

// hostileBodies cost a lot if a body is decoded or validated as a whole.
func hostileBodies() map[string]string {
	return map[string]string{
		"wrong items":           `{"secondary_keywords":[` + strings.Repeat("0,", 30_000) + `0]}`,
		"a megabyte of items":   `{"secondary_keywords":[` + strings.Repeat("0,", 500_000) + `0]}`,
		"wrong questions":       `{"faq":[` + strings.Repeat("{},", 20_000) + `{}]}`,
		"redirects":             `{"redirect_uris":[` + strings.Repeat("{},", 20_000) + `{}]}`,
		"unknown members":       `{` + numbered(3000, `"x%d":[{}],`) + `"y":0}`,
		"megabyte of members":   `{` + numbered(60_000, `"x%d":[{}],`) + `"y":0}`,
		"deep":                  strings.Repeat(`{"faq":[`, 5000) + strings.Repeat("]}", 5000),
		"too deep":              strings.Repeat(`{"a":`, 12_000),
		"brackets":              strings.Repeat("[", 64<<10),
		"256 KiB of brackets":   strings.Repeat("[", 256<<10),
		"a very long name":      `{"` + strings.Repeat("x", 60_000) + `":1}`,
		"a very long number":    `{"title":` + strings.Repeat("1", 60_000) + `}`,
		"a member many times":   `{` + strings.Repeat(`"title":"t",`, 4000) + `"title":"t"}`,
		"events of objects":     `{"url":"https://example.com/","events":[{}]}`,
		"events of lists":       `{"url":"https://example.com/","events":[[],[{}]]}`,
		"redirects of objects":  `{"name":"n","redirect_uris":[{},{}]}`,
		"scopes of objects":     `{"name":"n","redirect_uris":["https://example.com/"],"scopes":[{"a":1}]}`,
		"contacts of lists":     `{"name":"n","redirect_uris":["https://example.com/"],"contacts":[["a"]]}`,
		"keywords of objects":   `{"secondary_keywords":[{}]}`,
		"everything of a wrong": `{"title":{},"content_markdown":[],"faq":{},"slug":{},"digest":{},"note":[],"publish_at":{}}`,
	}
}

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestAHostileBodyIsRefusedInFewWords(t *testing.T) {
	api := operationtest.New(t)
	for name, body := range hostileBodies() {
		for _, r := range writing {
			r.Body = body
			got := api.Do(r)
			f := operationtest.Failure(t, got)
			if got.Status != http.StatusBadRequest && got.Status != http.StatusRequestEntityTooLarge {
				t.Errorf("%s: %s %s: got %d, want 400 or 413: %.200s", name, r.Method, r.Path, got.Status, got.Raw)
			}
			if n := len(f.Problem.Details); n == 0 || n > problem.MaxDetails || len(got.Raw) > 8<<10 {
				t.Errorf("%s: %s %s: %d details in %d bytes, want at most 20: %.200s", name, r.Method, r.Path, n, len(got.Raw), got.Raw)
			}
		}
	}
}

func TestAnErrorListsTwentyFindingsAndSaysHowManyThereAre(t *testing.T) {
	api := operationtest.New(t)
	got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/blogs", Body: `{"faq":[` + strings.Repeat("{},", 39) + `{}]}`})
	f := operationtest.Failure(t, got)
	// 40 questions without question and answer, site_uid, title and content_markdown.
	if len(f.Problem.Details) != 20 || !strings.Contains(f.Problem.Message, "(and 82 more)") {
		t.Errorf("got %d details: %.300s", len(f.Problem.Details), got.Raw)
	}
}

func TestTheListThatIsTooLongIsNamed(t *testing.T) {
	api := operationtest.New(t)
	body := operationtest.GenerateBody(nil)
	body = body[:len(body)-1] + `,"secondary_keywords":[` + strings.Repeat(`"a",`, 5000) + `"a"]}`
	operationtest.WantFields(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: body}), "secondary_keywords")
	operationtest.WantFields(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/event-subscriptions", Body: `{"url":"https://example.com/","events":[{}]}`}), "events[0]")
}

// unread fails the test if a body is read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body is read")
	return 0, io.EOF
}

// post sends a body without its length.
func post(api *operationtest.API, path, key string, body io.Reader) *httptest.ResponseRecorder {
	api.T.Helper()
	q := httptest.NewRequestWithContext(api.T.Context(), http.MethodPost, path, body)
	q.ContentLength = -1
	q.Header.Set("x-api-key", key)
	q.Header.Set("x-workspace-id", operationtest.Workspace)
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Expect", "100-continue")
	recorder := httptest.NewRecorder()
	api.ServeHTTP(recorder, q)
	return recorder
}
