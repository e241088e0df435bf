package rest_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr/funcr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

func TestWhatHasNoRouteGetsTheErrorBody(t *testing.T) {
	api := newAPI(t)
	for _, path := range []string{"/v1/api/nothing", "/v1/api/sites/", "/v1/api/blogs/", "/V1/api/sites", "/v1", "/v1/api//sites", "/%00"} {
		got := api.do(request{path: path})
		wantFailure(t, got, http.StatusNotFound, problem.CodeNotFound)
		if got.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: Content-Type is %q", path, got.Header.Get("Content-Type"))
		}
	}
}

func TestAWrongMethodGets405WithAllow(t *testing.T) {
	api := newAPI(t)
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
		got := api.do(request{method: c.method, path: c.path})
		wantFailure(t, got, http.StatusMethodNotAllowed, problem.CodeMethodNotAllowed)
		if allow := got.Header.Get("Allow"); allow != c.wantAllow {
			t.Errorf("%s %s: Allow is %q, want %q", c.method, c.path, allow, c.wantAllow)
		}
	}
}

// A server sends no body to HEAD; the headers are those of GET, as RFC 9110, section 9.3.2, demands.
func TestHEADIsAnsweredLikeGET(t *testing.T) {
	api := newAPI(t)
	a := api.published()
	server := httptest.NewServer(api)
	defer server.Close()
	ask := func(method, path string) *http.Response {
		q, err := http.NewRequestWithContext(t.Context(), method, server.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("x-api-key", rightKey)
		q.Header.Set("x-workspace-id", workspace)
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
	api := newAPI(t)
	for _, path := range []string{"/v1/api/sites", "/v1/api/blogs?limit=0", "/nothing", "/openapi.json", "/docs", "/"} {
		if id := api.do(request{path: path}).Header.Get("x-request-id"); len(id) != 36 {
			t.Errorf("%s: x-request-id is %q", path, id)
		}
	}
	for id, wantKept := range map[string]bool{
		"abc-123_x.Y": true, strings.Repeat("x", 128): true, strings.Repeat("x", 129): false, "a b": false, "a\tb": false, "ä": false, `"`: false,
	} {
		got := api.do(request{path: "/v1/api/sites", header: map[string]string{"x-request-id": id}}).Header.Get("x-request-id")
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
	api := newAPI(t)
	var log strings.Builder
	api.deps.Log = funcr.New(func(prefix, args string) { log.WriteString(prefix + args) }, funcr.Options{})
	api.deps.Authenticator = panicking{}
	got := api.do(request{path: "/v1/api/sites", header: map[string]string{"x-request-id": "r-1"}})
	wantFailure(t, got, http.StatusInternalServerError, problem.CodeInternal)
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
	api := newAPI(t)
	api.ledger.err = errors.New("secret of the house")
	got := api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil), header: map[string]string{"x-request-id": "r-2"}})
	wantFailure(t, got, http.StatusInternalServerError, problem.CodeInternal)
	if strings.Contains(got.Raw, "secret") || !strings.Contains(got.Raw, "r-2") {
		t.Errorf("got %s, want the request id and not the cause", got.Raw)
	}
}

func TestUntilTheIndexIsCompleteTheAnswerIs503(t *testing.T) {
	api := newAPI(t)
	api.synced = false
	got := api.do(request{path: "/v1/api/blogs"})
	wantFailure(t, got, http.StatusServiceUnavailable, problem.CodeUnavailable)
	if got.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	api.synced = true
	if got := api.do(request{path: "/v1/api/blogs"}); got.Status != http.StatusOK {
		t.Errorf("afterwards: got %d", got.Status)
	}
}

func TestAKeyThatCannotBeCheckedGets503(t *testing.T) {
	api := newAPI(t)
	got := api.do(request{path: "/v1/api/blogs", key: "away"})
	wantFailure(t, got, http.StatusServiceUnavailable, problem.CodeUnavailable)
	if got.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

func TestOneKeyCannotUseUpAReplica(t *testing.T) {
	api := newAPI(t)
	api.deps.Limits = operation.Limits{RequestsPerSecond: 1, RequestBurst: 3}
	for range 3 {
		if got := api.do(request{path: "/v1/api/blogs"}); got.Status != http.StatusOK {
			t.Fatalf("within the burst: got %d: %s", got.Status, got.Raw)
		}
	}
	got := api.do(request{path: "/v1/api/blogs"})
	wantFailure(t, got, http.StatusTooManyRequests, problem.CodeRateLimited)
	if after := got.Header.Get("Retry-After"); after != "1" {
		t.Errorf("Retry-After is %q, want 1", after)
	}
	// 400 and 404 come before 429 (docs/reference/contract.md, Errors), and other keys are not limited.
	wantFields(t, api.do(request{path: "/v1/api/blogs?limit=0"}), "limit")
	wantFailure(t, api.do(request{path: "/v1/api/blogs", workspace: otherWorkspace}), http.StatusNotFound, problem.CodeNotFound)
	if got := api.do(request{path: "/v1/api/blogs", key: readOnlyKey}); got.Status != http.StatusOK {
		t.Errorf("another key: got %d", got.Status)
	}
	api.clock.Step(1_000_000_000)
	if got := api.do(request{path: "/v1/api/blogs"}); got.Status != http.StatusOK {
		t.Errorf("a second later: got %d", got.Status)
	}
}

// slow answers after a while, or when the request is canceled.
type slow struct {
	client.Client
	while time.Duration
}

func (s slow) Get(ctx context.Context, key client.ObjectKey, into client.Object, options ...client.GetOption) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(s.while):
		return s.Client.Get(ctx, key, into, options...)
	}
}

func TestAConnectionOutlivesAnOperationThatTakesLongerThanItsBody(t *testing.T) {
	api := newAPI(t)
	api.deps.Limits.BodyTimeout = 50 * time.Millisecond
	api.deps.Client = slow{api.objects, 200 * time.Millisecond}
	server := httptest.NewServer(api)
	defer server.Close()
	path := "/v1/api/blogs/0198f0a1-0000-7000-8000-00000000aaaa/archive"
	for _, body := range []string{"", "{}", ""} {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("x-api-key", rightKey)
		q.Header.Set("x-workspace-id", workspace)
		response, err := server.Client().Do(q)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(io.Discard, response.Body); err != nil {
			t.Error(err)
		}
		response.Body.Close()
		if response.StatusCode != http.StatusNotFound {
			t.Errorf("got %d, want the 404 of the API server", response.StatusCode)
		}
	}
}
