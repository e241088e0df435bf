package receiver_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/hack/dev/receiver"
)

const (
	secret = "test-secret"
	body   = `{"title":"Hello","slug":"hello","status":"publish","content_format":"markdown","content":"Hi **there**"}`
	// Made with: printf %s "$body" | openssl dgst -sha256 -hmac test-secret
	signature = "e7d16763e21919b203743fce8cb981e2813ee125991cb222409646508d3fcef7"
)

type fixture struct {
	*receiver.Receiver

	folder string
	clock  *clocktesting.FakePassiveClock
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{folder: t.TempDir(), clock: clocktesting.NewFakePassiveClock(time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC))}
	f.open(t)
	return f
}

// open makes the receiver again on the same folder, as a restart does.
func (f *fixture) open(t *testing.T) {
	t.Helper()
	store, err := receiver.OpenStore(f.folder)
	if err != nil {
		t.Fatal(err)
	}
	f.Receiver = receiver.New(receiver.Options{
		Secret: []byte(secret), BaseURL: "http://127.0.0.1:8088", Store: store, Clock: f.clock, Say: t.Logf,
	})
}

// post delivers a body with the headers given.
func (f *fixture) post(body, event, signature string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodPost, "/webhook", strings.NewReader(body))
	request.Header.Set("Content-Type", "application/json")
	if event != "" {
		request.Header.Set("X-SERVICE-Event", event)
	}
	if signature != "" {
		request.Header.Set("X-SERVICE-Signature", signature)
	}
	w := httptest.NewRecorder()
	f.ServeHTTP(w, request)
	return w
}

// publish delivers a body with the signature that it should have.
func (f *fixture) publish(t *testing.T, body string) *httptest.ResponseRecorder {
	t.Helper()
	return f.post(body, "post.publish", sign(body))
}

func (f *fixture) get(path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	f.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, http.NoBody))
	return w
}

func (f *fixture) posts(t *testing.T) []receiver.Post {
	t.Helper()
	var posts []receiver.Post
	if err := json.Unmarshal(f.get("/posts").Body.Bytes(), &posts); err != nil {
		t.Fatal(err)
	}
	return posts
}

func TestTheGoldenSignatureIsAccepted(t *testing.T) {
	f := newFixture(t)
	w := f.post(body, "post.publish", signature)
	if w.Code != http.StatusOK {
		t.Fatalf("answered %d: %s", w.Code, w.Body)
	}
	var answer map[string]string
	if err := json.Unmarshal(w.Body.Bytes(), &answer); err != nil {
		t.Fatal(err)
	}
	if answer["id"] != "post-1" || answer["url"] != "http://127.0.0.1:8088/blog/hello" || len(answer) != 2 {
		t.Errorf("answer = %v, want id and url of the post", answer)
	}
}

func TestWhatIsNotSignedIsRefusedWith401AndNotKept(t *testing.T) {
	tests := []struct {
		name, body, event, signature string
	}{
		{"no signature", body, "post.publish", ""},
		{"another body", body + " ", "post.publish", signature},
		{"upper case", body, "post.publish", strings.ToUpper(signature)},
		{"a prefix", body, "post.publish", "sha256=" + signature},
		{"cut off", body, "post.publish", signature[:63]},
		{"no hex", body, "post.publish", strings.Repeat("z", 64)},
		{"another event is no way round", body, "post.update", "wrong"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			if w := f.post(tt.body, tt.event, tt.signature); w.Code != http.StatusUnauthorized {
				t.Errorf("answered %d, want 401", w.Code)
			}
			if posts := f.posts(t); len(posts) != 0 {
				t.Errorf("kept %v", posts)
			}
		})
	}
}

func TestAnotherEventIsIgnoredWith2xx(t *testing.T) {
	for _, event := range []string{"post.update", "POST.PUBLISH", ""} {
		t.Run(event, func(t *testing.T) {
			f := newFixture(t)
			if w := f.post(body, event, signature); w.Code != http.StatusOK {
				t.Errorf("answered %d, want 200", w.Code)
			}
			if posts := f.posts(t); len(posts) != 0 {
				t.Errorf("kept %v", posts)
			}
		})
	}
}

func TestATestOfTheConnectionIsAcceptedAndShownAndMakesNoPost(t *testing.T) {
	f := newFixture(t)
	const test = `{"type":"connection.test","test":true}`
	if w := f.post(test, "connection.test", sign(test)); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), "works") {
		t.Errorf("answered %d: %s", w.Code, w.Body)
	}
	if w := f.post(test, "connection.test", "wrong"); w.Code != http.StatusUnauthorized {
		t.Errorf("answered %d to a wrong signature, want 401", w.Code)
	}
	if posts := f.posts(t); len(posts) != 0 {
		t.Errorf("kept %v", posts)
	}
	if page := f.get("/").Body.String(); !strings.Contains(page, "connection.test") || !strings.Contains(page, "the connection works") {
		t.Errorf("the front page does not show the test:\n%s", page)
	}
}

func TestAPayloadThatLacksWhatIsAlwaysThereIsRefusedWith400(t *testing.T) {
	tests := []struct{ name, body string }{
		{"broken JSON", `{"title":`},
		{"no title", `{"slug":"a","status":"publish","content_format":"html","content":"x"}`},
		{"no slug", `{"title":"A","status":"publish","content_format":"html","content":"x"}`},
		{"a slug that climbs", `{"title":"A","slug":"../a","status":"publish","content_format":"html","content":"x"}`},
		{"a slug with capitals", `{"title":"A","slug":"Ab","status":"publish","content_format":"html","content":"x"}`},
		{"another status", `{"title":"A","slug":"a","status":"draft","content_format":"html","content":"x"}`},
		{"another format", `{"title":"A","slug":"a","status":"publish","content_format":"JSON","content":"x"}`},
		{"no content", `{"title":"A","slug":"a","status":"publish","content_format":"html"}`},
		{"half of json", `{"title":"A","slug":"a","status":"publish","content_format":"json","content_html":"x"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			if w := f.publish(t, tt.body); w.Code != http.StatusBadRequest {
				t.Errorf("answered %d, want 400", w.Code)
			}
		})
	}
}

func TestMembersReservedForLaterAreAccepted(t *testing.T) {
	f := newFixture(t)
	later := `{"title":"A","slug":"a","status":"publish","content_format":"html","content":"x","tags":["t"],"featured_image":{"url":"u","alt":""}}`
	if w := f.publish(t, later); w.Code != http.StatusOK {
		t.Errorf("answered %d: %s", w.Code, w.Body)
	}
}

func TestABodyThatIsTooLargeIsRefusedWith413(t *testing.T) {
	f := newFixture(t)
	if w := f.publish(t, strings.Repeat("x", 4<<20+1)); w.Code != http.StatusRequestEntityTooLarge {
		t.Errorf("answered %d, want 413", w.Code)
	}
}

func TestARepeatChangesThePostAndMakesNoSecond(t *testing.T) {
	f := newFixture(t)
	f.publish(t, body)
	f.clock.SetTime(f.clock.Now().Add(time.Hour))
	f.publish(t, strings.Replace(body, "Hello", "Hello again", 1))
	posts := f.posts(t)
	if len(posts) != 1 {
		t.Fatalf("posts = %v, want one", posts)
	}
	p := posts[0]
	if p.ID != "post-1" || p.Payload.Title != "Hello again" || p.Deliveries != 2 || p.LastAt.Sub(p.FirstAt) != time.Hour {
		t.Errorf("post = %+v, want the second delivery's under the first one's id", p)
	}
}

func TestARestartKeepsPostsAndGivesNoIDTwice(t *testing.T) {
	f := newFixture(t)
	f.publish(t, body)
	f.open(t)
	f.publish(t, strings.Replace(body, `"hello"`, `"other"`, 1))
	ids := map[string]string{}
	for _, p := range f.posts(t) {
		ids[p.Payload.Slug] = p.ID
	}
	if ids["hello"] != "post-1" || ids["other"] != "post-2" {
		t.Errorf("ids = %v, want post-1 for hello and post-2 for other", ids)
	}
}

func TestAPageShowsTheTextAndRunsNothing(t *testing.T) {
	tests := []struct{ name, body, want string }{
		{
			"html", `{"title":"A <b>","slug":"a","status":"publish","content_format":"html",` +
				`"content":"<h2>Fine</h2><script>alert(1)</script><p onclick=\"x()\">text</p><a href=\"javascript:x\">l</a>"}`, "<h2>Fine</h2>",
		},
		{
			"markdown", `{"title":"A","slug":"a","status":"publish","content_format":"markdown",` +
				`"content":"## Fine\n\n<script>alert(1)</script>\n\n[l](javascript:x)"}`, "<h2>Fine</h2>",
		},
		{
			"json", `{"title":"A","slug":"a","status":"publish","content_format":"json","content_markdown":"## Fine",` +
				`"content_html":"<h2>Fine</h2><img src=x onerror=alert(1)>","faq":[{"question":"<script>q</script>","answer":"a"}]}`, "<h2>Fine</h2>",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			if w := f.publish(t, tt.body); w.Code != http.StatusOK {
				t.Fatalf("answered %d: %s", w.Code, w.Body)
			}
			w := f.get("/blog/a")
			page := w.Body.String()
			if w.Code != http.StatusOK || !strings.Contains(page, tt.want) {
				t.Errorf("answered %d, page lacks %q:\n%s", w.Code, tt.want, page)
			}
			for _, bad := range []string{"<script", "onclick", "onerror", "javascript:"} {
				if strings.Contains(page, bad) {
					t.Errorf("page holds %q:\n%s", bad, page)
				}
			}
			if policy := w.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") {
				t.Errorf("Content-Security-Policy = %q", policy)
			}
		})
	}
}

func TestTheFrontPageShowsPostsAndRefusals(t *testing.T) {
	f := newFixture(t)
	f.publish(t, body)
	f.post(body, "post.publish", "wrong")
	page := f.get("/").Body.String()
	for _, want := range []string{`href="/blog/hello"`, "verified", "wrong", "401"} {
		if !strings.Contains(page, want) {
			t.Errorf("page lacks %q", want)
		}
	}
}

func TestWhatIsNotThereIs404(t *testing.T) {
	f := newFixture(t)
	for _, path := range []string{"/blog/none", "/posts/none", "/none", "/posts/..%2f..%2fetc"} {
		if w := f.get(path); w.Code != http.StatusNotFound {
			t.Errorf("%s answered %d, want 404", path, w.Code)
		}
	}
}
