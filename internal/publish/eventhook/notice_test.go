package eventhook_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
	"github.com/pressroom-dev/pressroom/test/fakechat"
)

var chats = map[v1alpha1.EventFormat]func() *fakechat.Chat{
	v1alpha1.FormatSlack: fakechat.NewSlack, v1alpha1.FormatTeams: fakechat.NewTeams,
}

// post sends a notice to a chat, at its own address if path is empty.
func post(t *testing.T, format v1alpha1.EventFormat, chat *fakechat.Chat, path string, n eventhook.Notice) publish.Outcome {
	t.Helper()
	server := httptest.NewServer(chat)
	defer server.Close()
	body, err := eventhook.Encode(format, eventhook.Event{}, n)
	if err != nil {
		t.Fatal(err)
	}
	if path == "" {
		path = chat.Path()
	}
	return eventhook.Send(t.Context(), server.Client(), clock.RealClock{},
		eventhook.Target{URL: server.URL + path, Keys: [][]byte{make([]byte, 32)}},
		eventhook.Message{ID: "e1", Type: "blog.ready_for_review", Body: body})
}

func TestPeopleReadWhatHasHappenedAndWhere(t *testing.T) {
	full := eventhook.Notice{
		Summary: "An article reached review", Subject: "Trail & <running>\nshoes", Link: "https://app.example/app/w/acme/articles/1",
		Details: []string{"Acme <Blog>", "score 83"},
	}
	for name, tt := range map[string]struct {
		format v1alpha1.EventFormat
		notice eventhook.Notice
		want   string
	}{
		"Slack": {v1alpha1.FormatSlack, full, "*An article reached review*\n<https://app.example/app/w/acme/articles/1|Trail &amp; &lt;running&gt; shoes>\nAcme &lt;Blog&gt; · score 83"},
		"Teams": {v1alpha1.FormatTeams, full, "An article reached review\nTrail & <running> shoes\nAcme <Blog> · score 83\nhttps://app.example/app/w/acme/articles/1"},
		"Slack, without an address of the pages": {
			v1alpha1.FormatSlack, eventhook.Notice{Summary: "S", Subject: "<!channel>", Details: []string{"Acme"}}, "*S*\n&lt;!channel&gt;\nAcme",
		},
		"Teams, without an address of the pages": {
			v1alpha1.FormatTeams, eventhook.Notice{Summary: "S", Subject: "[a](https://evil.example)", Details: []string{"Acme"}}, "S\n[a](https://evil.example)\nAcme",
		},
		"Slack, a test": {v1alpha1.FormatSlack, eventhook.Notice{Summary: "A test"}, "*A test*"},
		"Teams, a test": {v1alpha1.FormatTeams, eventhook.Notice{Summary: "A test"}, "A test"},
	} {
		t.Run(name, func(t *testing.T) {
			chat := chats[tt.format]()
			if o := post(t, tt.format, chat, "", tt.notice); o.Outcome != v1alpha1.AttemptAccepted {
				t.Fatalf("the outcome is %+v", o)
			}
			if got := strings.Join(chat.Shown(), "|"); got != tt.want {
				t.Errorf("people read\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// The message of a failed attempt has the reason that the chat gives, and not the URL of the chat, which is a secret.
func TestWhatAChatRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		format       v1alpha1.EventFormat
		prepare      func(*fakechat.Chat)
		path         string
		notice       eventhook.Notice
		wantStatus   int32
		wantFinal    bool
		wantRetry    time.Duration
		wantSnippet  string
		wantNotShown string
	}{
		"Slack, too many":          {format: v1alpha1.FormatSlack, prepare: func(c *fakechat.Chat) { c.Limit("30") }, wantStatus: 429, wantRetry: 30 * time.Second, wantSnippet: "rate_limited"},
		"Teams, too many":          {format: v1alpha1.FormatTeams, prepare: func(c *fakechat.Chat) { c.Limit("12") }, wantStatus: 429, wantRetry: 12 * time.Second, wantSnippet: "TooManyRequests"},
		"Slack, archived":          {format: v1alpha1.FormatSlack, prepare: (*fakechat.Chat).Archive, wantStatus: 410, wantFinal: true, wantSnippet: "channel_is_archived"},
		"Teams, turned off":        {format: v1alpha1.FormatTeams, prepare: (*fakechat.Chat).Archive, wantStatus: 404, wantSnippet: "WorkflowNotFound"},
		"Slack, another address":   {format: v1alpha1.FormatSlack, path: "/services/T0/B0/x", wantStatus: 404, wantSnippet: "no_service"},
		"Teams, another signature": {format: v1alpha1.FormatTeams, path: "/powerautomate/x?sig=1", wantStatus: 401, wantSnippet: "AuthorizationFailed"},
	} {
		t.Run(name, func(t *testing.T) {
			chat := chats[tt.format]()
			if tt.prepare != nil {
				tt.prepare(chat)
			}
			o := post(t, tt.format, chat, tt.path, eventhook.Notice{Summary: "S"})
			if o.Outcome != v1alpha1.AttemptRejected || o.HTTPStatus != tt.wantStatus || o.Final != tt.wantFinal || o.RetryAfter != tt.wantRetry {
				t.Errorf("the outcome is %+v", o)
			}
			if !strings.Contains(o.Snippet, tt.wantSnippet) {
				t.Errorf("the snippet is %q, want %q in it", o.Snippet, tt.wantSnippet)
			}
		})
	}
}

func TestTheAddressOfAChatIsNotShown(t *testing.T) {
	echo := httptest.NewServer(fakechat.Echo())
	defer echo.Close()
	for _, path := range []string{fakechat.SlackPath, fakechat.TeamsPath} {
		o := eventhook.Send(t.Context(), echo.Client(), clock.RealClock{},
			eventhook.Target{URL: echo.URL + path, Keys: [][]byte{make([]byte, 32)}}, eventhook.Message{ID: "e1", Body: []byte("{}")})
		if !strings.Contains(o.Snippet, "[redacted]") || strings.Contains(o.Snippet, "qwertyuiop") || strings.Contains(o.Snippet, "sig=a") {
			t.Errorf("the snippet is %q", o.Snippet)
		}
	}
}
