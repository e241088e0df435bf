package rest_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// What a request leaves behind stays for a day at least, whatever becomes of what it created.
func TestAnAccountHasALimitOfRememberedKeys(t *testing.T) {
	api := newAPI(t)
	api.account.Spec.Limits.IdempotencyRecords = new(int32(7))
	api.account.Status.Objects.IdempotencyRecords = 6
	a := api.article(nil)
	a.Status.Phase = v1alpha1.PhaseReview
	requests := []request{
		{method: "POST", path: "/v1/api/generate", body: generateBody(nil)},
		{method: "POST", path: "/v1/api/blogs", body: written("a")},
		{method: "POST", path: "/v1/api/sites/" + siteUID + "/test"},
		{method: "POST", path: "/v1/api/blogs/bulk", body: `{"operation":"archive","items":[{"uid":"` + a.Name + `"}]}`},
	}
	keyedAs := func(r request, key string) request {
		r.header = map[string]string{"Idempotency-Key": key + r.path}
		return r
	}
	answered := map[int]bool{}
	for i, r := range requests {
		answered[i] = api.do(keyedAs(r, "first")).Status < 300
	}
	api.account.Status.Objects.IdempotencyRecords = 7
	before := len(api.ledger.charges)
	for i, r := range requests {
		wantLimit(t, api.do(keyedAs(r, "another")), "idempotencyRecords", 7)
		if again := api.do(keyedAs(r, "first")); answered[i] && again.Status >= 300 {
			t.Errorf("%s: a repeat needs no other record: got %d: %s", r.path, again.Status, again.Raw)
		}
	}
	if !answered[0] || !answered[1] || !answered[3] || len(api.ledger.charges) != before {
		t.Errorf("answered: %v; %d charges, want %d", answered, len(api.ledger.charges), before)
	}
	if got := api.do(requests[1]); got.Status != http.StatusCreated {
		t.Errorf("without a key: got %d: %s", got.Status, got.Raw)
	}
}

func TestAnAccountHasALimitOfPosts(t *testing.T) {
	api := newAPI(t)
	api.account.Spec.Limits.Posts = new(int32(3))
	api.account.Status.Objects.Posts = 2
	create := request{method: "POST", path: "/v1/api/blogs", body: written("a")}
	if got := api.do(create); got.Status != http.StatusCreated {
		t.Fatalf("below the limit: got %d: %s", got.Status, got.Raw)
	}
	api.account.Status.Objects.Posts = 3
	wantLimit(t, api.do(create), "posts", 3)
	wantLimit(t, api.do(request{method: "POST", path: "/v1/api/generate", body: generateBody(nil)}), "posts", 3)
}

// etcd keeps each state of an article for some minutes, with its whole text: as it was asked for, and with the status that follows. A new
// text is in a revision too.
func TestAnAccountWritesSoManyBytesInAMinute(t *testing.T) {
	api := newAPIAlone(t)
	api.account.Spec.Limits.WrittenBytesPerMinute = new(int64(3 << 20))
	big := api.article(func(a *v1alpha1.Article) {
		a.Spec.Content = &v1alpha1.ArticleContent{Title: "T", Markdown: strings.Repeat("x", 200<<10)}
	})
	toggle := func(i int) int {
		do := []string{"archive", "unarchive"}[i%2]
		got := api.do(request{method: "POST", path: "/v1/api/blogs/" + big.Name + "/" + do})
		if got.Status == http.StatusTooManyRequests {
			wantFailure(t, got, http.StatusTooManyRequests, problem.CodeRateLimited)
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
	if got := api.do(request{path: "/v1/api/blogs/" + big.Name}); got.Status != http.StatusOK {
		t.Errorf("reading is refused, too: %s", got.Raw)
	}
	api.clock.Step(time.Minute)
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
	api := newAPIAlone(t)
	sent := 0
	for ; sent < 20_000; sent++ {
		got := api.do(request{method: "DELETE", path: "/v1/api/blogs/0198f0a1-0000-7000-8000-0000000000ff"})
		if got.Status == http.StatusTooManyRequests && strings.Contains(got.Raw, "bytes") {
			break
		}
		api.clock.Step(10 * time.Millisecond)
	}
	if sent == 20_000 {
		t.Error("20,000 writes in 200 seconds were all admitted")
	}
}
