package eventhook_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	testclock "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
	"github.com/pressroom-dev/pressroom/test/fakegithub"
)

// began is the time of the attempts.
var began = time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)

// dispatch sends a body to GitHub.
func dispatch(t *testing.T, github http.Handler, path, token string, body []byte) publish.Outcome {
	t.Helper()
	server := httptest.NewTLSServer(github)
	defer server.Close()
	return eventhook.Send(t.Context(), server.Client(), testclock.NewFakeClock(began),
		eventhook.Target{URL: server.URL + path, Keys: [][]byte{make([]byte, 32)}, Token: token},
		eventhook.Message{ID: "e1", Type: "blog.ready_for_review", Body: body})
}

// encoded is an event as it is sent to GitHub.
func encoded(t *testing.T, event eventhook.Body) []byte {
	t.Helper()
	body, err := eventhook.Encode(v1alpha1.FormatGitHub, event, eventhook.Notice{Summary: "An article reached review"})
	if err != nil {
		t.Fatal(err)
	}
	return body
}

func TestEachEventStartsWorkflowsOfItsName(t *testing.T) {
	const article = `"data":{"_id":"","uid":"","title":"<Ü> & co","slug":"","status":"review","target_keyword":"","seo_score":null,"published_url":"","published_at":null,"site_uid":"","workspace_id":""}`
	for name, tt := range map[string]struct {
		event                eventhook.Body
		wantType, wantMember string
	}{
		"an article": {
			eventhook.Event{Type: "blog.ready_for_review", Timestamp: "T", Data: eventhook.ArticleEventData{Title: "<Ü> & co", Status: "review"}},
			"pressroom.blog.ready_for_review", `{"type":"blog.ready_for_review","timestamp":"T",` + article + `}`,
		},
		"a site": {
			eventhook.SiteEvent{Type: "site.failing", Timestamp: "T", Data: eventhook.SiteData{Name: "Acme"}},
			"pressroom.site.failing", `{"type":"site.failing","timestamp":"T","data":{"site_uid":"","name":"Acme","domain":"","message":"","workspace_id":""}}`,
		},
		"a test": {
			eventhook.Test{Type: "subscription.test", Timestamp: "T"},
			"pressroom.subscription.test", `{"type":"subscription.test","timestamp":"T","data":{"subscription_uid":"","workspace_id":""}}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			github := &fakegithub.Repository{}
			if o := dispatch(t, github, fakegithub.Path, fakegithub.Token, encoded(t, tt.event)); o.Outcome != v1alpha1.AttemptAccepted || o.HTTPStatus != 204 {
				t.Fatalf("the outcome is %+v", o)
			}
			got := github.Dispatches()
			if len(got) != 1 || got[0].EventType != tt.wantType || string(got[0].ClientPayload) != tt.wantMember {
				t.Errorf("GitHub has %s, want %s with %s", got, tt.wantType, tt.wantMember)
			}
		})
	}
}

// The longest event that there can be is one that GitHub takes.
func TestTheLongestEventFitsIntoADispatch(t *testing.T) {
	long := strings.Repeat("\u2028", 2048)
	github := &fakegithub.Repository{}
	o := dispatch(t, github, fakegithub.Path, fakegithub.Token, encoded(t, eventhook.Event{
		Type: "blog.ready_for_review", Data: eventhook.ArticleEventData{Title: long, Slug: long, TargetKeyword: long, PublishedURL: long},
	}))
	if o.Outcome != v1alpha1.AttemptAccepted {
		t.Errorf("the outcome is %+v", o)
	}
}

func TestWhatGitHubRefuses(t *testing.T) {
	event := encoded(t, eventhook.Event{Type: "blog.ready_for_review"})
	var members []string
	for i := range 11 {
		members = append(members, fmt.Sprintf(`"m%d":1`, i))
	}
	many := []byte(`{"event_type":"pressroom.x","client_payload":{` + strings.Join(members, ",") + `}}`)
	large := []byte(`{"event_type":"pressroom.x","client_payload":{"text":"` + strings.Repeat("x", 64<<10) + `"}}`)
	for name, tt := range map[string]struct {
		prepare     func(*fakegithub.Repository)
		path, token string
		body        []byte
		wantStatus  int32
		wantFinal   bool
		wantRetry   time.Duration
		wantSnippet string
	}{
		"a token that is not valid":    {token: "ghp_other", wantStatus: 401, wantFinal: true, wantSnippet: "Bad credentials"},
		"another repository":           {path: "/repos/acme/other/dispatches", wantStatus: 404, wantFinal: true, wantSnippet: "Not Found"},
		"too many members":             {body: many, wantStatus: 422, wantFinal: true, wantSnippet: "No more than 10 properties are allowed; 11 were supplied."},
		"too much":                     {body: large, wantStatus: 422, wantFinal: true, wantSnippet: "client_payload is too large."},
		"a secondary rate limit":       {prepare: func(r *fakegithub.Repository) { r.LimitSecondary("90") }, wantStatus: 403, wantRetry: 90 * time.Second, wantSnippet: "secondary rate limit"},
		"one that asks for too long":   {prepare: func(r *fakegithub.Repository) { r.LimitSecondary("86400") }, wantStatus: 403, wantRetry: time.Hour, wantSnippet: "secondary rate limit"},
		"one that says no time":        {prepare: func(r *fakegithub.Repository) { r.LimitSecondary("") }, wantStatus: 403, wantRetry: time.Minute, wantSnippet: "secondary rate limit"},
		"no requests left":             {prepare: func(r *fakegithub.Repository) { r.UseUp(403, began.Add(20*time.Minute)) }, wantStatus: 403, wantRetry: 20 * time.Minute, wantSnippet: "API rate limit exceeded"},
		"no requests left, with 429":   {prepare: func(r *fakegithub.Repository) { r.UseUp(429, began.Add(20*time.Minute)) }, wantStatus: 429, wantRetry: 20 * time.Minute, wantSnippet: "API rate limit exceeded"},
		"a reset that is far away":     {prepare: func(r *fakegithub.Repository) { r.UseUp(403, began.Add(48*time.Hour)) }, wantStatus: 403, wantRetry: time.Hour, wantSnippet: "API rate limit exceeded"},
		"a reset that is over":         {prepare: func(r *fakegithub.Repository) { r.UseUp(403, began.Add(-time.Second)) }, wantStatus: 403, wantRetry: time.Minute, wantSnippet: "API rate limit exceeded"},
		"a token without a permission": {prepare: (*fakegithub.Repository).Forbid, wantStatus: 403, wantRetry: time.Minute, wantSnippet: "Resource not accessible by personal access token"},
	} {
		t.Run(name, func(t *testing.T) {
			github := &fakegithub.Repository{}
			if tt.prepare != nil {
				tt.prepare(github)
			}
			path, token, body := fakegithub.Path, fakegithub.Token, event
			if tt.path != "" {
				path = tt.path
			}
			if tt.token != "" {
				token = tt.token
			}
			if tt.body != nil {
				body = tt.body
			}
			o := dispatch(t, github, path, token, body)
			if o.Outcome != v1alpha1.AttemptRejected || o.HTTPStatus != tt.wantStatus || o.Final != tt.wantFinal || o.RetryAfter != tt.wantRetry {
				t.Errorf("the outcome is %+v", o)
			}
			if final := strings.HasSuffix(o.Message, ": delivery is not retried"); final != tt.wantFinal || !strings.Contains(o.Snippet, tt.wantSnippet) {
				t.Errorf("the message is %q, the snippet is %q, want %q in it", o.Message, o.Snippet, tt.wantSnippet)
			}
			if len(github.Dispatches()) != 0 {
				t.Error("a workflow was started")
			}
		})
	}
}

// A proxy may show the request in its answer.
func TestTheTokenIsInNothingThatIsShown(t *testing.T) {
	for name, status := range map[string]int{"a refusal": http.StatusUnauthorized, "a success": http.StatusOK, "a failure": http.StatusBadGateway} {
		t.Run(name, func(t *testing.T) {
			var sent string
			o := dispatch(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				sent = r.Header.Get("Authorization")
				w.WriteHeader(status)
				_, _ = fmt.Fprintf(w, `{"id":"%[1]s","url":"https://a.example/%[1]s","token":"%[1]s","header":"%[2]s"}`, fakegithub.Token, sent)
			}), fakegithub.Path, fakegithub.Token, []byte("{}"))
			if sent != "Bearer "+fakegithub.Token {
				t.Fatalf("the header Authorization is %q", sent)
			}
			if shown := fmt.Sprintf("%+v", o); strings.Contains(shown, fakegithub.Token) || strings.Contains(shown, "github_pat_") {
				t.Errorf("the outcome shows the token: %s", shown)
			}
		})
	}
}

func TestTokensThatCannotStandInAHeaderAreRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		token, want string
		wantErr     error
	}{
		"a fine-grained one": {fakegithub.Token, fakegithub.Token, nil},
		"with a line end":    {"ghp_0123\n", "ghp_0123", nil},
		"the longest":        {strings.Repeat("x", 1024), strings.Repeat("x", 1024), nil},
		"too long":           {strings.Repeat("x", 1025), "", eventhook.ErrToken},
		"two lines":          {"ghp_0123\r\nHost: evil.example", "", eventhook.ErrToken},
		"with a blank":       {"Bearer ghp_0123", "", eventhook.ErrToken},
		"with an odd letter": {"ghp_ä", "", eventhook.ErrToken},
		"only blanks":        {" \n", "", eventhook.ErrToken},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := eventhook.ParseToken(tt.token)
			if got != tt.want || !errors.Is(err, tt.wantErr) {
				t.Errorf("got %q, %v", got, err)
			}
		})
	}
}
