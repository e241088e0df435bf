package generate_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/test/scripted"
)

// secret is the API key of the tests, which may appear nowhere but in the request's header.
const secret = "sk-test-0123456789abcdef"

// now is the tests' time.
var now = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// call is a request that an endpoint got.
type call struct {
	path   string
	header http.Header
	body   map[string]any
}

// endpoint plays answers one after the other; the last one again and again.
type endpoint struct {
	*httptest.Server
	mu      sync.Mutex
	calls   []call
	answers []http.HandlerFunc
}

func newEndpoint(t *testing.T, answers ...http.HandlerFunc) *endpoint {
	t.Helper()
	e := &endpoint{answers: answers}
	e.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		c := call{path: r.URL.Path, header: r.Header}
		if err := json.Unmarshal(raw, &c.body); err != nil {
			t.Errorf("the request is no JSON: %v", err)
		}
		e.mu.Lock()
		e.calls = append(e.calls, c)
		answer := e.answers[min(len(e.calls), len(e.answers))-1]
		e.mu.Unlock()
		answer(w, r)
	}))
	t.Cleanup(e.Close)
	return e
}

func (e *endpoint) all() []call {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]call(nil), e.calls...)
}

// generator makes one that talks to the endpoint through the client that operators get.
func (e *endpoint) generator(t *testing.T, kind v1alpha1.GeneratorType) generate.Generator {
	t.Helper()
	base := e.URL
	if kind == v1alpha1.GeneratorOpenAI {
		base += "/v1"
	}
	g, err := generate.New(generate.Config{
		Type: kind, Model: "small-2026", BaseURL: base, APIKey: secret, HTTPClient: egress.NewPrivateClient(0), Clock: clocktesting.NewFakePassiveClock(now),
	})
	if err != nil {
		t.Fatalf("New: %v", err)
	}
	return g
}

// status answers with a status, a body and headers given as pairs.
func status(code int, body string, header ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for i := 0; i+1 < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		_, _ = io.WriteString(w, body)
	}
}

// wire is one of the two APIs: how its answers look. Most tests run against both.
type wire struct {
	kind v1alpha1.GeneratorType
	// says answers with a text; cut and refuses are its other ends.
	says    func(text string) http.HandlerFunc
	cut     func(text string) http.HandlerFunc
	refuses http.HandlerFunc
	// fails is an error of the API.
	fails func(code int, kind, message string, header ...string) http.HandlerFunc
}

func wires() []wire {
	return []wire{
		{
			kind:    v1alpha1.GeneratorOpenAI,
			says:    func(text string) http.HandlerFunc { return completion(text, "", "stop") },
			cut:     func(text string) http.HandlerFunc { return completion(text, "", "length") },
			refuses: completion("", "I cannot help with that.", "stop"),
			fails: func(code int, kind, message string, header ...string) http.HandlerFunc {
				return status(code, fmt.Sprintf(`{"error":{"message":%q,"type":%q,"param":null,"code":%q}}`, message, kind, kind), header...)
			},
		},
		{
			kind:    v1alpha1.GeneratorAnthropic,
			says:    func(text string) http.HandlerFunc { return message(text, "end_turn") },
			cut:     func(text string) http.HandlerFunc { return message(text, "max_tokens") },
			refuses: message("", "refusal"),
			fails: func(code int, kind, message string, header ...string) http.HandlerFunc {
				return status(code, fmt.Sprintf(`{"type":"error","error":{"type":%q,"message":%q},"request_id":"req_1"}`, kind, message), header...)
			},
		},
	}
}

// completion is an answer of chat completions: 10 tokens in, 20 out.
func completion(text, refusal, finish string) http.HandlerFunc {
	return jsonAnswer(map[string]any{
		"id": "chatcmpl-1", "object": "chat.completion", "created": 1750000000, "model": "small-2026-11-01",
		"choices": []any{map[string]any{
			"index": 0, "finish_reason": finish, "logprobs": nil,
			"message": map[string]any{"role": "assistant", "content": text, "refusal": orNull(refusal)},
		}},
		"usage": map[string]any{"prompt_tokens": 10, "completion_tokens": 20, "total_tokens": 30},
	})
}

// message is an answer of messages: 10 tokens in, of which 3 from the cache, 20 out.
func message(text, stop string) http.HandlerFunc {
	blocks := []any{}
	if text != "" {
		blocks = append(blocks, map[string]any{"type": "text", "text": text, "citations": nil})
	}
	return messageOf(blocks, stop)
}

func messageOf(blocks []any, stop string) http.HandlerFunc {
	return jsonAnswer(map[string]any{
		"id": "msg_1", "type": "message", "role": "assistant", "model": "small-2026-11-01", "content": blocks, "stop_reason": stop,
		"stop_sequence": nil, "usage": map[string]any{"input_tokens": 7, "cache_read_input_tokens": 3, "output_tokens": 20},
	})
}

func jsonAnswer(body any) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(body)
	}
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// request is what the tests ask for.
func request() generate.Request {
	return generate.Request{
		Keyword: "trail running shoes", SecondaryKeywords: []string{"grip"}, Tone: "friendly", Language: "en", Audience: "beginners",
		SiteName: "Acme", Domain: "acme.example",
	}
}

const goodFields = `{"title":"Trail running shoes: how to choose","slug":"trail-running-shoes","meta_title":"Trail running shoes",` +
	`"meta_description":"How to choose trail running shoes by grip, fit and cushioning, with plain answers to the questions that most beginners ask.",` +
	`"outline":["Grip","Fit","Care"],"faq":[{"question":"How long do they last?","answer":"About 800 km."}]}`

// goodBody has nothing that our checks would have mended.
func goodBody() string { return goodText() }

var goodText = sync.OnceValue(func() string {
	handler, err := scripted.Handler("perfect")
	if err != nil {
		return err.Error()
	}
	g, err := generate.New(generate.Config{Type: "OpenAI", Model: "m", BaseURL: "http://scripted.invalid/v1", HTTPClient: scripted.Client(handler)})
	if err != nil {
		return err.Error()
	}
	result, err := g.Generate(context.Background(), request(), nil)
	if err != nil {
		return err.Error()
	}
	return "Trail running shoes keep you on the path. " + result.Document.Markdown + "\n"
})

// tokensOf returns the tokens of a usage, in and out.
func tokensOf(u generate.Usage) [2]int64 { return [2]int64{u.InputTokens, u.OutputTokens} }

// wantError checks the typed error, and that it may be shown to anybody.
func wantError(t *testing.T, err error, want string, wantRetryable bool) *generate.Error {
	t.Helper()
	got, ok := errors.AsType[*generate.Error](err)
	if !ok {
		t.Fatalf("error = %v, want an *Error with %s", err, want)
	}
	if got.Reason != want || got.Retryable != wantRetryable {
		t.Errorf("error = %s, retryable %v, want %s, %v: %s", got.Reason, got.Retryable, want, wantRetryable, got.Message)
	}
	if got.Message == "" || strings.ContainsAny(got.Message, "\n\r") || utf8.RuneCountInString(got.Message) > 300 {
		t.Errorf("message = %q, want one bounded line", got.Message)
	}
	for _, private := range []string{secret, "127.0.0.1", "http://", "https://", "localhost"} {
		if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, got.Message), private) {
			t.Errorf("the error contains %q: %v", private, err)
		}
	}
	return got
}
