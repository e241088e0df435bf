package generate_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/test/scripted"
)

// wrapping is a scripted model of either API that puts something around each of its answers.
type wrapping struct {
	kind  v1alpha1.GeneratorType
	model http.Handler
	// wrap gets an answer, and whether it is the plan or other data.
	wrap func(text string, data bool) string
}

type textOnly struct {
	Text string `json:"text"`
}

// ServeHTTP implements http.Handler.
func (m wrapping) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var asked struct {
		System   []textOnly `json:"system"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
	}
	_ = json.NewDecoder(r.Body).Decode(&asked)
	var turns []map[string]string
	for _, s := range asked.System {
		turns = append(turns, map[string]string{"role": "system", "content": s.Text})
	}
	for _, message := range asked.Messages {
		var text string
		if json.Unmarshal(message.Content, &text) != nil {
			var blocks []textOnly
			_ = json.Unmarshal(message.Content, &blocks)
			text = blocks[0].Text
		}
		turns = append(turns, map[string]string{"role": message.Role, "content": text})
	}
	question, _ := json.Marshal(map[string]any{"messages": turns})
	recorder := httptest.NewRecorder()
	m.model.ServeHTTP(recorder, httptest.NewRequestWithContext(r.Context(), http.MethodPost, "/", strings.NewReader(string(question))))
	var answered struct {
		Choices []struct {
			Message struct {
				Content string `json:"content"`
			} `json:"message"`
		} `json:"choices"`
	}
	_ = json.Unmarshal(recorder.Body.Bytes(), &answered)
	text := answered.Choices[0].Message.Content
	text = m.wrap(text, strings.HasPrefix(text, "{"))
	if m.kind == v1alpha1.GeneratorAnthropic {
		message(text, "end_turn")(w, r)
		return
	}
	completion(text, "", "stop")(w, r)
}

// wrapped returns what a scripted model writes if each of its answers is wrapped.
func wrapped(t *testing.T, kind v1alpha1.GeneratorType, model string, r generate.Request, wrap func(string, bool) string) (generate.Result, error) {
	t.Helper()
	handler, err := scripted.Handler(model)
	if err != nil {
		t.Fatal(err)
	}
	client := scripted.Client(wrapping{kind, handler, wrap})
	g, err := generate.New(generate.Config{Type: kind, Model: "m", BaseURL: "http://scripted.invalid/v1", HTTPClient: client})
	if err != nil {
		t.Fatal(err)
	}
	return g.Generate(t.Context(), r, nil)
}

// The plan, a whole body, sections and repairs are read in one way, for both APIs.
func TestWhateverIsAroundEachAnswerTheArticleIsTheSame(t *testing.T) {
	around := map[string]func(string, bool) string{}
	for name, format := range map[string]string{
		"thinking": "<thinking>\nhm {\"title\": 1}\n</thinking>\n%", "the end of thinking": "hm\n</think>\n\n%", "Mistral": "[THINK]hm[/THINK]%", "Kimi": "◁think▷hm◁/think▷%",
		"channels": "<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>%<|return|>", "ChatML": "%<|im_end|>", "Llama": "[INST] a [/INST] %</s>",
		"an open fence": "```\n%", "tildes": "~~~markdown\n%\n~~~", "words and a fence": "Sure, here is the article:\n\n```markdown\n%\n```\n\nI hope this helps!", "an element": "<answer>\n%\n</answer>",
	} {
		around[name] = func(text string, _ bool) string { return strings.ReplaceAll(format, "%", text) }
	}
	for name, format := range map[string]string{
		"front matter": "---\ntitle: Shoes\nslug: x\n---\n\n%", "words": "Here is the text:\n\n---\n\n%\n\n---\n\nLet me know if you'd like any changes.", "a call": "<tool_call>\n{\"name\": \"a\"}\n</tool_call>\n%",
	} {
		around[name] = func(text string, data bool) string {
			if data {
				return text
			}
			return strings.ReplaceAll(format, "%", text)
		}
	}
	around["citations"] = func(text string, data bool) string {
		if data {
			return text
		}
		return strings.ReplaceAll(text, ". ", "【4†source】. ") + "[^1^]"
	}
	for _, kind := range []v1alpha1.GeneratorType{v1alpha1.GeneratorOpenAI, v1alpha1.GeneratorAnthropic} {
		for model, length := range map[string]v1alpha1.ArticleLength{"perfect": v1alpha1.LengthLong, "stuffer": v1alpha1.LengthShort} {
			r := request()
			r.Length = length
			want, err := wrapped(t, kind, model, r, func(text string, _ bool) string { return text })
			if err != nil {
				t.Fatal(err)
			}
			if model == "stuffer" && len(want.Repairs) == 0 {
				t.Error("nothing is repaired")
			}
			for name, wrap := range around {
				t.Run(string(kind)+"/"+model+"/"+name, func(t *testing.T) {
					got, err := wrapped(t, kind, model, r, wrap)
					if err != nil {
						t.Fatalf("Generate: %v", err)
					}
					if diff := cmp.Diff(want.Document, got.Document); diff != "" {
						t.Errorf("document (-want +got):\n%s", diff)
					}
					if got.Usage.Turns != want.Usage.Turns {
						t.Errorf("%d turns, want %d", got.Usage.Turns, want.Usage.Turns)
					}
				})
			}
		}
	}
}

func TestCodeAtBothEndsOfAnArticleIsKept(t *testing.T) {
	body := "```bash\ntrail run\n```\n\n" + goodBody() + "\nModels write `<think>` and `<|im_end|>`:\n\n```\n<think>\nhm\n</think>\nA<|im_end|>\n```"
	for _, w := range wires() {
		result, err := newEndpoint(t, w.says(goodFields), w.says(body)).generator(t, w.kind).Generate(t.Context(), request(), nil)
		if err != nil || result.Document.Markdown != body || failsGate(result.Report, "remains") {
			t.Errorf("%s: the body is %q, %v", w.kind, result.Document.Markdown, err)
		}
	}
}

func failsGate(r check.Report, name string) bool {
	return slices.ContainsFunc(r.Must(), func(f check.Finding) bool { return f.Check == name })
}

func TestWhatMayBeARemainFailsAGate(t *testing.T) {
	for _, remain := range []string{"Shoes <|im_end|> grip.", "Shoes [INST] grip.", "Would you like me to go on?\n\nShoes grip."} {
		body := strings.Replace(goodBody(), "\n\n## ", "\n\n"+remain+"\n\n## ", 1)
		e := newEndpoint(t, completion(goodFields, "", "stop"), completion(body, "", "stop"))
		result, err := e.generator(t, "OpenAI").Generate(t.Context(), request(), nil)
		if err != nil || !failsGate(result.Report, "remains") {
			t.Errorf("%s: %+v, %v", remain, result.Report.Must(), err)
		}
		calls := e.all()
		if last := texts(t, calls[len(calls)-1])[0]; !strings.Contains(last, "set it in code") {
			t.Errorf("%s: no repair is asked for: %s", remain, last)
		}
	}
	title := strings.Replace(goodFields, "how to choose", "how <|eot_id|> to choose", 1)
	result, err := newEndpoint(t, completion(title, "", "stop"), completion(goodBody(), "", "stop")).generator(t, "OpenAI").Generate(t.Context(), request(), nil)
	if err != nil || !failsGate(result.Report, "remains") {
		t.Errorf("%+v, %v", result.Report.Must(), err)
	}
}

func TestAnAnswerWithoutATextIsAskedForAgain(t *testing.T) {
	for name, tc := range map[string]struct{ body, wantProblem string }{
		"reasoning":         {"<thinking>I will write", "the answer is empty"},
		"analysis":          {"<|channel|>analysis<|message|>I will write", "the answer is empty"},
		"a call":            {"[TOOL_CALLS][{\"name\":\"search\"}]", "the answer is empty"},
		"a call as JSON":    {`{"name":"search","arguments":{}}`, "the answer is JSON"},
		"code":              {"```python\n" + goodBody() + "\n```", "the article has 0 words"},
		"reasoning within":  {goodBody() + "\n\n<think> Should I say more?\n\nIt is enough.", "begins with"},
		"a sentence before": {"I say more </think> and shoes are good.\n\n" + goodBody(), "</think>"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, w := range wires() {
				e := newEndpoint(t, w.says(goodFields), w.says(tc.body), w.says(goodBody()))
				result, err := e.generator(t, w.kind).Generate(t.Context(), request(), nil)
				if err != nil || result.Document.Markdown != strings.TrimSpace(goodBody()) {
					t.Fatalf("Generate: %v", err)
				}
				again := texts(t, e.all()[2])
				if last := again[len(again)-1]; !strings.Contains(last, strings.ReplaceAll(strings.ReplaceAll(tc.wantProblem, "<", "‹"), ">", "›")) {
					t.Errorf("the repair turn says %q, want %q in it", last, tc.wantProblem)
				}
			}
		})
	}
}

func TestAnAnswerThatEndsForAnotherReasonIsAskedForAgain(t *testing.T) {
	half := goodBody()[:len(goodBody())*7/10]
	for kind, reasons := range map[v1alpha1.GeneratorType][]string{
		v1alpha1.GeneratorOpenAI:    {"model_length", "error", "insufficient_system_resource", "max_tokens", "tool_calls", "network_error", "abort", "anything"},
		v1alpha1.GeneratorAnthropic: {"pause_turn", "model_context_window_exceeded", "anything"},
	} {
		for _, reason := range reasons {
			t.Run(string(kind)+"/"+reason, func(t *testing.T) {
				says := func(text, reason string) http.HandlerFunc { return completion(text, "", reason) }
				if kind == v1alpha1.GeneratorAnthropic {
					says = message
				}
				e := newEndpoint(t, says(goodFields, ""), says(half, reason), says(goodBody(), "stop"))
				result, err := e.generator(t, kind).Generate(t.Context(), request(), nil)
				if err != nil || len(e.all()) != 3 || result.Document.Markdown != strings.TrimSpace(goodBody()) {
					t.Errorf("%d turns, %v, want 3 and the whole text", len(e.all()), err)
				}
				if again := texts(t, e.all()[2]); len(again) != 1 {
					t.Errorf("half of the text is sent again: %d messages", len(again))
				}
			})
		}
	}
}

func TestAnAnswerThatNeverBecomesWholeIsTriedAgainLater(t *testing.T) {
	e := newEndpoint(t, completion(goodFields, "", "stop"), completion(goodBody(), "", "error"))
	_, err := e.generator(t, "OpenAI").Generate(t.Context(), request(), nil)
	wantError(t, err, v1alpha1.ReasonInvalidAnswer, true)
}

func TestAnErrorInAnAnswerIsOneOfTheEndpoint(t *testing.T) {
	beside := map[string]any{"choices": []any{map[string]any{
		"finish_reason": "error", "error": map[string]any{"code": 502, "message": "x"}, "message": map[string]any{"content": goodBody()[:600]},
	}}}
	for name, tc := range map[string]struct {
		body          any
		want          string
		wantRetryable bool
	}{
		"beside half of the text": {beside, v1alpha1.ReasonBackendUnavailable, true},
		"alone":                   {map[string]any{"error": map[string]any{"message": "slow", "code": 429}}, v1alpha1.ReasonRateLimited, true},
		"in words":                {map[string]any{"error": "model 'x' not found"}, v1alpha1.ReasonBackendRejected, false},
		"of Anthropic":            {map[string]any{"type": "error", "error": map[string]any{"type": "overloaded_error"}}, v1alpha1.ReasonBackendUnavailable, true},
	} {
		t.Run(name, func(t *testing.T) {
			for _, w := range wires() {
				e := newEndpoint(t, w.says(goodFields), jsonAnswer(tc.body))
				_, err := e.generator(t, w.kind).Generate(t.Context(), request(), nil)
				wantError(t, err, tc.want, tc.wantRetryable)
				if len(e.all()) != 2 {
					t.Errorf("%s: %d turns, want no repair", w.kind, len(e.all()))
				}
			}
		})
	}
}

func TestAFormatThatIsRefusedWith200IsNotAskedForAgain(t *testing.T) {
	refusal := jsonAnswer(map[string]any{"error": map[string]any{"code": 400, "message": "response_format is not supported"}})
	e := newEndpoint(t, refusal, completion(goodFields, "", "stop"), completion(goodBody(), "", "stop"))
	if _, err := e.generator(t, "OpenAI").Generate(t.Context(), request(), nil); err != nil {
		t.Errorf("Generate: %v", err)
	}
	if diff := cmp.Diff([]string{"json_schema", "json_object", "plain"}, formats(e.all())); diff != "" {
		t.Errorf("formats (-want +got):\n%s", diff)
	}
}

func TestContentInPartsIsRead(t *testing.T) {
	in := func(text string) http.HandlerFunc {
		return jsonAnswer(map[string]any{"model": "m", "choices": []any{map[string]any{"finish_reason": "stop", "message": map[string]any{"content": []any{
			map[string]any{"type": "thinking", "thinking": []any{map[string]any{"type": "text", "text": "hm"}}},
			map[string]any{"type": "text", "text": text[:20]}, map[string]any{"type": "text", "text": text[20:]},
		}}}}})
	}
	result, err := newEndpoint(t, in(goodFields), in(goodBody())).generator(t, "OpenAI").Generate(t.Context(), request(), nil)
	if err != nil || result.Document.Markdown != strings.TrimSpace(goodBody()) {
		t.Errorf("%q, %v", result.Document.Markdown, err)
	}
}

func TestFieldsOfAPlanArePlainText(t *testing.T) {
	plan := strings.NewReplacer(
		`"title":"Trail running shoes: how to choose"`, `"title":"**Trail running shoes: tips &amp; tricks**"`, `"meta_title":"Trail running shoes"`, `"meta_title":"\"Trail running shoes\""`,
		"by grip, fit and cushioning", "by *grip*, fit &amp; cushioning", "How long do they last?", "## How `long` do they last?", "About 800 km.", "About 800 km &amp; more.【4†source】", `"Grip"`, `"**Grip &amp; more**"`,
	).Replace(goodFields)
	for _, w := range wires() {
		e := newEndpoint(t, w.says(plan), w.says(goodBody()))
		result, err := e.generator(t, w.kind).Generate(t.Context(), request(), nil)
		if err != nil {
			t.Fatal(err)
		}
		d := result.Document
		want := []string{
			"Trail running shoes: tips & tricks", "Trail running shoes", "How to choose trail running shoes by grip, fit & cushioning, with plain answers to the questions that most beginners ask.",
			"How long do they last?", "About 800 km & more.",
		}
		if diff := cmp.Diff(want, []string{d.Title, d.MetaTitle, d.MetaDescription, d.FAQ[0].Question, d.FAQ[0].Answer}); diff != "" {
			t.Errorf("fields (-want +got):\n%s", diff)
		}
		if question := texts(t, e.all()[1])[0]; !strings.Contains(question, `"Grip \u0026 more"`) {
			t.Errorf("%s: the heading is not plain: %s", w.kind, question)
		}
	}
}
