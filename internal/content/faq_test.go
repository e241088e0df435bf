package content_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// generated normalizes a text as the generators do.
func generated(t *testing.T, d content.Document) content.Document {
	t.Helper()
	return normalize(t, content.MoveFAQ(d))
}

func TestFAQSectionsOfGeneratedBodiesMoveOut(t *testing.T) {
	two := []v1alpha1.FAQ{{Question: "What is grip?", Answer: "Hold on wet rock."}, {Question: "How long?", Answer: "About 800 km."}}
	const questions = "\n\n### What is grip?\n\nHold on *wet* rock.\n\n### How long?\n\nAbout 800 km."
	for name, tc := range map[string]struct {
		language, section string
		want              []v1alpha1.FAQ
	}{
		"sub-headings":         {"en", "## FAQ" + questions, two},
		"numbered":             {"en", "## 7. FAQs\n\n### 1. What is grip?\n\nHold on wet rock.\n\n### Q2: How long?\n\nAbout 800 km.", two},
		"with an introduction": {"en", "## FAQ\n\nPeople ask:" + questions, two},
		"about something":      {"en", "## Frequently asked questions about trail shoes" + questions, two},
		"decorated":            {"en", "## ❓ FAQ:" + questions, two},
		"first level":          {"en", "# FAQ\n\n## What is grip?\n\nHold on wet rock.\n\n## How long?\n\nAbout 800 km.", two},
		"underlined":           {"en", "FAQ\n---" + questions, two},
		"longer answers": {
			"en", "## FAQ\n\n### What is grip?\n\nHold.\n\n#### Where?\n\n- on rock\n- on **mud**\n\nAlways.",
			[]v1alpha1.FAQ{{Question: "What is grip?", Answer: "Hold.\n\nWhere?\n\n- on rock\n- on mud\n\nAlways."}},
		},
		"without a language": {"", "## FAQ" + questions, two},
		"English in German":  {"de-CH", "## FAQ" + questions, two},
		"German":             {"de-CH", "## Häufig gestellte Fragen\n\n### Wie lange?\n\nLange.", []v1alpha1.FAQ{{Question: "Wie lange?", Answer: "Lange."}}},
		"Norwegian":          {"no", "## Ofte stilte spørsmål\n\n### Hvor lenge?\n\nLenge.", []v1alpha1.FAQ{{Question: "Hvor lenge?", Answer: "Lenge."}}},
		"Japanese":           {"ja", "## よくある質問\n\n### グリップとは？\n\n大事です。", []v1alpha1.FAQ{{Question: "グリップとは？", Answer: "大事です。"}}},
		"Arabic":             {"ar", "## الأسئلة الشائعة\n\n### ما هو؟\n\nحذاء.", []v1alpha1.FAQ{{Question: "ما هو؟", Answer: "حذاء."}}},
	} {
		t.Run(name, func(t *testing.T) {
			got := generated(t, content.Document{Title: "T", Markdown: "Text.\n\n" + tc.section, Language: tc.language})
			if diff := cmp.Diff(tc.want, got.FAQ); diff != "" {
				t.Errorf("FAQ (-want +got):\n%s", diff)
			}
			if got.Markdown != "Text." {
				t.Errorf("body = %q, want only the text", got.Markdown)
			}
		})
	}
}

func TestWhatFollowsTheFAQStays(t *testing.T) {
	const section = "## FAQ\n\n### Why?\n\nBecause [of it][1].\n\n[1]: https://example.com/1\n\n"
	got := generated(t, content.Document{Title: "T", Markdown: "Text [one][1].\n" + section + "Conclusion\n----------\n\nThe end."})
	want := "Text [one][1].\n\n[1]: https://example.com/1\n\nConclusion\n----------\n\nThe end."
	if got.Markdown != want || len(got.FAQ) != 1 {
		t.Errorf("body = %q, want %q", got.Markdown, want)
	}
	html, err := content.HTML(got.Markdown)
	if err != nil || !strings.Contains(html, `<a href="https://example.com/1">one</a>`) || !strings.Contains(html, "<h2>Conclusion</h2>") {
		t.Errorf("HTML = %q, %v, want the link and the heading", html, err)
	}
}

func TestOtherSectionsStayInTheBody(t *testing.T) {
	for name, body := range map[string]string{
		"no questions":                   "Text.\n\n## FAQ\n\nAsk us anything.",
		"a section about FAQ pages":      "Text.\n\n## FAQ pages help readers\n\n### Why\n\nBecause.",
		"questions of another name":      "Text.\n\n## Why trail shoes?\n\nBecause.",
		"a name in another language":     "Text.\n\n## Preguntas frecuentes\n\n### ¿Por qué?\n\nPorque sí.",
		"questions without an answer":    "Text.\n\n## FAQ\n\n### Why?\n\nBecause.\n\n### How?",
		"questions that are no headings": "Text.\n\n## FAQ\n\n**Why?**\n\nBecause.",
		"questions on its own level":     "Text.\n\n## FAQ\n\n## Why?\n\nBecause.",
		"a heading above the questions":  "Text.\n\n## FAQ\n\n#### Why?\n\nBecause.\n\n### The end\n\nBye.",
		"a heading within a quote":       "Text.\n\n> ## FAQ\n> \n> ### Why?\n> \n> Because.",
		"a heading within some code":     "Text.\n\n```\n## FAQ\n\n### Why?\n\nBecause.\n```",
	} {
		t.Run(name, func(t *testing.T) {
			got := generated(t, content.Document{Title: "T", Markdown: body, Language: "de"})
			if got.Markdown != body || len(got.FAQ) != 0 {
				t.Errorf("body = %q with %d questions, want it as it was", got.Markdown, len(got.FAQ))
			}
		})
	}
}

func TestAnAuthorsFAQSectionStaysInTheBody(t *testing.T) {
	const body = "Text.\n\n## FAQ\n\n### Why?\n\nBecause.\n\n## Häufige Fragen\n\n### Wie?\n\nSo."
	got := normalize(t, content.Document{Title: "T", Markdown: body, Language: "de"})
	if got.Markdown != body || len(got.FAQ) != 0 {
		t.Errorf("body = %q with %d questions, want it as it was", got.Markdown, len(got.FAQ))
	}
}

func TestQuestionsOfTheBodyJoinThoseThatAreGiven(t *testing.T) {
	given := make([]v1alpha1.FAQ, 1, 8)
	given[0] = v1alpha1.FAQ{Question: "Why?", Answer: "Given."}
	got := generated(t, content.Document{
		Title: "T", Markdown: "Text.\n\n## FAQ\n\n### why?\n\nSection.\n\n### How?\n\nSo.", FAQ: given,
	})
	want := []v1alpha1.FAQ{{Question: "Why?", Answer: "Given."}, {Question: "How?", Answer: "So."}}
	if diff := cmp.Diff(want, got.FAQ); diff != "" {
		t.Errorf("FAQ (-want +got):\n%s", diff)
	}
	if extra := given[:2][1]; extra.Question != "" {
		t.Errorf("the caller's questions were written over with %+v", extra)
	}
}

func TestABodyThatCannotBeParsedStaysForNormalizeToRefuse(t *testing.T) {
	d := content.Document{Title: "T", Markdown: strings.Repeat("[", 100000)}
	if diff := cmp.Diff(d, content.MoveFAQ(d)); diff != "" {
		t.Errorf("MoveFAQ (-want +got):\n%s", diff)
	}
}
