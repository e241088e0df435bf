//go:build e2e

package system_test

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// requests are those that an external endpoint has read to the end.
type requests struct {
	mu     sync.Mutex
	counts map[string]int
	bodies map[string]map[string]bool
	// ids are the webhook-ids by body.
	ids map[string]map[string]bool
}

func newRequests() *requests {
	return &requests{counts: map[string]int{}, bodies: map[string]map[string]bool{}, ids: map[string]map[string]bool{}}
}

func (r *requests) note(item, body, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts[item]++
	add(r.bodies, item, body)
	add(r.ids, body, id)
}

func add(sets map[string]map[string]bool, key, value string) {
	if sets[key] == nil {
		sets[key] = map[string]bool{}
	}
	sets[key][value] = true
}

// of returns the number of requests for an item, and how many more bodies there were than one, or ids of a body.
func (r *requests) of(item string) (count, changed int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for body := range maps.Keys(r.bodies[item]) {
		changed += len(r.ids[body]) - 1
	}
	return r.counts[item], changed + max(len(r.bodies[item])-1, 0)
}

// others returns the items of requests other than these.
func (r *requests) others(items []string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.DeleteFunc(slices.Collect(maps.Keys(r.counts)), func(item string) bool { return slices.Contains(items, item) })
}

// killReceiver is a customer's site, or the receiver of events.
type killReceiver struct {
	*httptest.Server
	*requests
	trap       *trap
	inProgress killPoint
}

// newKillReceiver starts a receiver that calls the trap at two kill points.
func newKillReceiver(t *trap, connected, inProgress killPoint) *killReceiver {
	r := &killReceiver{requests: newRequests(), trap: t, inProgress: inProgress}
	r.Server = httptest.NewUnstartedServer(r)
	r.Listener = trapListener{r.Listener, t, connected}
	r.Start()
	return r
}

// ServeHTTP reads a request, and answers it if the sender still runs.
func (r *killReceiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return // The sender was killed while it sent.
	}
	id := req.Header.Get("Webhook-Id")
	item := id
	if item == "" {
		var article struct {
			Slug string `json:"slug"`
		}
		if json.Unmarshal(body, &article) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		item = article.Slug
	}
	r.note(item, string(body), id)
	r.trap.at(r.inProgress)
}

// model is an OpenAI-compatible endpoint. An article takes a question for its plan, one for its body, and those for repairs.
type model struct {
	*httptest.Server
	*requests
	trap *trap
}

func newModel(t *trap) *model {
	m := &model{requests: newRequests(), trap: t}
	m.Server = httptest.NewServer(m)
	return m
}

// keywordAsked finds the keyword in a question.
var keywordAsked = regexp.MustCompile(`"keyword": "([^"]+)"`)

// ServeHTTP answers a question, if the sender still runs.
func (m *model) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	var question struct {
		Messages []struct {
			Content string `json:"content"`
		} `json:"messages"`
		Format json.RawMessage `json:"response_format"`
	}
	if json.NewDecoder(req.Body).Decode(&question) != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var text strings.Builder
	for _, message := range question.Messages {
		text.WriteString(message.Content)
	}
	found := keywordAsked.FindStringSubmatch(text.String())
	if found == nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	keyword := found[1]
	answer := bodyAbout(keyword)
	m.note(keyword, text.String(), "")
	if question.Format == nil {
		m.trap.at(runSecondQuestion)
	} else {
		m.trap.at(runFirstQuestion)
		answer = fieldsAbout(keyword)
	}
	answerWith(w, answer)
}

func fieldsAbout(keyword string) string {
	return fmt.Sprintf(`{"title": %[1]q, "slug": "", "meta_title": %[1]q, "meta_description": "What there is to know.",
		"outline": ["Why"], "faq": [{"question": "Why?", "answer": "Because."}]}`, "All about "+keyword)
}

func bodyAbout(keyword string) string {
	return "## Why\n\n" + strings.Repeat("This is what there is to know of "+keyword+". ", 60)
}

func answerWith(w http.ResponseWriter, text string) {
	w.Header().Set("Content-Type", "application/json")
	// The sender may have been killed.
	_ = json.NewEncoder(w).Encode(map[string]any{
		"id": "1", "object": "chat.completion", "created": 1750000000, "model": "small",
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": "stop", "message": map[string]any{"role": "assistant", "content": text},
		}},
		"usage": map[string]any{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
	})
}
