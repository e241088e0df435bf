package operation_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// wantLeft checks the header fields of draft-ietf-httpapi-ratelimit-headers.
func wantLeft(t *testing.T, got testkit.Answer, policy string, left, seconds int) {
	t.Helper()
	want := fmt.Sprintf(`"default";r=%d;t=%d`, left, seconds)
	if p, l := got.Header.Get("RateLimit-Policy"), got.Header.Get("RateLimit"); p != policy || l != want {
		t.Errorf("%d: got the policy %s and %s, want %s and %s", got.Status, p, l, policy, want)
	}
}

func TestEveryAnswerToACredentialSaysHowManyRequestsAreLeft(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Limits = operation.Limits{RequestsPerSecond: 0.25, RequestBurst: 4}
	const policy = `"default";q=4;w=16`
	got := api.Do(operationtest.Request{Path: "/v1/api/blogs"})
	wantLeft(t, got, policy, 3, 4)
	unchanged := operationtest.Request{Path: "/v1/api/blogs", Header: map[string]string{"If-None-Match": got.Header.Get("ETag")}}
	if got = api.Do(unchanged); got.Status != http.StatusNotModified {
		t.Errorf("got %d, want 304", got.Status)
	}
	wantLeft(t, got, policy, 2, 4)
	api.Clock.Step(time.Second)
	wantLeft(t, api.Do(operationtest.Request{Path: "/v1/api/blogs/" + operationtest.AnyUID}), policy, 1, 3)
	// What is refused before it is valid takes nothing from what is left.
	wantLeft(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Body: "{"}), policy, 1, 3)
	wantLeft(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/generate", Key: operationtest.ReadOnlyKey}), policy, 4, 0)

	api.Do(operationtest.Request{Path: "/v1/api/blogs"})
	refused := api.Do(operationtest.Request{Path: "/v1/api/blogs"})
	wantLeft(t, refused, policy, 0, 3)
	if after := refused.Header.Get("Retry-After"); refused.Status != http.StatusTooManyRequests || after != "3" {
		t.Errorf("got %d with Retry-After %q, want 429 and 3", refused.Status, after)
	}
}

func TestWhatIsLeftIsTheSmallerOfCredentialAndAccount(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Limits = operation.Limits{RequestsPerSecond: 1, RequestBurst: 3}
	for i := range 4 {
		api.Do(operationtest.Request{Path: "/v1/api/whoami", Key: fmt.Sprint("minted-", i)})
	}
	wantLeft(t, api.Do(operationtest.Request{Path: "/v1/api/whoami", Key: "minted-new"}), `"default";q=3;w=3`, 1, 1)
}

func TestAnyoneWhoIsNotKnownLearnsNoLimit(t *testing.T) {
	api := operationtest.New(t)
	for _, r := range []operationtest.Request{{Path: "/v1/api/blogs", Key: "unknown"}, {Path: "/v1/api/nothing"}, {Path: "/openapi.json"}} {
		if got := api.Do(r); got.Header.Get("RateLimit") != "" || got.Header.Get("RateLimit-Policy") != "" {
			t.Errorf("%s: got %v", r.Path, got.Header)
		}
	}
}
