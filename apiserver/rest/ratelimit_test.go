package rest_test

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/apiserver/rest/document"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
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
	api := newAPI(t)
	api.deps.Limits = operation.Limits{RequestsPerSecond: 0.25, RequestBurst: 4}
	const policy = `"default";q=4;w=16`
	got := api.do(request{path: "/v1/api/blogs"})
	wantLeft(t, got, policy, 3, 4)
	unchanged := request{path: "/v1/api/blogs", header: map[string]string{"If-None-Match": got.Header.Get("ETag")}}
	if got = api.do(unchanged); got.Status != http.StatusNotModified {
		t.Errorf("got %d, want 304", got.Status)
	}
	wantLeft(t, got, policy, 2, 4)
	api.clock.Step(time.Second)
	wantLeft(t, api.do(request{path: "/v1/api/blogs/" + anyUID}), policy, 1, 3)
	// What is refused before it is valid takes nothing from what is left.
	wantLeft(t, api.do(request{method: "POST", path: "/v1/api/generate", body: "{"}), policy, 1, 3)
	wantLeft(t, api.do(request{method: "POST", path: "/v1/api/generate", key: readOnlyKey}), policy, 4, 0)

	api.do(request{path: "/v1/api/blogs"})
	refused := api.do(request{path: "/v1/api/blogs"})
	wantLeft(t, refused, policy, 0, 3)
	if after := refused.Header.Get("Retry-After"); refused.Status != http.StatusTooManyRequests || after != "3" {
		t.Errorf("got %d with Retry-After %q, want 429 and 3", refused.Status, after)
	}
}

func TestWhatIsLeftIsTheSmallerOfCredentialAndAccount(t *testing.T) {
	api := newAPI(t)
	api.deps.Limits = operation.Limits{RequestsPerSecond: 1, RequestBurst: 3}
	for i := range 4 {
		api.do(request{path: "/v1/api/whoami", key: fmt.Sprint("minted-", i)})
	}
	wantLeft(t, api.do(request{path: "/v1/api/whoami", key: "minted-new"}), `"default";q=3;w=3`, 1, 1)
}

func TestAnyoneWhoIsNotKnownLearnsNoLimit(t *testing.T) {
	api := newAPI(t)
	for _, r := range []request{{path: "/v1/api/blogs", key: "unknown"}, {path: "/v1/api/nothing"}, {path: "/openapi.json"}} {
		if got := api.do(r); got.Header.Get("RateLimit") != "" || got.Header.Get("RateLimit-Policy") != "" {
			t.Errorf("%s: got %v", r.path, got.Header)
		}
	}
}

func TestTheDocumentDescribesTheRateLimitOnce(t *testing.T) {
	if n := bytes.Count(document.JSON, []byte("draft-ietf-httpapi-ratelimit-headers")); n != 1 {
		t.Errorf("the draft is named %d times, want 1", n)
	}
	if n := bytes.Count(document.JSON, []byte(`"$ref": "#/components/headers/RateLimit"`)); n < 38 {
		t.Errorf("%d answers refer to the header, want those of 38 operations at least", n)
	}
}
