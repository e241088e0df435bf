package operation_test

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
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

func TestAMemberThatComesTwiceIsRefused(t *testing.T) {
	api := operationtest.New(t)
	for body, want := range map[string]string{
		`{"site_uid":"` + operationtest.SiteUID + `","keyword":"shoes","keyword":"boots"}`:                                                   "keyword",
		`{"site_uid":"` + operationtest.SiteUID + `","keyword":"shoes","\u006beyword":"boots"}`:                                              "keyword",
		`{"site_uid":"` + operationtest.SiteUID + `","title":"T","content_markdown":"M","faq":[{"question":"Q","answer":"A","answer":"B"}]}`: "faq[0].answer",
	} {
		path := "/v1/api/generate"
		if strings.Contains(body, "title") {
			path = "/v1/api/blogs"
		}
		got := api.Do(operationtest.Request{Method: "POST", Path: path, Body: body})
		operationtest.WantFields(t, got, want)
		if !strings.Contains(got.Raw, "must not come twice") {
			t.Errorf("%s: got %s", body, got.Raw)
		}
	}
	if len(api.Ledger.Charges) != 0 || len(api.Objects.Articles) != 0 {
		t.Error("something was charged or created")
	}
}

func TestBodiesMustBeJSON(t *testing.T) {
	api := operationtest.New(t)
	for _, contentType := range []string{
		"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/xml", ";", "application/merge-patch+json",
		"application/json; charset=utf-16", "application/json; charset=iso-8859-1", "application/json; charset=",
	} {
		got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: map[string]string{"Content-Type": contentType}})
		wantUnsupported(t, got, "Content-Type")
		if accepted := got.Header.Get("Accept-Post"); accepted != "application/json" {
			t.Errorf("%s: Accept-Post is %q", contentType, accepted)
		}
	}
	for _, contentType := range []string{
		"application/json", "application/json; charset=utf-8", "Application/JSON", `application/json;charset="UTF-8"`, "application/json; v=1",
	} {
		got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: map[string]string{"Content-Type": contentType}})
		if got.Status != http.StatusAccepted {
			t.Errorf("%s: got %d: %s", contentType, got.Status, got.Raw)
		}
	}
	patch := api.Do(operationtest.Request{Method: "PATCH", Path: "/v1/api/blogs/x", Body: "{}", Header: map[string]string{"Content-Type": "text/plain"}})
	if accepted := patch.Header.Get("Accept-Patch"); accepted != "application/json, application/merge-patch+json" {
		t.Errorf("Accept-Patch is %q", accepted)
	}
}

func wantUnsupported(t *testing.T, got testkit.Answer, field string) {
	t.Helper()
	f := operationtest.Failure(t, got)
	if got.Status != http.StatusUnsupportedMediaType || f.Problem.Code != problem.CodeUnsupportedType || f.Problem.Details[0].Field != field ||
		f.Problem.Details[0].Code != problem.DetailNotSupported || got.Header.Get("Accept-Encoding") != "identity" {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}

func TestABodyMayNotBeCompressed(t *testing.T) {
	api := operationtest.New(t)
	for coding, want := range map[string]int{"gzip": http.StatusUnsupportedMediaType, "br": http.StatusUnsupportedMediaType, "identity": http.StatusAccepted} {
		got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: map[string]string{"Content-Encoding": coding}})
		if got.Status != want {
			t.Errorf("%s: got %d: %s", coding, got.Status, got.Raw)
		}
		if want != http.StatusAccepted {
			wantUnsupported(t, got, "Content-Encoding")
		}
	}
}

// A body of unknown length has no type if it is empty.
func TestABodyInChunksHasATypeUnlessItIsEmpty(t *testing.T) {
	api := operationtest.New(t)
	for body, want := range map[string]int{"": http.StatusNotFound, "{}": http.StatusUnsupportedMediaType} {
		q := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v1/api/blogs/0198f0a1-0000-7000-8000-00000000aaaa/archive", strings.NewReader(body))
		q.ContentLength = -1
		q.Header.Set("x-api-key", operationtest.RightKey)
		q.Header.Set("x-workspace-id", operationtest.Workspace)
		answer := httptest.NewRecorder()
		if api.ServeHTTP(answer, q); answer.Code != want {
			t.Errorf("%q: got %d: %s", body, answer.Code, answer.Body)
		}
	}
}

func TestItIsSaidWhereABodyIsNoJSON(t *testing.T) {
	api := operationtest.New(t)
	for body, want := range map[string]string{
		"\ufeff{}":               "it may not begin with a byte order mark",
		" \n":                    "it is empty",
		`{"keyword":"a`:          "it ends too early",
		`{"keyword":`:            "it ends too early",
		`{} {}`:                  "it may not have more than one value",
		"\x1f\x8b":               "it is wrong at byte 1",
		`{"keyword":x}`:          "it is wrong at byte 12",
		"{\"keyword\":\"\xff\"}": "it is wrong at byte 13",
		"{'a':1}":                "it is wrong at byte 2",
	} {
		got := operationtest.Failure(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: body}))
		if d := got.Problem.Details; len(d) != 1 || d[0].Field != "body" || d[0].Code != problem.DetailMalformed ||
			d[0].Message != "must be valid JSON in UTF-8: "+want {
			t.Errorf("%q: got %+v, want %s", body, d, want)
		}
	}
}

func TestATypeWithoutABodyIsNoFault(t *testing.T) {
	api := operationtest.New(t)
	form := map[string]string{"Content-Type": "application/x-www-form-urlencoded"}
	if got := api.Do(operationtest.Request{Path: "/v1/api/sites", Header: form}); got.Status != http.StatusOK {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
	got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/blogs/0198f0a1-0000-7000-8000-00000000aaaa/approve", Header: form})
	operationtest.WantFailure(t, got, http.StatusNotFound, problem.CodeNotFound)
}

// TestAClientThatSendsFirstSeesWhyItIsRefused writes a whole large body before it reads, as simple clients do.
func TestAClientThatSendsFirstSeesWhyItIsRefused(t *testing.T) {
	api := operationtest.New(t)
	server := httptest.NewServer(api)
	defer server.Close()
	for key, want := range map[string]string{operationtest.RightKey: "413 ", "unknown": "401 "} {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		body := strings.Repeat("x", 4<<20)
		_, err = fmt.Fprintf(c, "POST /v1/api/generate HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx-api-key: %s\r\nx-workspace-id: %s\r\n"+
			"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", key, operationtest.Workspace, len(body), body)
		if err != nil {
			t.Errorf("with the key %s: sending: %v", key, err)
		}
		got, err := io.ReadAll(c)
		if err != nil || !strings.HasPrefix(string(got), "HTTP/1.1 "+want) {
			t.Errorf("with the key %s: got %.60q, %v, want %s", key, got, err, want)
		}
		c.Close()
	}
}

func TestBodiesHaveTheSizeOfTheirOperation(t *testing.T) {
	api := operationtest.New(t)
	for _, r := range writing {
		limit := jsonbody.MaxBytes
		if strings.HasPrefix(r.Path, "/v1/api/blogs") && strings.Count(r.Path, "/") < 5 {
			limit = jsonbody.MaxContentBytes
		}
		r.Body = strings.Repeat(" ", limit+1)
		operationtest.WantFailure(t, api.Do(r), http.StatusRequestEntityTooLarge, problem.CodePayloadTooLarge)
		r.Body = strings.Repeat(" ", limit-1) + "x"
		operationtest.WantFields(t, api.Do(r), "body")
	}
}

func TestWrongInputIsThrottledBeforeItIsRead(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Limits = operation.Limits{RequestsPerSecond: 1, RequestBurst: 3}
	for range 6 {
		operationtest.WantFields(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: "{"}), "body")
	}
	if got := post(api, "/v1/api/generate", operationtest.RightKey, unread{t}); got.Code != http.StatusTooManyRequests || got.Header().Get("Retry-After") != "1" {
		t.Errorf("got %d %v: %s", got.Code, got.Header(), got.Body)
	}
	wantLeft(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: "{"}), `"default";q=3;w=3`, 0, 1)
	// What the credential forbids is still said.
	operationtest.WantFailure(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: "{", Key: operationtest.ReadOnlyKey}), http.StatusForbidden, problem.CodeInsufficientScope)
}

func TestTheBodiesOfAnAccountHaveABound(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Limits = operation.Limits{AccountBodyBytes: 1000}
	if got := post(api, "/v1/api/generate", operationtest.RightKey, strings.NewReader(operationtest.GenerateBody(nil))); got.Code != http.StatusAccepted {
		t.Errorf("a small body: got %d: %s", got.Code, got.Body)
	}
	if got := post(api, "/v1/api/generate", operationtest.RightKey, strings.NewReader(strings.Repeat(" ", 1001))); got.Code != http.StatusTooManyRequests {
		t.Errorf("more than the share: got %d: %s", got.Code, got.Body)
	}
	// What was taken was given back.
	if got := post(api, "/v1/api/generate", operationtest.RightKey, strings.NewReader(operationtest.GenerateBody(nil))); got.Code != http.StatusAccepted {
		t.Errorf("afterwards: got %d: %s", got.Code, got.Body)
	}
}

// TestARefusalDoesNotWaitForTheBody sends headers only, and reads the whole answer.
func TestARefusalDoesNotWaitForTheBody(t *testing.T) {
	api := operationtest.New(t)
	server := httptest.NewServer(api)
	defer server.Close()
	for _, c := range []struct{ name, header, want string }{
		{"Expect and a bad key", "x-api-key: unknown\r\nExpect: 100-continue\r\nContent-Length: 100000\r\n", "401"},
		{"a bad key", "x-api-key: unknown\r\nContent-Length: 100000\r\n", "401"},
		{"no scope", "x-api-key: " + operationtest.ReadOnlyKey + "\r\nContent-Length: 10\r\n", "403"},
		{"Expect and no scope, chunked", "x-api-key: " + operationtest.ReadOnlyKey + "\r\nExpect: 100-Continue\r\nTransfer-Encoding: chunked\r\n", "403"},
		{"too large", "x-api-key: " + operationtest.RightKey + "\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2000000\r\n", "413"},
		{"another type", "x-api-key: " + operationtest.RightKey + "\r\nContent-Type: text/plain\r\nContent-Length: 10\r\n", "415"},
	} {
		connection, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		// Only a test that fails waits so long.
		if err := connection.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(connection, "POST /v1/api/generate HTTP/1.1\r\nHost: x\r\nx-workspace-id: %s\r\n%s\r\n", operationtest.Workspace, c.header)
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

func TestWhatIsWrongDoesNotDependOnTheOrderOfMembers(t *testing.T) {
	api := operationtest.New(t)
	for _, body := range []string{`{"note":"why","publish_at":true}`, `{"publish_at":true,"note":"why"}`} {
		r := operationtest.Request{Method: "POST", Path: "/v1/api/blogs/bulk", Body: body}
		operationtest.WantFields(t, api.Do(r), "items", "note", "operation", "publish_at")
	}
}
