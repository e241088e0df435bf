package review_test

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// bulk asks for archiving an article, if there is one, and 49 that do not exist.
func bulk(api *operationtest.API, key string, known ...string) testkit.Answer {
	items := make([]string, 0, 50)
	for _, uid := range known {
		items = append(items, fmt.Sprintf(`{"uid":%q}`, uid))
	}
	for n := range 49 {
		items = append(items, fmt.Sprintf(`{"uid":"0198f0a1-0000-7000-8000-%012d"}`, n))
	}
	return api.Do(operationtest.Request{
		Method: "POST", Path: "/v1/api/blogs/bulk", Body: `{"operation":"archive","items":[` + strings.Join(items, ",") + `]}`,
		Header: map[string]string{"Idempotency-Key": key, "x-request-id": strings.Repeat("r", 128)},
	})
}

func reviewed(api *operationtest.API) string {
	a := api.Article(nil)
	a.Status.Phase = v1alpha1.PhaseReview
	return a.Name
}

func TestARequestThatHasDoneNothingKeepsNoAnswer(t *testing.T) {
	api := operationtest.NewAlone(t)
	if got := bulk(api, "none"); got.Status != http.StatusOK || got.Body["failed"] != 49. {
		t.Fatalf("got %d: %s", got.Status, got.Raw)
	}
	if len(api.Objects.Records) != 0 {
		t.Errorf("%d records are kept", len(api.Objects.Records))
	}
	if again := bulk(api, "none"); again.Header.Get("Idempotent-Replayed") != "" {
		t.Error("a repeat does not try again")
	}
}

func TestAKeptAnswerIsSmallAndCompleteAgain(t *testing.T) {
	api := operationtest.NewAlone(t)
	uid := reviewed(api)
	first := bulk(api, "some", uid)
	again := bulk(api, "some", uid)
	if first.Body["done"] != 1. || again.Header.Get("Idempotent-Replayed") != "true" {
		t.Fatalf("got %s, and then %s", first.Raw, again.Raw)
	}
	for _, r := range api.Objects.Records {
		if size := len(r.Spec.Answer); size == 0 || size > 5<<10 {
			t.Errorf("%d bytes are kept of an answer of %d: %.200s", size, len(first.Raw), r.Spec.Answer)
		}
	}
	if again.Raw != first.Raw {
		t.Errorf("got %s, and then %s", first.Raw, again.Raw)
	}
}

// An answer counts when it is kept: in the bytes that the account writes in a minute, and in its number of Idempotency-Keys.
func TestAKeptAnswerCountsByItsBytes(t *testing.T) {
	api := operationtest.NewAlone(t)
	api.Account.Spec.Limits.IdempotencyRecords = new(int32(12))
	kept := 0
	for ; kept < 12; kept++ {
		if got := bulk(api, strconv.Itoa(kept), reviewed(api)); got.Status != http.StatusOK {
			operationtest.WantLimit(t, got, "idempotencyRecords", 12)
			break
		}
	}
	if kept < 2 || kept > 4 {
		t.Errorf("%d answers of about 4 KiB are kept as 12 Idempotency-Keys", kept)
	}
	api = operationtest.NewAlone(t)
	api.Account.Spec.Limits.WrittenBytesPerMinute = new(int64(64 << 10))
	sent := 0
	for ; sent < 100; sent++ {
		if got := bulk(api, strconv.Itoa(sent), reviewed(api)); got.Status == http.StatusTooManyRequests {
			break
		}
	}
	// Each writes 4 KiB for itself, as many for the article, and its answer.
	if sent < 8 || sent > 14 {
		t.Errorf("%d were answered with 128 KiB", sent)
	}
}

// What is needed to count the answer is read before anything is done.
func TestAnAnswerIsKeptIfTheAccountCannotBeReadAnyMore(t *testing.T) {
	api := operationtest.NewAlone(t)
	uid := reviewed(api)
	api.Objects.OnPatch = func() { api.Account.Err = errors.New("the account cannot be read") }
	first := bulk(api, "some", uid)
	api.Objects.OnPatch, api.Account.Err = nil, nil
	if first.Body["done"] != 1. {
		t.Fatalf("got %d: %s", first.Status, first.Raw)
	}
	if again := bulk(api, "some", uid); again.Raw != first.Raw {
		t.Errorf("got %s, and then %s", first.Raw, again.Raw)
	}
}
