package generate_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/generate"
)

func TestAnArticleTakesTwoTurns(t *testing.T) {
	for _, w := range wires() {
		t.Run(string(w.kind), func(t *testing.T) {
			e := newEndpoint(t, w.says(goodFields), w.says(goodBody()))
			var seen [][2]int
			result, err := e.generator(t, w.kind).Generate(t.Context(), request(), func(step, steps int) { seen = append(seen, [2]int{step, steps}) })
			if err != nil {
				t.Fatalf("Generate: %v", err)
			}
			want := content.Document{
				Title: "Trail running shoes: how to choose", Slug: "trail-running-shoes", Markdown: strings.TrimSpace(goodBody()),
				MetaTitle: "Trail running shoes", Language: "en",
				MetaDescription: "How to choose trail running shoes by grip, fit and cushioning, with plain answers to the questions that most beginners ask.",
				FAQ:             []v1alpha1.FAQ{{Question: "How long do they last?", Answer: "About 800 km."}},
			}
			if diff := cmp.Diff(want, result.Document); diff != "" {
				t.Errorf("document (-want +got):\n%s", diff)
			}
			if result.Model != "small-2026-11-01" || tokensOf(result.Usage) != [2]int64{20, 40} {
				t.Errorf("model = %q, usage = %+v", result.Model, result.Usage)
			}
			if diff := cmp.Diff([][2]int{{1, 3}, {2, 3}, {3, 3}}, seen); diff != "" {
				t.Errorf("progress (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWrappingAroundAnswersIsRemoved(t *testing.T) {
	for name, tc := range map[string]struct{ fields, body string }{
		"a code fence":            {"```json\n" + goodFields + "\n```", "```markdown\n" + goodBody() + "```"},
		"words around":            {"Here is {the} plan:\n" + goodFields + "\nI hope that {helps}.", goodBody()},
		"reasoning":               {"<think>\n{\"title\": maybe}\n</think>\n" + goodFields, "<think>\n# Hmm\n\nfirst\n</think>\n\n" + goodBody()},
		"reasoning without begin": {"let me see\n</think>" + goodFields, "let me see\n</think>\n\n" + goodBody()},
		"two blocks of reasoning": {"<think>a</think><think>b</think>" + goodFields, "<think>a</think>\n<think>b</think>\n" + goodBody()},
		"a title":                 {goodFields, "# Trail Running Shoes: How to Choose\n\n" + goodBody()},
		"an object before it":     {`{"note":"x"} ` + goodFields, goodBody()},
	} {
		t.Run(name, func(t *testing.T) {
			for _, w := range wires() {
				t.Run(string(w.kind), func(t *testing.T) {
					e := newEndpoint(t, w.says(tc.fields), w.says(tc.body))
					result, err := e.generator(t, w.kind).Generate(t.Context(), request(), nil)
					if err != nil {
						t.Fatalf("Generate: %v", err)
					}
					doc := result.Document
					if doc.Title != "Trail running shoes: how to choose" || !strings.HasPrefix(doc.Markdown, "Trail running shoes keep") {
						t.Errorf("title = %q, body begins with %.60q", doc.Title, doc.Markdown)
					}
					if len(e.all()) != 2 {
						t.Errorf("it took %d turns, want 2", len(e.all()))
					}
				})
			}
		})
	}
}

func TestAnArticleAboutReasoningTagsKeepsThem(t *testing.T) {
	body := "Trail running shoes and `<think>` tags: models write <think> and </think> in a line.\n\n" + goodBody()
	e := newEndpoint(t, completion(goodFields, "", "stop"), completion(body, "", "stop"))
	result, err := e.generator(t, "OpenAI").Generate(t.Context(), request(), nil)
	if err != nil || !strings.HasPrefix(result.Document.Markdown, "Trail running shoes and `<think>`") {
		t.Errorf("body = %.80q, %v", result.Document.Markdown, err)
	}
}

func TestAFAQInTheBodyMovesOut(t *testing.T) {
	body := goodBody() + "\n## FAQ\n\n### Are they warm?\n\nSome are.\n"
	e := newEndpoint(t, completion(goodFields, "", "stop"), completion(body, "", "stop"))
	result, err := e.generator(t, "OpenAI").Generate(t.Context(), request(), nil)
	if err != nil || len(result.Document.FAQ) != 2 || strings.Contains(result.Document.Markdown, "FAQ") {
		t.Errorf("FAQ = %+v, %v, want both and none of it in the body", result.Document.FAQ, err)
	}
}

func TestBadAnswersAreRepairedOnce(t *testing.T) {
	avoid := request()
	avoid.AvoidWords = []string{"cheap"}
	for name, tc := range map[string]struct {
		request generate.Request
		fields  string
		body    string
		// wantProblem is in the repair turn.
		wantProblem string
	}{
		"no JSON":              {request(), "I would rather not plan.", "", "no JSON object"},
		"cut JSON":             {request(), goodFields[:100], "", "no JSON object"},
		"empty fields":         {request(), "", "", "no JSON object"},
		"wrong types":          {request(), `{"title":["a"],"faq":"none"}`, "", "types"},
		"no title":             {request(), strings.Replace(goodFields, "Trail running shoes: how to choose", " ", 1), "", "title is missing"},
		"no meta fields":       {request(), `{"title":"Trail running shoes","outline":["a"],"faq":[{"question":"a","answer":"b"}]}`, "", "meta_title is missing"},
		"a long title":         {request(), strings.Replace(goodFields, "how to choose", strings.Repeat("x", 300), 1), "", "more than 300 characters"},
		"no FAQ":               {request(), strings.Replace(goodFields, `[{"question":"How long do they last?","answer":"About 800 km."}]`, "[]", 1), "", "faq is missing"},
		"a word to avoid":      {avoid, strings.Replace(goodFields, "how to choose", "Cheap ones", 1), "", "\"cheap\""},
		"an empty body":        {request(), "", "   ", "the answer is empty"},
		"only reasoning":       {request(), "", "<think>I will write", "the answer is empty"},
		"a short body":         {request(), "", "Trail running shoes are good.", "5 words"},
		"a rather short body":  {request(), "", "## A\n\n" + strings.Repeat("word ", 300), "301 words"},
		"JSON for a body":      {request(), "", `{"title":"x","markdown":"y"}`, "must be Markdown"},
		"an avoided body word": {avoid, "", goodBody() + "\nThey are CHEAP.", "\"cheap\""},
		"impossible markup":    {request(), "", goodBody() + strings.Repeat("[", 5000), "too complex"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, w := range wires() {
				t.Run(string(w.kind), func(t *testing.T) {
					answers := []http.HandlerFunc{w.says(tc.fields), w.says(goodFields), w.says(goodBody())}
					question := 0
					if tc.body != "" {
						answers = []http.HandlerFunc{w.says(goodFields), w.says(tc.body), w.says(goodBody())}
						question = 1
					}
					e := newEndpoint(t, answers...)
					result, err := e.generator(t, w.kind).Generate(t.Context(), tc.request, nil)
					if err != nil {
						t.Fatalf("Generate: %v", err)
					}
					if tokensOf(result.Usage) != [2]int64{30, 60} {
						t.Errorf("usage = %+v, want that of three turns", result.Usage)
					}
					calls := e.all()
					repair := texts(t, calls[question+1])
					if last := repair[len(repair)-1]; !strings.Contains(last, tc.wantProblem) {
						t.Errorf("the repair turn says %q, want %q in it", last, tc.wantProblem)
					}
					if first := texts(t, calls[question])[0]; !strings.HasPrefix(repair[0], first) {
						t.Errorf("the repair turn does not repeat the question")
					}
				})
			}
		})
	}
}

func TestAnAnswerThatStaysBadIsInvalid(t *testing.T) {
	for _, w := range wires() {
		t.Run(string(w.kind), func(t *testing.T) {
			for name, answers := range map[string][]http.HandlerFunc{
				"fields": {w.says("no"), w.says("no")},
				"body":   {w.says(goodFields), w.says("short"), w.says("short again")},
			} {
				t.Run(name, func(t *testing.T) {
					e := newEndpoint(t, answers...)
					_, err := e.generator(t, w.kind).Generate(t.Context(), request(), nil)
					got := wantError(t, err, v1alpha1.ReasonInvalidAnswer, true)
					turns := int64(len(answers))
					if tokensOf(got.Usage) != [2]int64{10 * turns, 20 * turns} || len(e.all()) != len(answers) {
						t.Errorf("usage = %+v after %d turns, want that of %d", got.Usage, len(e.all()), turns)
					}
				})
			}
		})
	}
}

func TestMinorProblemsAreAcceptedAfterARepair(t *testing.T) {
	noFAQ := strings.Replace(goodFields, `[{"question":"How long do they last?","answer":"About 800 km."}]`, "[]", 1)
	for _, w := range wires() {
		t.Run(string(w.kind), func(t *testing.T) {
			for name, answers := range map[string][]http.HandlerFunc{
				"the same again":         {w.says(noFAQ), w.says(noFAQ), w.says(goodBody())},
				"something worse":        {w.says(noFAQ), w.says("sorry"), w.says(goodBody())},
				"an endpoint that fails": {w.says(noFAQ), w.fails(503, "overloaded", "x"), w.says(goodBody())},
			} {
				t.Run(name, func(t *testing.T) {
					result, err := newEndpoint(t, answers...).generator(t, w.kind).Generate(t.Context(), request(), nil)
					if err != nil || result.Document.Title == "" || len(result.Document.FAQ) != 0 {
						t.Errorf("Generate = %+v, %v, want an article without FAQ", result.Document, err)
					}
				})
			}
		})
	}
}

func TestWordsOfTheKeywordAreNotAvoided(t *testing.T) {
	r := request()
	r.AvoidWords = []string{"trail", "Grip", "unicorn"}
	e := newEndpoint(t, completion(goodFields, "", "stop"), completion(goodBody(), "", "stop"))
	if _, err := e.generator(t, "OpenAI").Generate(t.Context(), r, nil); err != nil {
		t.Errorf("Generate: %v", err)
	}
	if question := texts(t, e.all()[0])[0]; !strings.Contains(question, `"unicorn"`) || strings.Contains(question, `"Grip"`) {
		t.Errorf("the question is %q", question)
	}
}

func TestCutAnswersAreAskedForShorter(t *testing.T) {
	for _, w := range wires() {
		t.Run(string(w.kind), func(t *testing.T) {
			e := newEndpoint(t, w.says(goodFields), w.cut(goodBody()), w.says(goodBody()))
			if _, err := e.generator(t, w.kind).Generate(t.Context(), request(), nil); err != nil {
				t.Fatalf("Generate: %v", err)
			}
			again := texts(t, e.all()[2])
			if len(again) != 1 || !strings.Contains(again[0], "cut off") {
				t.Errorf("the repair turn has %d messages, want the question alone, saying that it was cut off", len(again))
			}
		})
	}
}

func TestAnswersThatStayCutAreTruncated(t *testing.T) {
	for _, w := range wires() {
		t.Run(string(w.kind), func(t *testing.T) {
			for name, answers := range map[string][]http.HandlerFunc{
				"fields": {w.cut(goodFields)},
				"body":   {w.says(goodFields), w.cut(goodBody())},
			} {
				t.Run(name, func(t *testing.T) {
					_, err := newEndpoint(t, answers...).generator(t, w.kind).Generate(t.Context(), request(), nil)
					if got := wantError(t, err, v1alpha1.ReasonTruncated, false); got.Usage.OutputTokens < 40 {
						t.Errorf("usage = %+v, want that of all turns", got.Usage)
					}
				})
			}
		})
	}
}

func TestRefusalsEndTheRun(t *testing.T) {
	for _, w := range wires() {
		t.Run(string(w.kind), func(t *testing.T) {
			e := newEndpoint(t, w.says(goodFields), w.refuses)
			_, err := e.generator(t, w.kind).Generate(t.Context(), request(), nil)
			if got := wantError(t, err, v1alpha1.ReasonRefused, false); tokensOf(got.Usage) != [2]int64{20, 40} {
				t.Errorf("usage = %+v, want that of both turns", got.Usage)
			}
			if len(e.all()) != 2 {
				t.Errorf("it took %d turns, want no repair after a refusal", len(e.all()))
			}
		})
	}
}

func TestCancellationIsReturnedAsItIs(t *testing.T) {
	for _, w := range wires() {
		t.Run(string(w.kind), func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			e := newEndpoint(t, w.says(goodFields), func(_ http.ResponseWriter, r *http.Request) {
				cancel()
				<-r.Context().Done()
			})
			_, err := e.generator(t, w.kind).Generate(ctx, request(), nil)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("Generate = %v, want context.Canceled", err)
			}
			if _, ok := errors.AsType[*generate.Error](err); ok {
				t.Errorf("Generate = %T, want the context's own error", err)
			}
		})
	}
}
