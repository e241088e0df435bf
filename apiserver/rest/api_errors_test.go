package rest_test

import (
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// TestErrorBodiesAreExactlyThese pins what clients may have written code for.
func TestErrorBodiesAreExactlyThese(t *testing.T) {
	generate := operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}
	for _, c := range []struct {
		name string
		set  func(*operationtest.API)
		ask  operationtest.Request
		want string
	}{
		{
			"no key", nil, operationtest.Request{Path: "/v1/api/sites", Key: "-"},
			`{"code":"UNAUTHORIZED","message":"the header x-api-key must carry a valid API key","details":[],"status":401,"request_id":"r-1"}`,
		},
		{
			"no scope", nil, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Key: operationtest.ReadOnlyKey},
			`{"code":"INSUFFICIENT_SCOPE","message":"the API key must have the scope write","details":[],"status":403,"request_id":"r-1"}`,
		},
		{
			"no workspace", nil, operationtest.Request{Path: "/v1/api/blogs", Workspace: "-"},
			`{"code":"VALIDATION_ERROR","message":"x-workspace-id: is required","details":[{"field":"x-workspace-id","code":"required","message":"is required"}],"status":400,"request_id":"r-1"}`,
		},
		{
			"a foreign workspace", nil, operationtest.Request{Path: "/v1/api/blogs", Workspace: operationtest.OtherWorkspace},
			`{"code":"NOT_FOUND","message":"there is no such workspace","details":[],"status":404,"request_id":"r-1"}`,
		},
		{
			"an unknown article", nil, operationtest.Request{Path: "/v1/api/blogs/junk"},
			`{"code":"NOT_FOUND","message":"there is no such article","details":[],"status":404,"request_id":"r-1"}`,
		},
		{
			"a limit out of its range", nil, operationtest.Request{Path: "/v1/api/blogs?limit=101"},
			`{"code":"VALIDATION_ERROR","message":"limit: must not be above 100","details":[{"field":"limit","code":"too_large","message":"must not be above 100"}],"status":400,"request_id":"r-1"}`,
		},
		{
			"a short keyword for another's site", nil,
			operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(map[string]any{"site_uid": operationtest.OtherSiteUID, "keyword": "x"})},
			`{"code":"VALIDATION_ERROR","message":"keyword: must be at least 2 characters long (and 1 more)","details":[
			{"field":"keyword","code":"too_short","message":"must be at least 2 characters long"},{"field":"site_uid","code":"invalid","message":"must be the uid of a site in this workspace"}],"status":400,"request_id":"r-1"}`,
		},
		{
			"an unknown field", nil, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(map[string]any{"size": 1})},
			`{"code":"VALIDATION_ERROR","message":"size: is not a known field","details":[{"field":"size","code":"unknown_field","message":"is not a known field"}],"status":400,"request_id":"r-1"}`,
		},
		{
			"a wrong type", nil, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(map[string]any{"tone": 1})},
			`{"code":"VALIDATION_ERROR","message":"tone: must be a string","details":[{"field":"tone","code":"wrong_type","message":"must be a string"}],"status":400,"request_id":"r-1"}`,
		},
		{
			"too large a body", nil, operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: strings.Repeat(" ", 2<<20)},
			`{"code":"PAYLOAD_TOO_LARGE","message":"the body must be at most 65536 bytes","details":[{"field":"body","code":"too_long","message":"must be at most 65536 bytes"}],"status":413,"request_id":"r-1"}`,
		},
		{
			"refused by a rule of the CRD", func(api *operationtest.API) {
				api.Objects.Err = operationtest.Invalid("spec.generate.keyword", `Invalid value: "x": must be nicer`)
			}, generate,
			`{"code":"VALIDATION_ERROR","message":"keyword: must be nicer","details":[{"field":"keyword","code":"invalid","message":"must be nicer"}],"status":400,"request_id":"r-1"}`,
		},
		{
			"no credits", func(api *operationtest.API) { api.Ledger.Err = &ledger.LimitError{Code: ledger.InsufficientCredits} }, generate,
			`{"code":"INSUFFICIENT_CREDITS","message":"the account has no credits left","details":[],"status":402,"request_id":"r-1"}`,
		},
		{
			"over the budget", func(api *operationtest.API) {
				api.Ledger.Err = &ledger.LimitError{Code: ledger.BudgetReached, RetryAfter: time.Hour}
			}, generate,
			`{"code":"INSUFFICIENT_CREDITS","message":"the account's budget of the month is used up; the next month begins on the 1st at 00:00 UTC","reason":"budget_reached","details":[],"status":402,"request_id":"r-1"}`,
		},
		{
			"over the day's limit", func(api *operationtest.API) {
				api.Ledger.Err = &ledger.LimitError{Code: ledger.DailyLimit, RetryAfter: time.Hour}
			}, generate,
			`{"code":"RATE_LIMIT_EXCEEDED","message":"the site's daily limit of articles is reached; it starts again at 00:00 UTC","reason":"generate_day","details":[],"status":429,"request_id":"r-1"}`,
		},
		{
			"over the minute's limit", func(api *operationtest.API) {
				api.Ledger.Err = &ledger.LimitError{Code: ledger.RateLimited, RetryAfter: time.Second}
			}, generate,
			`{"code":"RATE_LIMIT_EXCEEDED","message":"more than 60 articles were asked for within a minute","reason":"generate_minute","details":[],"status":429,"request_id":"r-1"}`,
		},
		{
			"the ledger is away", func(api *operationtest.API) { api.Ledger.Err = ledger.ErrUnavailable }, generate,
			`{"code":"UNAVAILABLE","message":"the service cannot reach its storage at the moment","details":[],"status":503,"request_id":"r-1"}`,
		},
		{
			"no such path", nil, operationtest.Request{Path: "/v2"}, `{"code":"NOT_FOUND","message":"there is no such path","details":[],"status":404,"request_id":"r-1"}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := operationtest.New(t)
			if c.set != nil {
				c.set(api)
			}
			got := strings.TrimSpace(api.Do(c.ask.WithID("r-1")).Raw)
			if want := operationtest.Compact(`{"success":false,"error":` + c.want + `}`); got != want {
				t.Errorf("got  %s\nwant %s", got, want)
			}
		})
	}
}
