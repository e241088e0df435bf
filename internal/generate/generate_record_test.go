package generate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// The files in testdata were recorded with the SDKs of both providers, openai-go v3.94.0 and anthropic-sdk-go v1.84.0, before
// this package had clients of its own: the requests that they sent, and what the package made of the answers that they read.

// recordedHeaders are the headers that endpoints look at.
var recordedHeaders = []string{"Accept", "Anthropic-Version", "Authorization", "Content-Type", "X-Api-Key"}

// recordedRequest is a request as an endpoint got it.
type recordedRequest struct {
	Method  string            `json:"method"`
	Path    string            `json:"path"`
	Headers map[string]string `json:"headers"`
	Body    any               `json:"body"`
}

// recordedOutcome is what an answer was read as.
type recordedOutcome struct {
	Text         string `json:"text,omitempty"`
	Model        string `json:"model,omitempty"`
	InputTokens  int64  `json:"inputTokens,omitempty"`
	OutputTokens int64  `json:"outputTokens,omitempty"`
	Cut          bool   `json:"cut,omitempty"`
	Refused      bool   `json:"refused,omitempty"`
	// Unfinished is an end that the SDKs did not know.
	Unfinished bool `json:"unfinished,omitempty"`

	Reason     string `json:"reason,omitempty"`
	Retryable  bool   `json:"retryable,omitempty"`
	RetryAfter string `json:"retryAfter,omitempty"`
	Message    string `json:"message,omitempty"`
}

// recorded is one exchange: of as many requests as there were answers, the last answer again and again.
type recorded struct {
	Requests []recordedRequest `json:"requests,omitempty"`
	Outcome  recordedOutcome   `json:"outcome"`
}

// canned is an answer of an endpoint.
type canned struct {
	status int
	header map[string]string
	body   string
}

func (c canned) write(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "application/json")
	for name, value := range c.header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(c.status)
	_, _ = io.WriteString(w, c.body)
}

// record has a backend ask once, and returns what went over the wire and what came of it.
func record(t *testing.T, connect func(Config) func() backend, path, key string, p prompt, answers ...canned) recorded {
	t.Helper()
	var out recorded
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		request := recordedRequest{Method: r.Method, Path: r.URL.RequestURI(), Headers: map[string]string{}}
		for _, name := range recordedHeaders {
			if value := r.Header.Get(name); value != "" {
				request.Headers[name] = value
			}
		}
		if err := json.NewDecoder(r.Body).Decode(&request.Body); err != nil || r.ContentLength <= 0 {
			t.Errorf("the request is no JSON of a known length: %v", err)
		}
		out.Requests = append(out.Requests, request)
		answers[min(len(out.Requests), len(answers))-1].write(w)
	}))
	defer server.Close()
	client := server.Client()
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	b := connect(Config{Model: "small-2026", BaseURL: server.URL + path, APIKey: key, HTTPClient: client})()
	a, err := b.ask(t.Context(), p)
	counted := Usage{}.plus(a.usage)
	out.Outcome = recordedOutcome{
		Text: strings.ToValidUTF8(a.text, "\uFFFD"), Model: a.model, InputTokens: counted.InputTokens, OutputTokens: counted.OutputTokens,
		Cut: a.end == truncated, Refused: a.end == refused, Unfinished: a.end == unfinished,
	}
	if err != nil {
		failed, ok := errors.AsType[*Error](failure(t.Context(), err, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)))
		if !ok {
			t.Fatalf("ask = %v, want an *Error", err)
		}
		out.Outcome = recordedOutcome{Reason: failed.Reason, Retryable: failed.Retryable, Message: failed.Message}
		if failed.RetryAfter != 0 {
			out.Outcome.RetryAfter = failed.RetryAfter.String()
		}
	}
	return out
}

// deviations are the answers that are read otherwise than the SDKs did, which turned any other value of a text member into
// one: a member of another type is absent, a list of parts is read, and an answer that is no object is refused at once. Both APIs
// have one list of ends, in which an end that is not known is not that of a whole answer. An error in an answer is one.
var deviations = map[string]func(*recordedOutcome){
	"openai: a list as text":    func(o *recordedOutcome) { o.Text = "Hello." },
	"anthropic: a list as text": func(o *recordedOutcome) { o.Text = "" },
	"an error with 200":         func(o *recordedOutcome) { *o = modelNotFound },
	"an unknown end":            func(o *recordedOutcome) { o.Unfinished = true },
	"openai: members: tools":    func(o *recordedOutcome) { o.Unfinished = true },
	"length":                    func(o *recordedOutcome) { o.Cut = true },
	"max tokens":                func(o *recordedOutcome) { o.Cut = true },
	"window":                    func(o *recordedOutcome) { o.Cut = true },
	"refusal":                   func(o *recordedOutcome) { o.Refused = true },
	"filter":                    func(o *recordedOutcome) { o.Refused = true },
	"anthropic: members: choices of another type": func(o *recordedOutcome) { o.Text = "x" },
	"a number as text":                            func(o *recordedOutcome) { o.Text = "" },
	"a truth as text":                             func(o *recordedOutcome) { o.Text = "" },
	"an object as text":                           func(o *recordedOutcome) { o.Text = "" },
	"a list":                                      func(o *recordedOutcome) { *o = notJSON },
	"a number":                                    func(o *recordedOutcome) { *o = notJSON },
	"a string":                                    func(o *recordedOutcome) { *o = notJSON },
	"members: a number as model":                  func(o *recordedOutcome) { o.Model = "" },
	"members: another case":                       func(o *recordedOutcome) { o.Text, o.Model = "a", "a" },
	"members: twice the same member":              func(o *recordedOutcome) { o.Text, o.Model = "b", "b" },
	"usage: strings":                              func(o *recordedOutcome) { o.InputTokens = 0 },
}

var modelNotFound = recordedOutcome{Reason: "BackendRejected", Message: "the endpoint answered 200 with an error (model_not_found)"}

var notJSON = recordedOutcome{Reason: "InvalidAnswer", Retryable: true, Message: "the endpoint's answer is not the JSON of its API"}

// compare holds exchanges against the ones in a file.
func compare(t *testing.T, file string, got map[string]recorded) {
	t.Helper()
	_, api, _ := strings.Cut(strings.TrimSuffix(file, ".json"), "-")
	file = filepath.Join("testdata", file)
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]recorded{}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	if len(got) != len(want) {
		t.Errorf("there are %d exchanges, want %d", len(got), len(want))
	}
	for name, want := range want {
		for _, key := range []string{name, api + ": " + name} {
			if deviate, ok := deviations[key]; ok {
				deviate(&want.Outcome)
			}
		}
		if diff := cmp.Diff(want, got[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// api is one of the two wire formats.
type api struct {
	name    string
	connect func(Config) func() backend
	// says is the body of an answer with a text.
	says func(text, stop string) string
	// counts is the body of an answer with a usage.
	counts func(usage string) string
	// whole is the body of an answer with these members instead of the usual ones.
	whole func(members string) string
}

var apis = []api{
	{
		name: "openai", connect: newOpenAI,
		says: func(text, stop string) string {
			return fmt.Sprintf(`{"id":"chatcmpl-1","object":"chat.completion","created":1750000000,"model":"small-2026-11-01","choices":[{"index":0,`+
				`"message":{"role":"assistant","content":%s,"refusal":null,"annotations":[]},"logprobs":null,"finish_reason":%s}],`+
				`"usage":{"prompt_tokens":10,"completion_tokens":20,"total_tokens":30,"prompt_tokens_details":{"cached_tokens":3}},"service_tier":"default"}`, text, stop)
		},
		counts: func(usage string) string {
			return `{"model":"small-2026-11-01","choices":[{"message":{"content":"Hello."}}],"usage":` + usage + `}`
		},
		whole: func(members string) string { return `{"object":"chat.completion",` + members + `}` },
	},
	{
		name: "anthropic", connect: newAnthropic,
		says: func(text, stop string) string {
			return fmt.Sprintf(`{"id":"msg_1","type":"message","role":"assistant","model":"small-2026-11-01","content":[{"type":"text","text":%s,"citations":null}],`+
				`"stop_reason":%s,"stop_sequence":null,"usage":{"input_tokens":7,"cache_creation_input_tokens":2,"cache_read_input_tokens":1,"output_tokens":20}}`, text, stop)
		},
		counts: func(usage string) string {
			return `{"model":"small-2026-11-01","content":[{"type":"text","text":"Hello."}],"usage":` + usage + `}`
		},
		whole: func(members string) string { return `{"type":"message","role":"assistant",` + members + `}` },
	},
}

func asked() prompt {
	return prompt{system: "Write well.\nAlways.", turns: []turn{{text: "Plan <b>\"it\"</b> & go: ü, 跑鞋, \u2028, 👟"}}}
}

func askedForFields() prompt {
	p := asked()
	p.fields = true
	return p
}

func TestRequestsAreAsRecorded(t *testing.T) {
	for _, a := range apis {
		t.Run(a.name, func(t *testing.T) {
			good := canned{200, nil, a.says(`"Hello."`, `"stop"`)}
			talk := asked()
			talk.turns = append(talk.turns, turn{byModel: true, text: "A bad answer"}, turn{text: "Again."})
			talkOfFields := talk
			talkOfFields.fields = true
			refused := canned{400, nil, `{"error":{"type":"invalid_request_error","message":"response_format is not supported"}}`}
			tooLong := canned{400, nil, `{"error":{"type":"invalid_request_error","message":"max_tokens: 16384 > 8192"}}`}
			compare(t, "requests-"+a.name+".json", map[string]recorded{
				"a question":                      record(t, a.connect, "/v1", "sk-1", asked(), good),
				"without a key":                   record(t, a.connect, "/v1", "", asked(), good),
				"below a path":                    record(t, a.connect, "/proxy/v1/", "sk-1", asked(), good),
				"a question for fields":           record(t, a.connect, "/v1", "sk-1", askedForFields(), good),
				"a conversation":                  record(t, a.connect, "/v1", "sk-1", talk, good),
				"a conversation about fields":     record(t, a.connect, "/v1", "sk-1", talkOfFields, good),
				"the schema is refused":           record(t, a.connect, "/v1", "sk-1", askedForFields(), refused, good),
				"every format is refused":         record(t, a.connect, "/v1", "sk-1", askedForFields(), refused, refused, good),
				"the length is refused":           record(t, a.connect, "/v1", "sk-1", asked(), tooLong, tooLong, good),
				"length and format are refused":   record(t, a.connect, "/v1", "sk-1", askedForFields(), tooLong, refused, tooLong, refused, good),
				"a format that was not asked for": record(t, a.connect, "/v1", "sk-1", asked(), refused),
			})
		})
	}
}

func TestAnswersAreReadAsRecorded(t *testing.T) {
	for _, a := range apis {
		t.Run(a.name, func(t *testing.T) {
			got := map[string]recorded{}
			for name, c := range cannedAnswers(a) {
				got[name] = recorded{Outcome: record(t, a.connect, "/v1", "sk-1", asked(), c).Outcome}
			}
			compare(t, "answers-"+a.name+".json", got)
		})
	}
}

func cannedAnswers(a api) map[string]canned {
	ok := func(body string) canned { return canned{200, nil, body} }
	good := a.says(`"Hello."`, `"stop"`)
	out := map[string]canned{
		"plain": ok(good), "ends": ok(a.says(`"Hello."`, `"end_turn"`)), "length": ok(a.says(`"Hel"`, `"length"`)),
		"max tokens": ok(a.says(`"Hel"`, `"max_tokens"`)), "window": ok(a.says(`"Hel"`, `"model_context_window_exceeded"`)),
		"refusal": ok(a.says(`""`, `"refusal"`)), "filter": ok(a.says(`""`, `"content_filter"`)),
		"an unknown end": ok(a.says(`"Hello."`, `"tired"`)), "no end": ok(a.says(`"Hello."`, `null`)),
		"an end of another type": ok(a.says(`"Hello."`, `{"a":1}`)), "a number as end": ok(a.says(`"Hello."`, `7`)),
		"null text": ok(a.says(`null`, `"stop"`)), "a number as text": ok(a.says(`12.50`, `"stop"`)), "a truth as text": ok(a.says(`true`, `"stop"`)),
		"a list as text":    ok(a.says(`[{"type":"text","text":"Hello."}]`, `"stop"`)),
		"an object as text": ok(a.says(`{"a":1}`, `"stop"`)), "escapes": ok(a.says(`"\u00fc \ud83d\udc5f \n <b> \ud800 \/"`, `"stop"`)),
		"another content type": {200, map[string]string{"Content-Type": "text/plain; charset=utf-8"}, good}, "created": {201, nil, good},
		"blanks around": ok("\n \t" + good + "\r\n\n"), "something behind it": ok(good + " trailing"), "two of them": ok(good + good),
		"a byte order mark": ok("\ufeff" + good),
		"a stream":          {200, map[string]string{"Content-Type": "text/event-stream"}, "data: " + good + "\n\ndata: [DONE]\n\n"},
		"cut JSON":          ok(good[:len(good)/2]), "HTML": {200, map[string]string{"Content-Type": "text/html"}, "<html>no</html>"}, "nothing": ok(""),
		"no content": {204, nil, ""}, "null": ok("null"), "a list": ok("[]"), "a string": ok(`"x"`), "a number": ok("7"), "an empty object": ok("{}"),
		"an error with 200": ok(`{"error":{"message":"no such model","code":"model_not_found"}}`),
		"invalid UTF-8":     ok(a.says("\"a\xffb\"", `"stop"`)),
		"redirect":          {302, map[string]string{"Location": "/elsewhere"}, ""}, "not modified": {304, nil, ""},
		"rate limited for seconds": {429, map[string]string{"Retry-After": "17"}, `{"error":{"type":"rate_limit_error","message":"slow"}}`},
		"rate limited for a date":  {429, map[string]string{"Retry-After": "Fri, 20 Nov 2026 12:02:00 GMT"}, `{"error":{"code":"rate_limit_exceeded"}}`},
		"rate limited for ms":      {429, map[string]string{"Retry-After-Ms": "2500"}, ""},
		"out of quota":             {429, nil, `{"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"pay"}}`},
		"overloaded for seconds":   {529, map[string]string{"Retry-After": "30"}, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
		"retry said":               {400, map[string]string{"X-Should-Retry": "true"}, `{"error":{"type":"invalid_request_error"}}`},
		"retry denied":             {500, map[string]string{"X-Should-Retry": "false"}, `{"error":{"type":"api_error"}}`},
		"filtered":                 {400, nil, `{"error":{"code":"content_filter","message":"filtered"}}`},
		"error as string":          {500, nil, `{"error":"it broke"}`}, "error as HTML": {502, map[string]string{"Content-Type": "text/html"}, "<html>bad gateway</html>"},
		"an error with a number": {400, nil, `{"error":{"code":400,"type":"BadRequestError","message":"x"}}`},
	}
	for _, code := range []int{400, 401, 402, 403, 404, 405, 408, 409, 413, 415, 422, 425, 500, 501, 502, 503, 504, 529} {
		out[fmt.Sprintf("status %d", code)] = canned{code, nil, `{"type":"error","error":{"type":"some_error","message":"what the endpoint says"}}`}
	}
	for name, usage := range map[string]string{
		"none": `null`, "a string": `"y"`, "a list": `[1]`, "empty": `{}`,
		"fractions":  `{"prompt_tokens":10.9,"completion_tokens":2e1,"input_tokens":10.9,"output_tokens":2e1}`,
		"strings":    `{"prompt_tokens":"10","completion_tokens":"x","input_tokens":"10","output_tokens":"x"}`,
		"negative":   `{"prompt_tokens":-5,"completion_tokens":-1,"input_tokens":-5,"output_tokens":-1}`,
		"too large":  `{"prompt_tokens":1152921504606846976,"completion_tokens":99999999999999999999,"input_tokens":1152921504606846976,"output_tokens":1e300}`,
		"null parts": `{"prompt_tokens":null,"completion_tokens":20,"input_tokens":null,"output_tokens":20}`,
	} {
		out["usage: "+name] = ok(a.counts(usage))
	}
	for name, members := range map[string]string{
		"no choices": `"choices":[],"content":[]`, "null choices": `"choices":null,"content":null`, "choices of another type": `"choices":"x","content":"x"`,
		"an object for choices": `"choices":{"message":{"content":"a"}},"content":{"type":"text","text":"a"}`,
		"a null choice":         `"choices":[null],"content":[null]`, "a string for a choice": `"choices":["a"],"content":["a"]`,
		"two choices": `"choices":[{"message":{"content":"a"}},{"message":{"content":"b"}}],` +
			`"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]`,
		"a null message": `"choices":[{"message":null}],"content":[{"type":"text"}]`,
		"a refusal in words": `"choices":[{"message":{"content":null,"refusal":"I cannot."},"finish_reason":"stop"}],` +
			`"content":[{"type":"text","text":"I cannot."}],"stop_reason":"refusal"`,
		"an empty refusal":  `"choices":[{"message":{"content":"a","refusal":""}}],"content":[{"type":"text","text":"a"}]`,
		"no model":          `"choices":[{"message":{"content":"a"}}],"content":[{"type":"text","text":"a"}]`,
		"a number as model": `"model":7,"choices":[{"message":{"content":"a"}}],"content":[{"type":"text","text":"a"}]`,
		"tools": `"choices":[{"message":{"content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}"}}]},` +
			`"finish_reason":"tool_calls"}],"content":[{"type":"tool_use","id":"t","name":"article_fields","input":{"title": "a", "n":[1, 2]}}],"stop_reason":"tool_use"`,
		"thinking": `"choices":[{"message":{"reasoning_content":"hm","content":"a"}}],"content":[{"type":"thinking","thinking":"hm","signature":"s"},` +
			`{"type":"redacted_thinking","data":"x"},{"type":"text","text":"a"}]`,
		"an unknown block":    `"choices":[{"message":{"content":"a"}}],"content":[{"type":"poem","text":"a"},{"text":"b"},{"type":"text","text":"c"}]`,
		"words before a tool": `"choices":[],"content":[{"type":"text","text":"Here: "},{"type":"tool_use","id":"t","name":"f","input":{"a":1}}]`,
		"a tool without input": `"choices":[],"content":[{"type":"tool_use","id":"t","name":"f"},{"type":"tool_use","id":"t","name":"f","input":null},` +
			`{"type":"tool_use","id":"t","name":"f","input":"text"}]`,
		"twice the same member": `"model":"a","model":"b","choices":[{"message":{"content":"a","content":"b"}}],"content":[{"type":"text","text":"a","text":"b"}]`,
		"another case":          `"Model":"a","Choices":[{"Message":{"Content":"a"}}],"Content":[{"type":"text","Text":"a"}]`,
	} {
		out["members: "+name] = ok(a.whole(members))
	}
	return out
}
