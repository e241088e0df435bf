package review_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// An approval of the live text would say nothing about the pending one.
func TestDecisionsAreAboutThePendingText(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPending()
	path := "/v1/api/blogs/" + a.Name
	live := api.Do(operationtest.Request{Method: http.MethodPost, Path: path + "/approve", Body: `{"digest":"` + operationtest.TextOf(1).Digest() + `"}`})
	operationtest.WantFailure(t, live, http.StatusConflict, problem.CodeConflict)
	if f := operationtest.Failure(t, live); f.Problem.CurrentDigest != operationtest.TextOf(2).Digest() {
		t.Errorf("current_digest is %s, want the pending text's", f.Problem.CurrentDigest)
	}
	var got restarticle.Article
	api.Into(operationtest.Request{Method: http.MethodPost, Path: path + "/approve", Body: `{"digest":"` + operationtest.TextOf(2).Digest() + `"}`}, &got)
	if got.Pending == nil || got.Pending.Status != "approved" || api.Stored(a).Spec.Review.Digest != operationtest.TextOf(2).Digest() {
		t.Errorf("pending is %+v after its approval", got.Pending)
	}
}

// A typo in the year would publish at once.
func TestATimeOfPublicationThatHasPassedIsRefused(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPending()
	for since, wantRefused := range map[time.Duration]bool{
		365 * 24 * time.Hour: true, 61 * time.Second: true, time.Minute: false, time.Second: false, -time.Hour: false,
	} {
		at := `{"publish_at":"` + api.Clock.Now().Add(-since).Format(time.RFC3339Nano) + `"}`
		got := api.Do(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/blogs/" + a.Name + "/publish", Body: at})
		many := api.Do(operationtest.Request{Method: http.MethodPost, Path: bulkPath, Body: `{"operation":"publish",` + at[1:len(at)-1] +
			`,"items":[{"uid":"` + a.Name + `"}]}`})
		item := api.Do(operationtest.Request{Method: http.MethodPost, Path: bulkPath, Body: `{"operation":"publish",` +
			`"items":[{"uid":"` + a.Name + `",` + at[1:] + `]}`})
		if !wantRefused {
			if got.Status != http.StatusOK || many.Status != http.StatusOK || item.Status != http.StatusOK {
				t.Errorf("%s ago: got %d, %d and %d: %s", since, got.Status, many.Status, item.Status, got.Raw)
			}
			continue
		}
		operationtest.WantFields(t, got, "publish_at")
		operationtest.WantFields(t, many, "publish_at")
		operationtest.WantFields(t, item, "items[0].publish_at")
	}
}

// A repeat is answered as the first request, even if its time has passed meanwhile.
func TestARepeatIsAnsweredThoughItsTimeHasPassed(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPending()
	r := operationtest.Request{Method: http.MethodPost, Path: bulkPath, Header: operationtest.Keyed, Body: `{"operation":"publish","publish_at":"` +
		api.Clock.Now().Add(time.Minute).Format(time.RFC3339) + `","items":[{"uid":"` + a.Name + `"}]}`}
	first := api.Do(r)
	api.Clock.Step(time.Hour)
	if again := api.Do(r); first.Status != http.StatusOK || again.Raw != first.Raw {
		t.Errorf("got %d %s, and again %d %s", first.Status, first.Raw, again.Status, again.Raw)
	}
}
