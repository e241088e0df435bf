package operation_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// What a request leaves behind stays for a day at least, whatever becomes of what it created.
func TestAnAccountHasALimitOfRememberedKeys(t *testing.T) {
	api := operationtest.NewAlone(t)
	api.Account.Spec.Limits.IdempotencyRecords = new(int32(7))
	api.Account.Status.Objects.IdempotencyRecords = 4
	a := api.Article(nil)
	a.Status.Phase = v1alpha1.PhaseReview
	requests := []operationtest.Request{
		{Method: "POST", Path: "/v1/api/generate", Body: operationtest.GenerateBody(nil)},
		{Method: "POST", Path: "/v1/api/blogs", Body: operationtest.Written("a")},
		{Method: "POST", Path: "/v1/api/sites/" + operationtest.SiteUID + "/test"},
		{Method: "POST", Path: "/v1/api/blogs/bulk", Body: `{"operation":"archive","items":[{"uid":"` + a.Name + `"}]}`},
	}
	keyedAs := func(r operationtest.Request, key string) operationtest.Request {
		r.Header = map[string]string{"Idempotency-Key": key + r.Path}
		return r
	}
	answered := map[int]bool{}
	for i, r := range requests {
		answered[i] = api.Do(keyedAs(r, "first")).Status < 300
	}
	operationtest.WantLimit(t, api.Do(keyedAs(requests[0], "before the controller has counted")), "idempotencyRecords", 7)
	api.Account.Status.Objects.IdempotencyRecords = 7
	before := len(api.Ledger.Charges)
	for i, r := range requests {
		operationtest.WantLimit(t, api.Do(keyedAs(r, "another")), "idempotencyRecords", 7)
		if again := api.Do(keyedAs(r, "first")); answered[i] && again.Status >= 300 {
			t.Errorf("%s: a repeat needs no other record: got %d: %s", r.Path, again.Status, again.Raw)
		}
	}
	if !answered[0] || !answered[1] || !answered[3] || len(api.Ledger.Charges) != before {
		t.Errorf("answered: %v; %d charges, want %d", answered, len(api.Ledger.Charges), before)
	}
	if got := api.Do(requests[1]); got.Status != http.StatusCreated {
		t.Errorf("without a key: got %d: %s", got.Status, got.Raw)
	}
}

// etcd keeps each state of an article for some minutes, with its whole text: as it was asked for, and with the status that follows. A new
// text is in a revision too.
func TestAnAccountWritesSoManyBytesInAMinute(t *testing.T) {
	api := operationtest.NewAlone(t)
	api.Account.Spec.Limits.WrittenBytesPerMinute = new(int64(3 << 20))
	big := api.Article(func(a *v1alpha1.Article) {
		a.Spec.Content = &v1alpha1.ArticleContent{Title: "T", Markdown: strings.Repeat("x", 200<<10)}
	})
	toggle := func(i int) int {
		do := []string{"archive", "unarchive"}[i%2]
		got := api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/blogs/" + big.Name + "/" + do})
		if got.Status == http.StatusTooManyRequests {
			operationtest.WantFailure(t, got, http.StatusTooManyRequests, problem.CodeRateLimited)
			if got.Header.Get("Retry-After") == "" || !strings.Contains(got.Raw, "bytes") {
				t.Errorf("got %s, and Retry-After %q", got.Raw, got.Header.Get("Retry-After"))
			}
		} else if got.Status != http.StatusOK {
			t.Fatalf("got %d: %s", got.Status, got.Raw)
		}
		return got.Status
	}
	done := 0
	for done < 100 && toggle(done) == http.StatusOK {
		done++
	}
	if done < 8 || done > 11 {
		t.Errorf("%d articles of 200 KiB were written three times at once, with two minutes' bytes of 3 MiB each", done)
	}
	if got := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + big.Name}); got.Status != http.StatusOK {
		t.Errorf("reading is refused, too: %s", got.Raw)
	}
	api.Clock.Step(time.Minute)
	more := 0
	for more < 100 && toggle(done+more) == http.StatusOK {
		more++
	}
	if more < 4 || more > 5 {
		t.Errorf("%d articles of 200 KiB were written three times after a minute with 3 MiB", more)
	}
}

// The cost of small writes is bounded, too: each leaves a state of an object behind.
func TestAnAccountWritesSoManySmallObjectsInAMinute(t *testing.T) {
	api := operationtest.NewAlone(t)
	sent := 0
	for ; sent < 20_000; sent++ {
		got := api.Do(operationtest.Request{Method: "DELETE", Path: "/v1/api/blogs/0198f0a1-0000-7000-8000-0000000000ff"})
		if got.Status == http.StatusTooManyRequests && strings.Contains(got.Raw, "bytes") {
			break
		}
		api.Clock.Step(10 * time.Millisecond)
	}
	if sent == 20_000 {
		t.Error("20,000 writes in 200 seconds were all admitted")
	}
}
