package rest_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

const anyUID = "0198f0a1-0000-7000-8000-00000000aaaa"

// writing are the operations with a body.
var writing = []request{
	{method: "POST", path: "/v1/api/generate"},
	{method: "POST", path: "/v1/api/blogs"},
	{method: "PATCH", path: "/v1/api/blogs/" + anyUID},
	{method: "POST", path: "/v1/api/blogs/" + anyUID + "/approve"},
	{method: "POST", path: "/v1/api/blogs/" + anyUID + "/reject"},
	{method: "POST", path: "/v1/api/blogs/" + anyUID + "/publish"},
	{method: "POST", path: "/v1/api/blogs/" + anyUID + "/archive"},
	{method: "POST", path: "/v1/api/event-subscriptions"},
	{method: "POST", path: "/v1/api/oauth/clients"},
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
	api := newAPI(t)
	for name, body := range hostileBodies() {
		for _, r := range writing {
			r.body = body
			got := api.do(r)
			f := failureOf(t, got)
			if got.Status != http.StatusBadRequest && got.Status != http.StatusRequestEntityTooLarge {
				t.Errorf("%s: %s %s: got %d, want 400 or 413: %.200s", name, r.method, r.path, got.Status, got.Raw)
			}
			if n := len(f.Problem.Details); n == 0 || n > problem.MaxDetails || len(got.Raw) > 8<<10 {
				t.Errorf("%s: %s %s: %d details in %d bytes, want at most 20: %.200s", name, r.method, r.path, n, len(got.Raw), got.Raw)
			}
		}
	}
}

func TestAnErrorListsTwentyFindingsAndSaysHowManyThereAre(t *testing.T) {
	api := newAPI(t)
	got := api.do(request{method: "POST", path: "/v1/api/blogs", body: `{"faq":[` + strings.Repeat("{},", 39) + `{}]}`})
	f := failureOf(t, got)
	// 40 questions without question and answer, site_uid, title and content_markdown.
	if len(f.Problem.Details) != 20 || !strings.Contains(f.Problem.Message, "(and 82 more)") {
		t.Errorf("got %d details: %.300s", len(f.Problem.Details), got.Raw)
	}
}

func TestTheListThatIsTooLongIsNamed(t *testing.T) {
	api := newAPI(t)
	body := generateBody(nil)
	body = body[:len(body)-1] + `,"secondary_keywords":[` + strings.Repeat(`"a",`, 5000) + `"a"]}`
	wantFields(t, api.do(request{method: "POST", path: "/v1/api/generate", body: body}), "secondary_keywords")
	wantFields(t, api.do(request{method: "POST", path: "/v1/api/event-subscriptions", body: `{"url":"https://example.com/","events":[{}]}`}), "events[0]")
}

func TestBodiesHaveTheSizeOfTheirOperation(t *testing.T) {
	api := newAPI(t)
	for _, r := range writing {
		limit := jsonbody.MaxBytes
		if strings.HasPrefix(r.path, "/v1/api/blogs") && strings.Count(r.path, "/") < 5 {
			limit = jsonbody.MaxContentBytes
		}
		r.body = strings.Repeat(" ", limit+1)
		wantFailure(t, api.do(r), http.StatusRequestEntityTooLarge, problem.CodePayloadTooLarge)
		r.body = strings.Repeat(" ", limit-1) + "x"
		wantFields(t, api.do(r), "body")
	}
}

// unread fails the test if a body is read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body is read")
	return 0, io.EOF
}

// post sends a body without its length.
func (api *restAPI) post(path, key string, body io.Reader) *httptest.ResponseRecorder {
	api.t.Helper()
	q := httptest.NewRequestWithContext(api.t.Context(), http.MethodPost, path, body)
	q.ContentLength = -1
	q.Header.Set("x-api-key", key)
	q.Header.Set("x-workspace-id", workspace)
	q.Header.Set("Expect", "100-continue")
	recorder := httptest.NewRecorder()
	api.ServeHTTP(recorder, q)
	return recorder
}

func TestWrongInputIsThrottledBeforeItIsRead(t *testing.T) {
	api := newAPI(t)
	api.deps.Limits = operation.Limits{RequestsPerSecond: 1, RequestBurst: 3}
	for range 6 {
		wantFields(t, api.do(request{method: "POST", path: "/v1/api/generate", body: "{"}), "body")
	}
	if got := api.post("/v1/api/generate", rightKey, unread{t}); got.Code != http.StatusTooManyRequests || got.Header().Get("Retry-After") != "1" {
		t.Errorf("got %d %v: %s", got.Code, got.Header(), got.Body)
	}
	wantLeft(t, api.do(request{method: "POST", path: "/v1/api/generate", body: "{"}), `"default";q=3;w=3`, 0, 1)
	// What the credential forbids is still said.
	wantFailure(t, api.do(request{method: "POST", path: "/v1/api/generate", body: "{", key: readOnlyKey}), http.StatusForbidden, problem.CodeInsufficientScope)
}

func TestRequestsWithoutTheScopeAreThrottledToo(t *testing.T) {
	api := newAPI(t)
	api.deps.Limits = operation.Limits{RequestsPerSecond: 1, RequestBurst: 3}
	answers := map[int]int{}
	for range 10 {
		answers[api.do(request{method: "POST", path: "/v1/api/generate", body: "{", key: readOnlyKey}).Status]++
	}
	if answers[http.StatusForbidden] != 6 || answers[http.StatusTooManyRequests] != 4 {
		t.Errorf("got %v, want 6 times 403 and 4 times 429", answers)
	}
}

func TestAnAccountGetsNoMoreByMintingTokens(t *testing.T) {
	api := newAPI(t)
	api.deps.Limits = operation.Limits{RequestsPerSecond: 1, RequestBurst: 3}
	accepted := 0
	for i := range 30 {
		if got := api.do(request{path: "/v1/api/blogs", key: fmt.Sprint("minted-", i%10)}); got.Status == http.StatusOK {
			accepted++
		}
	}
	if accepted != 6 {
		t.Errorf("%d requests of ten tokens are answered, want twice the burst of one", accepted)
	}
	if got := api.do(request{path: "/v1/api/blogs", key: "rivals", workspace: otherWorkspace}); got.Status != http.StatusOK {
		t.Errorf("another account: got %d", got.Status)
	}
}

func TestTheBodiesOfAnAccountHaveABound(t *testing.T) {
	api := newAPI(t)
	api.deps.Limits = operation.Limits{AccountBodyBytes: 1000}
	if got := api.post("/v1/api/generate", rightKey, strings.NewReader(generateBody(nil))); got.Code != http.StatusAccepted {
		t.Errorf("a small body: got %d: %s", got.Code, got.Body)
	}
	if got := api.post("/v1/api/generate", rightKey, strings.NewReader(strings.Repeat(" ", 1001))); got.Code != http.StatusTooManyRequests {
		t.Errorf("more than the share: got %d: %s", got.Code, got.Body)
	}
	// What was taken was given back.
	if got := api.post("/v1/api/generate", rightKey, strings.NewReader(generateBody(nil))); got.Code != http.StatusAccepted {
		t.Errorf("afterwards: got %d: %s", got.Code, got.Body)
	}
}

// TestARefusalDoesNotWaitForTheBody sends headers only, and reads the whole answer.
func TestARefusalDoesNotWaitForTheBody(t *testing.T) {
	api := newAPI(t)
	server := httptest.NewServer(api)
	defer server.Close()
	for _, c := range []struct{ name, header, want string }{
		{"Expect and a bad key", "x-api-key: unknown\r\nExpect: 100-continue\r\nContent-Length: 100000\r\n", "401"},
		{"a bad key", "x-api-key: unknown\r\nContent-Length: 100000\r\n", "401"},
		{"no scope", "x-api-key: " + readOnlyKey + "\r\nContent-Length: 10\r\n", "403"},
		{"Expect and no scope, chunked", "x-api-key: " + readOnlyKey + "\r\nExpect: 100-Continue\r\nTransfer-Encoding: chunked\r\n", "403"},
		{"too large", "x-api-key: " + rightKey + "\r\nExpect: 100-continue\r\nContent-Length: 2000000\r\n", "413"},
		{"another type", "x-api-key: " + rightKey + "\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n", "400"},
	} {
		connection, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		// Only a test that fails waits so long.
		if err := connection.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(connection, "POST /v1/api/generate HTTP/1.1\r\nHost: x\r\nx-workspace-id: %s\r\n%s\r\n", workspace, c.header)
		answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil || !strings.HasPrefix(answer.Status, c.want) || !strings.HasSuffix(string(body), "}}\n") {
			t.Errorf("%s: got %s %q, %v, want %s", c.name, answer.Status, body, err, c.want)
		}
		answer.Body.Close()
		connection.Close()
	}
}

func TestTheOpenAPIDocumentSaysHowLargeBodiesMayBe(t *testing.T) {
	for text, want := range map[string]int{`"x-max-body-bytes": 1048576`: 2, `"x-max-body-bytes": 65536`: 12} {
		if got := strings.Count(string(document.JSON), text); got < want {
			t.Errorf("%s is there %d times, want at least %d", text, got, want)
		}
	}
}
