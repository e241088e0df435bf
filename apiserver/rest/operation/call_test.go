package operation_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestKeysThatDoNotWorkGet401WithoutAHint(t *testing.T) {
	api := operationtest.New(t)
	var first string
	for _, r := range []operationtest.Request{
		{Path: "/v1/api/sites", Key: "-"},
		{Path: "/v1/api/sites", Key: "unknown"},
		{Path: "/v1/api/sites", Key: "-", Header: map[string]string{"Authorization": "Bearer " + operationtest.RightKey}},
		{Path: "/v1/api/blogs", Key: "-", Workspace: "-"},
		{Path: "/v1/api/blogs?limit=abc", Key: "unknown", Workspace: operationtest.OtherWorkspace},
		{Method: "POST", Path: "/v1/api/generate", Key: "unknown", Body: "{"},
		{Method: "POST", Path: "/v1/api/generate", Key: "unknown", Body: strings.Repeat("x", 2<<20)},
	} {
		got := api.Do(r.WithID("r-1"))
		operationtest.WantFailure(t, got, http.StatusUnauthorized, problem.CodeUnauthorized)
		if first == "" {
			first = got.Raw
		}
		if got.Raw != first {
			t.Errorf("%s %s tells the cases apart: %s and %s", r.Method, r.Path, got.Raw, first)
		}
	}
}

func TestAuthorizationBesideAKeyIsIgnored(t *testing.T) {
	api := operationtest.New(t)
	got := api.Do(operationtest.Request{Path: "/v1/api/sites", Header: map[string]string{"Authorization": "Bearer junk"}})
	if got.Status != http.StatusOK {
		t.Errorf("got %d, want 200: %s", got.Status, got.Raw)
	}
}

func TestTheWorkspaceMustBeNamedAndTheKeys(t *testing.T) {
	api := operationtest.New(t)
	api.Namespace("acme-shop", "acme")
	article := api.Article(nil)
	for _, r := range []operationtest.Request{
		{Path: "/v1/api/blogs"},
		{Path: "/v1/api/blogs/" + article.Name},
		{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)},
		{Method: "PATCH", Path: "/v1/api/blogs/" + article.Name, Body: "{}"},
		{Method: "DELETE", Path: "/v1/api/blogs/" + article.Name},
		{Method: "POST", Path: "/v1/api/blogs/" + article.Name + "/approve"},
		{Method: "POST", Path: "/v1/api/blogs/" + article.Name + "/publish"},
		{Method: "POST", Path: "/v1/api/blogs/" + article.Name + "/archive"},
		{Method: "POST", Path: "/v1/api/blogs/" + article.Name + "/regenerate"},
		{Method: "POST", Path: "/v1/api/blogs/" + article.Name + "/redeliver"},
	} {
		r.Workspace = "-"
		operationtest.WantFields(t, api.Do(r), "x-workspace-id")

		r.Workspace = "no-such"
		unknown := api.Do(r.WithID("r-1"))
		operationtest.WantFailure(t, unknown, http.StatusNotFound, problem.CodeNotFound)
		r.Workspace = operationtest.OtherWorkspace
		if foreign := api.Do(r.WithID("r-1")); foreign.Raw != unknown.Raw || foreign.Status != unknown.Status {
			t.Errorf("%s %s tells a foreign workspace from one that is not there: %s", r.Method, r.Path, foreign.Raw)
		}
		r.Workspace, r.Key = operationtest.Workspace, operationtest.LimitedKey
		if outside := api.Do(r.WithID("r-1")); outside.Raw != unknown.Raw || outside.Status != unknown.Status {
			t.Errorf("%s %s: a workspace that is not the key's: %s", r.Method, r.Path, outside.Raw)
		}
	}
	if got := api.Do(operationtest.Request{Path: "/v1/api/blogs", Workspace: "acme-shop", Key: operationtest.LimitedKey}); got.Status != http.StatusOK {
		t.Errorf("the key's own workspace: got %d: %s", got.Status, got.Raw)
	}
}

func TestRequestsWithoutTheScopeAreThrottledToo(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Limits = operation.Limits{RequestsPerSecond: 1, RequestBurst: 3}
	answers := map[int]int{}
	for range 10 {
		answers[api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: "{", Key: operationtest.ReadOnlyKey}).Status]++
	}
	if answers[http.StatusForbidden] != 6 || answers[http.StatusTooManyRequests] != 4 {
		t.Errorf("got %v, want 6 times 403 and 4 times 429", answers)
	}
}

func TestAnAccountGetsNoMoreByMintingTokens(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Limits = operation.Limits{RequestsPerSecond: 1, RequestBurst: 3}
	accepted := 0
	for i := range 30 {
		if got := api.Do(operationtest.Request{Path: "/v1/api/blogs", Key: fmt.Sprint("minted-", i%10)}); got.Status == http.StatusOK {
			accepted++
		}
	}
	if accepted != 6 {
		t.Errorf("%d requests of ten tokens are answered, want twice the burst of one", accepted)
	}
	if got := api.Do(operationtest.Request{Path: "/v1/api/blogs", Key: "rivals", Workspace: operationtest.OtherWorkspace}); got.Status != http.StatusOK {
		t.Errorf("another account: got %d", got.Status)
	}
}

func TestUntilTheIndexIsCompleteTheAnswerIs503(t *testing.T) {
	api := operationtest.New(t)
	api.Synced = false
	got := api.Do(operationtest.Request{Path: "/v1/api/blogs"})
	operationtest.WantFailure(t, got, http.StatusServiceUnavailable, problem.CodeUnavailable)
	if got.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
	api.Synced = true
	if got := api.Do(operationtest.Request{Path: "/v1/api/blogs"}); got.Status != http.StatusOK {
		t.Errorf("afterwards: got %d", got.Status)
	}
}

func TestAKeyThatCannotBeCheckedGets503(t *testing.T) {
	api := operationtest.New(t)
	got := api.Do(operationtest.Request{Path: "/v1/api/blogs", Key: "away"})
	operationtest.WantFailure(t, got, http.StatusServiceUnavailable, problem.CodeUnavailable)
	if got.Header.Get("Retry-After") == "" {
		t.Error("no Retry-After")
	}
}

func TestOneKeyCannotUseUpAReplica(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Limits = operation.Limits{RequestsPerSecond: 1, RequestBurst: 3}
	for range 3 {
		if got := api.Do(operationtest.Request{Path: "/v1/api/blogs"}); got.Status != http.StatusOK {
			t.Fatalf("within the burst: got %d: %s", got.Status, got.Raw)
		}
	}
	got := api.Do(operationtest.Request{Path: "/v1/api/blogs"})
	operationtest.WantFailure(t, got, http.StatusTooManyRequests, problem.CodeRateLimited)
	if after := got.Header.Get("Retry-After"); after != "1" {
		t.Errorf("Retry-After is %q, want 1", after)
	}
	// 400 and 404 come before 429 (docs/reference/contract.md, Errors), and other keys are not limited.
	operationtest.WantFields(t, api.Do(operationtest.Request{Path: "/v1/api/blogs?limit=0"}), "limit")
	operationtest.WantFailure(t, api.Do(operationtest.Request{Path: "/v1/api/blogs", Workspace: operationtest.OtherWorkspace}), http.StatusNotFound, problem.CodeNotFound)
	if got := api.Do(operationtest.Request{Path: "/v1/api/blogs", Key: operationtest.ReadOnlyKey}); got.Status != http.StatusOK {
		t.Errorf("another key: got %d", got.Status)
	}
	api.Clock.Step(1_000_000_000)
	if got := api.Do(operationtest.Request{Path: "/v1/api/blogs"}); got.Status != http.StatusOK {
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
	api := operationtest.New(t)
	api.Deps.Limits.BodyTimeout = 50 * time.Millisecond
	api.Deps.Client = slow{api.Objects, 200 * time.Millisecond}
	server := httptest.NewServer(api)
	defer server.Close()
	path := "/v1/api/blogs/0198f0a1-0000-7000-8000-00000000aaaa/archive"
	for _, body := range []string{"", "{}", ""} {
		q, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		q.Header.Set("x-api-key", operationtest.RightKey)
		q.Header.Set("x-workspace-id", operationtest.Workspace)
		q.Header.Set("Content-Type", "application/json")
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
