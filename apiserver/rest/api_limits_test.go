package rest_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// untilRefused sends a request with a number in its path until it is refused.
func untilRefused(api *operationtest.API, r operationtest.Request) testkit.Answer {
	path := r.Path
	for i := range 1000 {
		r.Path = strings.ReplaceAll(path, "{n}", fmt.Sprintf("%012d", i))
		if got := api.Do(r); got.Status == http.StatusTooManyRequests {
			return got
		}
	}
	api.T.Fatal("no request was refused")
	return testkit.Answer{}
}

// A client sees which limit it has reached, how much that allows, and when there is more.
func TestEachLimitHasItsReasonAndItsPolicy(t *testing.T) {
	generate := operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)}
	ledgerSays := func(err *ledger.LimitError) func(*operationtest.API) testkit.Answer {
		return func(api *operationtest.API) testkit.Answer {
			api.Ledger.Err = err
			return api.Do(generate)
		}
	}
	for name, c := range map[string]struct {
		exceed                func(*operationtest.API) testkit.Answer
		wantReason            problem.Reason
		wantPolicy, wantLimit string
		wantStatus            int
	}{
		"requests at once": {
			exceed: func(api *operationtest.API) testkit.Answer {
				api.Deps.Limits = operation.Limits{RequestsPerSecond: 1, RequestBurst: 2}
				return untilRefused(api, operationtest.Request{Path: "/v1/api/whoami"})
			},
			wantReason: problem.ReasonRequests, wantPolicy: `"default";q=2;w=2`, wantLimit: `"default";r=0;t=1`,
		},
		"articles in a minute": {
			exceed:     ledgerSays(&ledger.LimitError{Code: ledger.RateLimited, RetryAfter: 1500 * time.Millisecond}),
			wantReason: problem.ReasonGenerateMinute, wantPolicy: `"generate";q=60;w=60`, wantLimit: `"generate";r=0;t=2`,
		},
		"articles of a day": {
			exceed:     ledgerSays(&ledger.LimitError{Code: ledger.DailyLimit, RetryAfter: time.Hour, Most: 50}),
			wantReason: problem.ReasonGenerateDay, wantPolicy: `"generate-day";q=50;w=86400`, wantLimit: `"generate-day";r=0;t=3600`,
		},
		"credits of a key in a day": {
			exceed:     ledgerSays(&ledger.LimitError{Code: ledger.KeyLimit, RetryAfter: time.Hour, Most: 20}),
			wantReason: problem.ReasonGenerateKeyDay, wantPolicy: `"generate-key-day";q=20;w=86400`, wantLimit: `"generate-key-day";r=0;t=3600`,
		},
		"articles that are being started": {
			exceed:     ledgerSays(&ledger.LimitError{Code: ledger.Busy, RetryAfter: time.Second}),
			wantReason: problem.ReasonGenerateConcurrent, wantStatus: http.StatusServiceUnavailable,
		},
		"bodies in progress": {
			exceed: func(api *operationtest.API) testkit.Answer {
				api.Deps.Limits = operation.Limits{AccountBodyBytes: 1000}
				return api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: strings.Repeat(" ", 1001)})
			},
			wantReason: problem.ReasonBodies, wantPolicy: `"bodies";q=1000;qu="content-bytes"`, wantLimit: `"bodies";r=0;t=1`,
		},
		"written bytes": {
			exceed: func(api *operationtest.API) testkit.Answer {
				api.Account.Spec.Limits.WrittenBytesPerMinute = new(int64(3 << 20))
				body := operationtest.Written(strings.Repeat("x", 200<<10))
				return untilRefused(api, operationtest.Request{Method: "POST", Path: "/v1/api/blogs", Body: body})
			},
			wantReason: problem.ReasonWrittenBytes, wantPolicy: `"written-bytes";q=6291456;qu="content-bytes";w=120`, wantLimit: `"written-bytes";r=0;t=10`,
		},
		"unknown objects": {
			exceed: func(api *operationtest.API) testkit.Answer {
				return untilRefused(api, operationtest.Request{Path: "/v1/api/blogs/0198f0a1-0000-7000-8000-{n}"})
			},
			wantReason: problem.ReasonUnknownObjects, wantPolicy: `"unknown-objects";q=100;w=10`, wantLimit: `"unknown-objects";r=0;t=1`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.exceed(operationtest.NewAlone(t))
			f := operationtest.Failure(t, got)
			if want := max(c.wantStatus, http.StatusTooManyRequests); got.Status != want || f.Problem.Reason != c.wantReason || got.Header.Get("Retry-After") == "" {
				t.Errorf("got %d with the reason %s: %s", got.Status, f.Problem.Reason, got.Raw)
			}
			for header, want := range map[string]string{"RateLimit-Policy": c.wantPolicy, "RateLimit": c.wantLimit} {
				lines := got.Header.Values(header)
				if want != "" && !slices.Contains(lines, want) {
					t.Errorf("%s is %q, want %s in it", header, lines, want)
				}
				if !strings.HasPrefix(strings.Join(lines, ","), `"default";`) {
					t.Errorf("%s is %q, want the share of the credential too", header, lines)
				}
			}
		})
	}
}
