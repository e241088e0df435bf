package demo_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/pressroom-dev/pressroom/hack/dev/demo"
)

// fakeServices are the facade and the receiver, as docs/reference/contract.md describes them. A test changes one of their answers.
type fakeServices struct {
	*httptest.Server

	mu       sync.Mutex
	statuses []string
	article  map[string]any
	post     map[string]any
	accepted int
	listed   []any
	keysSeen map[string]bool
}

func newFakeServices(t *testing.T) *fakeServices {
	t.Helper()
	w := &fakeServices{
		statuses: []string{"generating", "review"},
		accepted: http.StatusAccepted,
		keysSeen: map[string]bool{},
	}
	mux := http.NewServeMux()
	w.Server = httptest.NewServer(mux)
	t.Cleanup(w.Close)
	w.article = map[string]any{
		"uid": "u1", "title": "Shoes", "slug": "shoes", "target_keyword": "waterproof trail running shoes", "seo_score": 80,
		"content_markdown": "text", "content_html": "<p>text</p>", "published_url": "", "published_at": nil,
	}
	w.post = map[string]any{
		"id": "post-1", "url": w.URL + "/site/blog/shoes", "signature": "verified", "deliveries": 1,
		"payload": map[string]any{
			"title": "Shoes", "status": "publish", "content_format": "json", "content_markdown": "text", "content_html": "<p>text</p>",
		},
	}
	mux.HandleFunc("GET /v1/api/sites", func(rw http.ResponseWriter, _ *http.Request) {
		answer(rw, http.StatusOK, map[string]any{"data": []any{map[string]any{"uid": "s1", "cms_type": "headless", "status": "active"}}})
	})
	mux.HandleFunc("POST /v1/api/generate", func(rw http.ResponseWriter, _ *http.Request) {
		answer(rw, w.accepted, map[string]any{"success": true, "run_id": "r1", "blog_uid": "u1"})
	})
	mux.HandleFunc("GET /v1/api/blogs/u1", func(rw http.ResponseWriter, _ *http.Request) { answer(rw, http.StatusOK, w.next()) })
	mux.HandleFunc("POST /v1/api/blogs/u1/{verb}", func(rw http.ResponseWriter, r *http.Request) {
		w.verb(r.PathValue("verb"))
		answer(rw, http.StatusOK, map[string]any{"success": true})
	})
	mux.HandleFunc("GET /v1/api/blogs", func(rw http.ResponseWriter, _ *http.Request) {
		listed := w.listed
		if listed == nil {
			listed = []any{w.article}
		}
		answer(rw, http.StatusOK, map[string]any{"data": listed, "hasMore": false})
	})
	mux.HandleFunc("GET /site/posts/shoes", func(rw http.ResponseWriter, r *http.Request) {
		w.keysSeen[r.Header.Get("x-api-key")] = true
		answer(rw, http.StatusOK, w.post)
	})
	mux.HandleFunc("GET /site/blog/shoes", func(rw http.ResponseWriter, _ *http.Request) { answer(rw, http.StatusOK, "page") })
	return w
}

// next returns the article with the next of its statuses; it keeps the last.
func (w *fakeServices) next() map[string]any {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.article["status"] = w.statuses[0]
	if len(w.statuses) > 1 {
		w.statuses = w.statuses[1:]
	}
	return w.article
}

func (w *fakeServices) verb(verb string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if verb == "publish" && w.statuses[0] == "review" {
		w.statuses = []string{"approved", "published"}
		w.article["published_url"] = w.URL + "/site/blog/shoes"
		w.article["published_at"] = "2026-05-01T12:00:00.000Z"
	}
}

func answer(rw http.ResponseWriter, status int, body any) {
	rw.WriteHeader(status)
	if err := json.NewEncoder(rw).Encode(body); err != nil {
		panic(err)
	}
}

func (w *fakeServices) run(t *testing.T) error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	return demo.Run(ctx, demo.Options{URL: w.URL, APIKey: "secret-key", Workspace: "acme-blog", ReceiverURL: w.URL + "/site", Say: t.Logf})
}

func TestAnArticleThatIsPublishedIsASuccess(t *testing.T) {
	w := newFakeServices(t)
	if err := w.run(t); err != nil {
		t.Error(err)
	}
}

func TestEverySurpriseIsAnError(t *testing.T) {
	payload := func(w *fakeServices) map[string]any { return w.post["payload"].(map[string]any) }
	tests := []struct {
		name    string
		change  func(*fakeServices)
		wantErr string
	}{
		{"generate is not accepted", func(w *fakeServices) { w.accepted = http.StatusPaymentRequired }, "402"},
		{"generate answers 200", func(w *fakeServices) { w.accepted = http.StatusOK }, "not 202"},
		{"generation fails", func(w *fakeServices) { w.statuses = []string{"generating", "failed"} }, "failed"},
		{"it is published without review", func(w *fakeServices) { w.statuses = []string{"published"} }, "published"},
		{"no score", func(w *fakeServices) { w.article["seo_score"] = nil }, "lacks"},
		{"no content", func(w *fakeServices) { w.article["content_html"] = "" }, "lacks"},
		{"another article", func(w *fakeServices) { w.article["uid"] = "u2" }, "u2"},
		{"the signature is wrong", func(w *fakeServices) { w.post["signature"] = "wrong" }, "wrong"},
		{"it was sent twice", func(w *fakeServices) { w.post["deliveries"] = 2 }, "2 times"},
		{"it is live elsewhere", func(w *fakeServices) { w.post["url"] = "http://elsewhere" }, "elsewhere"},
		{"another text arrived", func(w *fakeServices) { payload(w)["content_html"] = "<p>other</p>" }, "another article"},
		{"another format arrived", func(w *fakeServices) { payload(w)["content_format"] = "html" }, "html"},
		{"it is not listed", func(w *fakeServices) { w.listed = []any{} }, "list"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newFakeServices(t)
			tt.change(w)
			if err := w.run(t); err == nil || !strings.Contains(err.Error(), tt.wantErr) {
				t.Errorf("err = %v, want one that says %q", err, tt.wantErr)
			}
		})
	}
}

func TestTheAPIKeyIsNotShownToTheReceiver(t *testing.T) {
	w := newFakeServices(t)
	receiver := httptest.NewServer(w.Config.Handler)
	defer receiver.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	err := demo.Run(ctx, demo.Options{
		URL: w.URL, APIKey: "secret-key", Workspace: "acme-blog", ReceiverURL: receiver.URL + "/site", Say: t.Logf,
	})
	if err != nil {
		t.Fatal(err)
	}
	if w.keysSeen["secret-key"] || !w.keysSeen[""] {
		t.Errorf("the receiver saw the keys %v, want none", w.keysSeen)
	}
}
