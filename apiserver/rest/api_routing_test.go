package rest_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-logr/logr/funcr"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestWhatHasNoRouteGetsTheErrorBody(t *testing.T) {
	api := operationtest.New(t)
	for _, path := range []string{"/v1/api/nothing", "/v1/api/sites/", "/v1/api/blogs/", "/V1/api/sites", "/v1", "/v1/api//sites", "/%00"} {
		got := api.Do(operationtest.Request{Path: path})
		operationtest.WantFailure(t, got, http.StatusNotFound, problem.CodeNotFound)
		if got.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: Content-Type is %q", path, got.Header.Get("Content-Type"))
		}
	}
}

// A proxy that guards a prefix compares what was sent.
func TestAPathThatIsNotInItsNormalFormHasNoRoute(t *testing.T) {
	api := operationtest.New(t)
	server := httptest.NewServer(api)
	defer server.Close()
	a := api.Published()
	for _, plain := range []string{"/v1/api/sites", "/v1/api/blogs/" + a.Name, "/openapi.json", "/docs"} {
		for _, path := range []string{
			"/" + plain, "//x/.." + plain, "/." + plain, "/x/.." + plain, "/%2e" + plain, "/x/%2e%2e" + plain, "/x/..%2f" + plain[1:],
			strings.Replace(plain, "/", "/%2f", 1), "/" + strings.ReplaceAll(plain[1:], "/", "%2f"), "/" + strings.ReplaceAll(plain[1:], "/", "%2F"),
			"/" + strings.ReplaceAll(plain[1:], "/", "//"), "/" + strings.ReplaceAll(plain[1:], "/", "/./"),
			"/" + strings.ReplaceAll(plain[1:], "/", "%5c"), "/" + strings.ReplaceAll(plain[1:], "/", `\`),
			plain[:len(plain)-1] + fmt.Sprintf("%%%02x", plain[len(plain)-1]), plain + "/", plain + "/.", plain + "%20", plain + "%00",
		} {
			if path == plain {
				continue
			}
			for _, method := range []string{"GET", "PUT"} {
				status, header, body := rawly(t, server.Listener.Addr().String(), method+" "+path)
				if status != http.StatusNotFound || !strings.Contains(body, `"NOT_FOUND"`) || header.Get("x-request-id") == "" {
					t.Errorf("%s %s: got %d %s", method, path, status, body)
				}
			}
		}
	}
}

// Errors of HTTP that the program sees have the body of errors; net/http answers the others itself.
func TestOddTargetsGetTheErrorBody(t *testing.T) {
	server := httptest.NewServer(operationtest.New(t))
	defer server.Close()
	for target, want := range map[string]int{
		"GET *": http.StatusNotFound, "CONNECT example.com:443": http.StatusNotFound, "GET http://other.example/v1/nothing": http.StatusNotFound,
		"GET http://other.example": http.StatusNotFound,
	} {
		if status, header, body := rawly(t, server.Listener.Addr().String(), target); status != want || header.Get("x-request-id") == "" ||
			!strings.HasPrefix(body, `{"success":false`) {
			t.Errorf("%s: got %d %s", target, status, body)
		}
	}
}

// rawly sends a request line as it is, with a key.
func rawly(t *testing.T, address, line string) (status int, header http.Header, body string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := fmt.Fprintf(c, "%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx-api-key: %s\r\nx-workspace-id: %s\r\n\r\n",
		line, operationtest.RightKey, operationtest.Workspace); err != nil {
		t.Fatal(err)
	}
	got, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(line, err)
	}
	defer got.Body.Close()
	text, err := io.ReadAll(got.Body)
	if err != nil {
		t.Fatal(line, err)
	}
	return got.StatusCode, got.Header, string(text)
}

func TestAWrongMethodGets405WithAllow(t *testing.T) {
	api := operationtest.New(t)
	for _, c := range []struct{ method, path, wantAllow string }{
		{"GET", "/v1/api/blogs/bulk", "POST"}, {"DELETE", "/v1/api/blogs/bulk", "POST"}, {"PATCH", "/v1/api/blogs/counts", "GET, HEAD"},
		{"POST", "/v1/api/workspaces", "GET, HEAD"},
		{"GET", "/v1/api/generate", "POST"},
		{"HEAD", "/v1/api/generate", "POST"},
		{"PUT", "/v1/api/blogs", "GET, POST, HEAD"},
		{"PUT", "/v1/api/blogs/x", "GET, PATCH, DELETE, HEAD"},
		{"GET", "/v1/api/blogs/x/approve", "POST"},
		{"OPTIONS", "/v1/api/workspaces", "GET, HEAD"},
		{"BREW", "/v1/api/workspaces", "GET, HEAD"},
	} {
		got := api.Do(operationtest.Request{Method: c.method, Path: c.path})
		operationtest.WantFailure(t, got, http.StatusMethodNotAllowed, problem.CodeMethodNotAllowed)
		if allow := got.Header.Get("Allow"); allow != c.wantAllow {
			t.Errorf("%s %s: Allow is %q, want %q", c.method, c.path, allow, c.wantAllow)
		}
	}
}

// A server sends no body to HEAD; the headers are those of GET, as RFC 9110, section 9.3.2, demands.
func TestHEADIsAnsweredLikeGET(t *testing.T) {
	api := operationtest.New(t)
	a := api.Published()
	server := httptest.NewServer(api)
	defer server.Close()
	ask := func(method, path string) *http.Response {
		q, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("x-api-key", operationtest.RightKey)
		q.Header.Set("x-workspace-id", operationtest.Workspace)
		got, err := http.DefaultTransport.RoundTrip(q)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for _, path := range []string{
		"/v1/api/sites", "/v1/api/blogs", "/v1/api/blogs/" + a.Name, "/v1/api/blogs?limit=0", "/v1/api/blogs/x", "/openapi.json", "/docs", "/",
	} {
		get, head := ask(http.MethodGet, path), ask(http.MethodHead, path)
		wantBody, err := io.ReadAll(get.Body)
		if err != nil || len(wantBody) == 0 {
			t.Fatalf("GET %s: %q, %v", path, wantBody, err)
		}
		body, err := io.ReadAll(head.Body)
		get.Body.Close()
		head.Body.Close()
		if err != nil || len(body) > 0 || head.StatusCode != get.StatusCode {
			t.Errorf("HEAD %s: got %d with %d bytes, %v, want %d without a body", path, head.StatusCode, len(body), err, get.StatusCode)
		}
		for _, name := range []string{"Content-Type", "ETag", "Location", "Cache-Control"} {
			if got, want := head.Header.Get(name), get.Header.Get(name); got != want {
				t.Errorf("HEAD %s: %s is %q, want %q", path, name, got, want)
			}
		}
	}
}

func TestEveryAnswerHasARequestID(t *testing.T) {
	api := operationtest.New(t)
	for _, path := range []string{"/v1/api/sites", "/v1/api/blogs?limit=0", "/nothing", "/openapi.json", "/docs", "/"} {
		if id := api.Do(operationtest.Request{Path: path}).Header.Get("x-request-id"); len(id) != 36 {
			t.Errorf("%s: x-request-id is %q", path, id)
		}
	}
	for id, wantKept := range map[string]bool{
		"abc-123_x.Y": true, strings.Repeat("x", 128): true, strings.Repeat("x", 129): false, "a b": false, "a\tb": false, "ä": false, `"`: false,
	} {
		got := api.Do(operationtest.Request{Path: "/v1/api/sites", Header: map[string]string{"x-request-id": id}}).Header.Get("x-request-id")
		if (got == id) != wantKept {
			t.Errorf("x-request-id %q became %q, want kept %t", id, got, wantKept)
		}
	}
}

// panicking panics when a key is looked up.
type panicking struct{}

func (panicking) Authenticate(context.Context, string) (auth.Principal, error) {
	panic("secret of the house")
}

func TestAPanicIsLoggedAndHiddenFromTheClient(t *testing.T) {
	api := operationtest.New(t)
	var log strings.Builder
	api.Deps.Log = funcr.New(func(prefix, args string) { log.WriteString(prefix + args) }, funcr.Options{})
	api.Deps.Authenticator = panicking{}
	got := api.Do(operationtest.Request{Path: "/v1/api/sites", Header: map[string]string{"x-request-id": "r-1"}})
	operationtest.WantFailure(t, got, http.StatusInternalServerError, problem.CodeInternal)
	if strings.Contains(got.Raw, "secret") || strings.Contains(got.Raw, ".go") {
		t.Errorf("the client sees the panic: %s", got.Raw)
	}
	for _, want := range []string{"secret of the house", "recovery.go", "r-1"} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("the log lacks %q: %s", want, log.String())
		}
	}
}

func TestAnUnexpectedErrorIsHiddenFromTheClient(t *testing.T) {
	api := operationtest.New(t)
	api.Ledger.Err = errors.New("secret of the house")
	got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil), Header: map[string]string{"x-request-id": "r-2"}})
	operationtest.WantFailure(t, got, http.StatusInternalServerError, problem.CodeInternal)
	if strings.Contains(got.Raw, "secret") || !strings.Contains(got.Raw, "r-2") {
		t.Errorf("got %s, want the request id and not the cause", got.Raw)
	}
}
