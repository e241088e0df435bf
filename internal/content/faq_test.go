package content_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

func TestFAQSectionsAreKeptOutOfTheBody(t *testing.T) {
	two := []v1alpha1.FAQ{{Question: "What is grip?", Answer: "Hold on wet rock."}, {Question: "How long?", Answer: "About 800 km."}}
	for name, tc := range map[string]struct {
		section string
		want    []v1alpha1.FAQ
	}{
		"sub-headings": {"## FAQ\n\n### What is grip?\n\nHold on *wet* rock.\n\n### How long?\n\nAbout 800 km.", two},
		"numbered":     {"## 7. FAQs\n\n### 1. What is grip?\n\nHold on wet rock.\n\n### 2. How long?\n\nAbout 800 km.", two},
		"bold lines": {
			"## Frequently Asked Questions\n\n**What is grip?**\n\nHold on wet rock.\n\n**How long?**\nAbout 800 km.", two,
		},
		"bold with Q and A":   {"## FAQ\n\n**Q: What is grip?**\nA: Hold on wet rock.\n\n**Q2: How long?**\n\nA2: About 800 km.", two},
		"a list of bold ones": {"## FAQ\n\n1. **What is grip?** Hold on wet rock.\n2. **How long?**\n   About 800 km.", two},
		"with an introduction": {
			"## FAQ\n\nPeople ask:\n\n### What is grip?\n\nHold on wet rock.\n\n" +
				"### How long?\n\nAbout 800 km.", two,
		},
		"about something": {
			"## Frequently asked questions about trail shoes\n\n### What is grip?\n\nHold on wet rock.\n\n" +
				"### How long?\n\nAbout 800 km.", two,
		},
		"on the section's level": {"## FAQ\n\n## What is grip?\n\nHold on wet rock.\n\n## How long?\n\nAbout 800 km.", two},
		"decorated":              {"## ❓ FAQ:\n\n### What is grip?\n\nHold on wet rock.\n\n### How long?\n\nAbout 800 km.", two},
		"first level":            {"# FAQ\n\n## What is grip?\n\nHold on wet rock.\n\n## How long?\n\nAbout 800 km.", two},
		"underlined": {
			"FAQ\n---\n\n### What is grip?\n\nHold on wet rock.\n\n" +
				"### How long?\n\nAbout 800 km.", two,
		},
		"longer answers": {
			"## FAQ\n\n### What is grip?\n\nHold.\n\n- on rock\n- on **mud**\n\nAlways.",
			[]v1alpha1.FAQ{{Question: "What is grip?", Answer: "Hold.\n\n- on rock\n- on mud\n\nAlways."}},
		},
		"bold in answers": {
			"## FAQ\n\n**What is grip?**\n\nHold.\n\n**Note:** not on ice.\n\n- **Rock:** yes",
			[]v1alpha1.FAQ{{Question: "What is grip?", Answer: "Hold.\n\nNote: not on ice.\n\n- Rock: yes"}},
		},
		"German":   {"## Häufig gestellte Fragen\n\n### Wie lange?\n\nLange.", []v1alpha1.FAQ{{Question: "Wie lange?", Answer: "Lange."}}},
		"Japanese": {"## よくある質問\n\n### グリップとは？\n\n大事です。", []v1alpha1.FAQ{{Question: "グリップとは？", Answer: "大事です。"}}},
		"Arabic":   {"## الأسئلة الشائعة\n\n### ما هو؟\n\nحذاء.", []v1alpha1.FAQ{{Question: "ما هو؟", Answer: "حذاء."}}},
	} {
		t.Run(name, func(t *testing.T) {
			got := normalize(t, content.Document{Title: "T", Markdown: "Text.\n\n" + tc.section})
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
	got := normalize(t, content.Document{Title: "T", Markdown: "Text [one][1].\n" + section + "Conclusion\n----------\n\nThe end."})
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
		"an FAQ nobody can read":     "Text.\n\n## FAQ\n\nAsk us anything.",
		"a section about FAQ pages":  "Text.\n\n## FAQ pages help readers\n\n### Why\n\nBecause.",
		"questions of another name":  "Text.\n\n## Why trail shoes?\n\nBecause.",
		"a heading within a quote":   "Text.\n\n> ## FAQ\n> \n> ### Why?\n> \n> Because.",
		"a heading within some code": "Text.\n\n```\n## FAQ\n\n### Why?\n\nBecause.\n```",
	} {
		t.Run(name, func(t *testing.T) {
			got := normalize(t, content.Document{Title: "T", Markdown: body})
			if got.Markdown != body || len(got.FAQ) != 0 {
				t.Errorf("body = %q with %d questions, want it as it was", got.Markdown, len(got.FAQ))
			}
		})
	}
}

func TestQuestionsOfTheBodyJoinThoseThatAreGiven(t *testing.T) {
	got := normalize(t, content.Document{
		Title: "T", Markdown: "Text.\n\n## FAQ\n\n### why?\n\nSection.\n\n### How?\n\nSo.",
		FAQ: []v1alpha1.FAQ{{Question: "Why?", Answer: "Given."}},
	})
	want := []v1alpha1.FAQ{{Question: "Why?", Answer: "Given."}, {Question: "How?", Answer: "So."}}
	if diff := cmp.Diff(want, got.FAQ); diff != "" {
		t.Errorf("FAQ (-want +got):\n%s", diff)
	}
}
