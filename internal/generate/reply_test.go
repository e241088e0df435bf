package generate

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"
)

// serverAnswer is an answer with the status 200 in the form that a server gives it by its documentation, or by reports of its users. The
// texts are ours.
type serverAnswer struct {
	Server string `json:"server"`
	Case   string `json:"case"`
	// API is OpenAI if it is empty.
	API  string          `json:"api"`
	Body json.RawMessage `json:"body"`

	// Text that is read; Ends, if it is not whole, or empty; and the Reason of an error.
	Text   string `json:"text"`
	Ends   string `json:"ends"`
	Reason string `json:"reason"`
}

func TestTheAnswersOfServersAreRead(t *testing.T) {
	raw, err := os.ReadFile("testdata/servers.json")
	if err != nil {
		t.Fatal(err)
	}
	var answers []serverAnswer
	if err := json.Unmarshal(raw, &answers); err != nil {
		t.Fatal(err)
	}
	for _, s := range answers {
		t.Run(s.Server+"/"+s.Case, func(t *testing.T) {
			if got, want := s.read(t), s.Text+s.Ends+s.Reason; got != want {
				t.Errorf("it is read as %q, want %q", got, want)
			}
		})
	}
}

// read returns the text of an answer, how it ends if it has none, or the reason of its error.
func (s serverAnswer) read(t *testing.T) string {
	t.Helper()
	connect := newOpenAI
	if s.API == "Anthropic" {
		connect = newAnthropic
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(s.Body) }))
	defer server.Close()
	a, err := connect(Config{Model: "m", BaseURL: server.URL + "/v1", HTTPClient: server.Client()})().ask(t.Context(), asked())
	if err != nil {
		failed, ok := errors.AsType[*Error](failure(t.Context(), err, time.Time{}))
		if !ok || !strings.Contains(failed.Message, "200 with an error") {
			t.Fatalf("ask = %v, %v", err, failed)
		}
		return failed.Reason
	}
	if a.end != whole {
		return map[ending]string{truncated: "truncated", unfinished: "unfinished", refused: "refused"}[a.end]
	}
	text, found := (&draft{}).markdownOf(a.text)
	if found != nil && text == "" {
		return "empty"
	}
	return text + strings.Join(found.texts(), "")
}

func TestOfAnErrorInAnAnswerTheStatusIsRead(t *testing.T) {
	for body, want := range map[string]int{
		`{"code": 429}`: 429, `{"code": "503"}`: 503, `{"status": 401}`: 401, `{"code": 7}`: 502, `{"code": 200}`: 502, `{"type": "rate_limit_error"}`: 429,
		`{"type": "invalid_request_error"}`: 400, `{"code": null, "type": "authentication_error"}`: 401, `"timed out"`: 504, `"it broke"`: 502, `[1]`: 502,
		`{"type": "api_error"}`: 502, `{"code": "model_not_found", "type": "invalid_request_error"}`: 404,
	} {
		if got := statusOf(json.RawMessage(body)); got != want {
			t.Errorf("the status of %s is %d, want %d", body, got, want)
		}
	}
	for _, none := range []string{`{"error": null, "choices": []}`, `{"error": ""}`, `{"error": {}, "choices": [{"error": null}]}`, `{"choices": [{}]}`, `{}`, `[]`, `7`, `x`} {
		if got := errorIn([]byte(none)); got != nil {
			t.Errorf("%s has the error %v", none, got)
		}
	}
}

func TestPlansWithASmallMistakeAreRead(t *testing.T) {
	const good = `{"titles": ["A"], "slug": "a", "meta_titles": ["M"], "meta_descriptions": ["D"], "sections": [{"heading": "H"}], "faq": [{"question": "Q?", "answer": "A."}]}`
	for name, plan := range map[string]string{
		"none": good, "a comma after a list": strings.ReplaceAll(good, `["A"]`, `["A",]`), "a comma after all": strings.ReplaceAll(good, `}]}`, `}],}`),
		"a comma after an object": "Here it is:\n```json\n" + strings.ReplaceAll(good, `"A."}`, "\"A.\",\n  }") + "\n```", "single quotes": strings.ReplaceAll(good, `"`, "'"),
		"names without quotes": strings.ReplaceAll(good, `"titles"`, `titles`),
	} {
		d := drafted("")
		p, found := d.readPlan(plan)
		if len(found) > 0 || len(p.Titles) != 1 || p.Titles[0] != "A" || len(p.FAQ) != 1 {
			t.Errorf("%s: %+v, %v", name, p, found.texts())
		}
	}
	if raw := findObject("{"+strings.Repeat("a: &a [*a],", 100)+"}", "a"); raw != nil {
		t.Errorf("got %.100s", raw)
	}
}

func TestCodeAloneIsNoBody(t *testing.T) {
	const words = "Shoes keep you on the path and grip. "
	for name, c := range map[string]struct {
		markdown string
		want     int
	}{
		"prose": {strings.Repeat(words, 10), 80}, "code": {"```python\n" + strings.Repeat(words, 10) + "\n```", 0},
		"both": {strings.Repeat(words, 10) + "\n\n```\n" + strings.Repeat(words, 5) + "\n```", 120},
	} {
		if got := countWords(c.markdown); got != c.want {
			t.Errorf("%s: %d words, want %d", name, got, c.want)
		}
	}
}
