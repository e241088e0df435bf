//go:build e2e

package install

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// endpointOfLoad counts what it is asked for.
type endpointOfLoad struct {
	*httptest.Server

	mu      sync.Mutex
	counts  map[string]int
	waiting map[string]chan struct{}
	// firsts has one value for each item that was asked for.
	firsts chan struct{}
	last   time.Time
	gap    time.Duration
}

func newEndpoint(t *testing.T, answer func(e *endpointOfLoad, w http.ResponseWriter, body string, header http.Header)) *endpointOfLoad {
	t.Helper()
	const most = 10_000
	e := &endpointOfLoad{counts: map[string]int{}, waiting: map[string]chan struct{}{}, firsts: make(chan struct{}, most)}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		if err != nil {
			return
		}
		w.Header().Set("Content-Type", "application/json")
		answer(e, w, string(body), q.Header)
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpointOfLoad) note(item string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.counts[item]++
	if now := time.Now(); e.counts[item] == 1 {
		if !e.last.IsZero() {
			e.gap = max(e.gap, now.Sub(e.last))
		}
		e.last = now
		close(e.channel(item))
		e.firsts <- struct{}{}
	}
}

// seen is closed once the item was asked for.
func (e *endpointOfLoad) seen(item string) <-chan struct{} {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.channel(item)
}

func (e *endpointOfLoad) channel(item string) chan struct{} {
	if e.waiting[item] == nil {
		e.waiting[item] = make(chan struct{})
	}
	return e.waiting[item]
}

// await waits until so many items were asked for, those of earlier calls included.
func (e *endpointOfLoad) await(t *testing.T, items int) {
	t.Helper()
	for e.total() < items {
		select {
		case <-e.firsts:
		case <-time.After(patience):
			t.Fatalf("%d of %d have arrived", e.total(), items)
		}
	}
}

func (e *endpointOfLoad) total() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.counts)
}

// more returns the items that were asked for more than once.
func (e *endpointOfLoad) more() (items []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for item, count := range e.counts {
		if count > 1 {
			items = append(items, item)
		}
	}
	return items
}

// keywordAsked finds the keyword in a question to the model.
var keywordAsked = regexp.MustCompile(`\\"keyword\\": \\"([^"\\]+)\\"`)

// newModel starts an OpenAI-compatible endpoint, which is asked for a plan and for a text.
func newModel(t *testing.T) *endpointOfLoad {
	t.Helper()
	return newEndpoint(t, func(e *endpointOfLoad, w http.ResponseWriter, body string, _ http.Header) {
		found := keywordAsked.FindStringSubmatch(body)
		if found == nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		text := "## Why\n\n" + strings.Repeat("This is what there is to know of "+found[1]+". ", 60)
		if strings.Contains(body, `"response_format"`) {
			text = `{"title": "` + found[1] + `", "slug": "", "meta_title": "` + found[1] + `", "meta_description": "What there is to know.",
				"outline": ["Why"], "faq": [{"question": "Why?", "answer": "Because."}]}`
			e.note(found[1])
		}
		// Anyone who asked may have ended.
		_ = json.NewEncoder(w).Encode(map[string]any{
			"id": "1", "object": "chat.completion", "created": 1750000000, "model": "small",
			"choices": []any{map[string]any{
				"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": text},
			}},
			"usage": map[string]any{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
		})
	})
}

// newSite starts the customers' sites, which are sent articles.
func newSite(t *testing.T) *endpointOfLoad {
	t.Helper()
	return newEndpoint(t, func(e *endpointOfLoad, w http.ResponseWriter, body string, _ http.Header) {
		var article struct {
			Title string `json:"title"`
		}
		if json.Unmarshal([]byte(body), &article) != nil || article.Title == "" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		_, _ = io.WriteString(w, `{"id": 1}`)
		e.note(article.Title)
	})
}

// newSubscriber starts a receiver of events.
func newSubscriber(t *testing.T) *endpointOfLoad {
	t.Helper()
	return newEndpoint(t, func(e *endpointOfLoad, _ http.ResponseWriter, _ string, header http.Header) {
		e.note(header.Get("Webhook-Id"))
	})
}
