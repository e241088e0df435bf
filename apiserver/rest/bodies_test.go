package rest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/internal/ledger"
)

// TestErrorBodiesAreExactlyThese pins what clients may have written code for.
func TestErrorBodiesAreExactlyThese(t *testing.T) {
	generate := request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}
	for _, c := range []struct {
		name string
		set  func(*restAPI)
		ask  request
		want string
	}{
		{
			"no key", nil, request{path: "/v1/api/sites", key: "-"},
			`{"code":"UNAUTHORIZED","message":"the header x-api-key must carry a valid API key","details":[],"status":401,"request_id":"r-1"}`,
		},
		{
			"no scope", nil, request{method: "POST", path: "/v1/api/generate", key: readOnlyKey},
			`{"code":"INSUFFICIENT_SCOPE","message":"the API key must have the scope write","details":[],"status":403,"request_id":"r-1"}`,
		},
		{
			"no workspace", nil, request{path: "/v1/api/blogs", workspace: "-"},
			`{"code":"VALIDATION_ERROR","message":"x-workspace-id: is required","details":[{"field":"x-workspace-id","code":"required","message":"is required"}],"status":400,"request_id":"r-1"}`,
		},
		{
			"a foreign workspace", nil, request{path: "/v1/api/blogs", workspace: otherWorkspace},
			`{"code":"NOT_FOUND","message":"there is no such workspace","details":[],"status":404,"request_id":"r-1"}`,
		},
		{
			"an unknown article", nil, request{path: "/v1/api/blogs/junk"},
			`{"code":"NOT_FOUND","message":"there is no such article","details":[],"status":404,"request_id":"r-1"}`,
		},
		{
			"a limit out of its range", nil, request{path: "/v1/api/blogs?limit=101"},
			`{"code":"VALIDATION_ERROR","message":"limit: must not be above 100","details":[{"field":"limit","code":"too_large","message":"must not be above 100"}],"status":400,"request_id":"r-1"}`,
		},
		{
			"a short keyword for another's site", nil,
			request{method: "POST", path: "/v1/api/generate", body: generateBody(map[string]any{"site_uid": otherSiteUID, "keyword": "x"})},
			`{"code":"VALIDATION_ERROR","message":"keyword: must be at least 2 characters long (and 1 more)","details":[
			{"field":"keyword","code":"too_short","message":"must be at least 2 characters long"},{"field":"site_uid","code":"invalid","message":"must be the uid of a site in this workspace"}],"status":400,"request_id":"r-1"}`,
		},
		{
			"an unknown field", nil, request{method: "POST", path: "/v1/api/generate", body: generateBody(map[string]any{"size": 1})},
			`{"code":"VALIDATION_ERROR","message":"size: is not a known field","details":[{"field":"size","code":"unknown_field","message":"is not a known field"}],"status":400,"request_id":"r-1"}`,
		},
		{
			"a wrong type", nil, request{method: "POST", path: "/v1/api/generate", body: generateBody(map[string]any{"tone": 1})},
			`{"code":"VALIDATION_ERROR","message":"tone: expected string","details":[{"field":"tone","code":"wrong_type","message":"expected string"}],"status":400,"request_id":"r-1"}`,
		},
		{
			"too large a body", nil, request{method: "POST", path: "/v1/api/generate", body: strings.Repeat(" ", 2<<20)},
			`{"code":"PAYLOAD_TOO_LARGE","message":"the body must be at most 65536 bytes","details":[{"field":"body","code":"too_long","message":"must be at most 65536 bytes"}],"status":413,"request_id":"r-1"}`,
		},
		{
			"refused by a rule of the CRD", func(api *restAPI) {
				api.objects.err = invalidStatus("spec.generate.keyword", `Invalid value: "x": must be nicer`)
			}, generate,
			`{"code":"VALIDATION_ERROR","message":"keyword: must be nicer","details":[{"field":"keyword","code":"invalid","message":"must be nicer"}],"status":400,"request_id":"r-1"}`,
		},
		{
			"no credits", func(api *restAPI) { api.ledger.err = &ledger.LimitError{Code: ledger.InsufficientCredits} }, generate,
			`{"code":"INSUFFICIENT_CREDITS","message":"the account has no credits left","details":[],"status":402,"request_id":"r-1"}`,
		},
		{
			"over the day's limit", func(api *restAPI) {
				api.ledger.err = &ledger.LimitError{Code: ledger.DailyLimit, RetryAfter: time.Hour}
			}, generate,
			`{"code":"RATE_LIMIT_EXCEEDED","message":"the site's daily limit of articles is reached; it starts again at 00:00 UTC","details":[],"status":429,"request_id":"r-1"}`,
		},
		{
			"over the minute's limit", func(api *restAPI) {
				api.ledger.err = &ledger.LimitError{Code: ledger.RateLimited, RetryAfter: time.Second}
			}, generate,
			`{"code":"RATE_LIMIT_EXCEEDED","message":"more than 60 articles were asked for within a minute","details":[],"status":429,"request_id":"r-1"}`,
		},
		{
			"the ledger is away", func(api *restAPI) { api.ledger.err = ledger.ErrUnavailable }, generate,
			`{"code":"UNAVAILABLE","message":"the service cannot reach its storage at the moment","details":[],"status":503,"request_id":"r-1"}`,
		},
		{
			"no such path", nil, request{path: "/v2"}, `{"code":"NOT_FOUND","message":"there is no such path","details":[],"status":404,"request_id":"r-1"}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := newAPI(t)
			if c.set != nil {
				c.set(api)
			}
			got := strings.TrimSpace(api.do(c.ask.withID("r-1")).Raw)
			if want := compact(`{"success":false,"error":` + c.want + `}`); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}

// TestWhatFailsIsNeitherChargedNorCounted walks the order of the checks (docs/reference/contract.md, Errors): 401, 403, 400 and 404 come
// before 429 and 402.
func TestWhatFailsIsNeitherChargedNorCounted(t *testing.T) {
	api := newAPI(t)
	api.ledger.err = &ledger.LimitError{Code: ledger.RateLimited, RetryAfter: time.Second}
	body := generateBody(map[string]any{"keyword": "x"})
	for _, c := range []struct {
		ask  request
		want int
	}{
		{request{key: "unknown", workspace: otherWorkspace, body: body}, 401},
		{request{key: readOnlyKey, workspace: otherWorkspace, body: body}, 403},
		{request{body: body}, 400},
		{request{workspace: otherWorkspace, body: generateBody(nil)}, 404},
		{request{body: generateBody(nil)}, 429},
	} {
		c.ask.method, c.ask.path = "POST", "/v1/api/generate"
		if got := api.do(c.ask); got.Status != c.want {
			t.Errorf("got %d, want %d: %s", got.Status, c.want, got.Raw)
		}
	}
	if len(api.ledger.charges) > 0 || len(api.objects.articles) > 0 {
		t.Error("something was charged or created")
	}
}

func TestAChargeThatAnotherRequestTookIsNotGivenBack(t *testing.T) {
	api := newAPI(t)
	api.ledger.pending = true
	api.objects.err = invalidStatus("spec.generate.keyword", "no")
	got := api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)})
	if got.Status != 400 || api.ledger.returned != 0 {
		t.Errorf("got %d, given back %d times, want 400 and none", got.Status, api.ledger.returned)
	}
}
