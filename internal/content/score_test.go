package content_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// good passes every check but image-alt-text, which does not apply.
func good() content.Document {
	var body strings.Builder
	body.WriteString("Trail running shoes keep you on the path.\n\n")
	for _, heading := range []string{"What trail running shoes are", "Grip", "Fit"} {
		body.WriteString("## " + heading + "\n\n")
		for range 3 {
			body.WriteString(strings.Repeat("These words fill the room that an article needs. ", 8) + "\n\n")
		}
		body.WriteString("Trail running shoes need a good outsole.\n\n")
	}
	return content.Document{
		Title: "Trail running shoes: how to choose", Slug: "trail-running-shoes-how-to-choose", Markdown: body.String(),
		MetaTitle: "Trail running shoes: a guide", Language: "en",
		MetaDescription: "Trail running shoes differ in grip, fit and cushioning. This guide says what matters and how to choose.",
		FAQ:             []v1alpha1.FAQ{{Question: "Why?", Answer: "Because."}, {Question: "How?", Answer: "So."}},
	}
}

func results(s v1alpha1.Scores) map[string]v1alpha1.CheckResult {
	out := map[string]v1alpha1.CheckResult{}
	for _, c := range s.Checks {
		out[c.Name] = c.Result
	}
	return out
}

func TestAGoodArticleHasTheFullScore(t *testing.T) {
	scores := content.Score(good(), "trail running shoes", []string{"outsole", "GRIP"})
	if scores.SEOScore != 100 {
		t.Errorf("score = %d, want 100: %+v", scores.SEOScore, scores.Checks)
	}
	if got := results(scores)["image-alt-text"]; got != v1alpha1.CheckNotApplicable {
		t.Errorf("image-alt-text = %s without images, want NotApplicable", got)
	}
}

func TestEachFlawFailsItsCheckAlone(t *testing.T) {
	const keyword = "trail running shoes"
	replace := func(s *string, from, to string) { *s = strings.ReplaceAll(*s, from, to) }
	for name, tc := range map[string]struct {
		spoil func(*content.Document)
		want  []string
	}{
		"title without keyword": {
			func(d *content.Document) { d.Title = "How to choose the best shoes" }, []string{"keyword-in-title"},
		},
		"short title": {
			func(d *content.Document) { d.Title = "Trail running shoes"; d.Slug = "" }, []string{"title-length"},
		},
		"long title": {func(d *content.Document) { d.Title += strings.Repeat(" more", 12) }, []string{"title-length"}},
		"meta title without keyword": {
			func(d *content.Document) { d.MetaTitle = "A guide to good shoes" }, []string{"keyword-in-meta-title"},
		},
		"no meta title": {
			func(d *content.Document) { d.MetaTitle = "" }, []string{"keyword-in-meta-title", "meta-title-length"},
		},
		"short meta description": {
			func(d *content.Document) { d.MetaDescription = "Trail running shoes." }, []string{"meta-description-length"},
		},
		"other meta description": {
			func(d *content.Document) { replace(&d.MetaDescription, "Trail r", "R") }, []string{"keyword-in-meta-description"},
		},
		"slug without keyword":    {func(d *content.Document) { d.Slug = "how-to-choose" }, []string{"keyword-in-slug"}},
		"slug with a longer word": {func(d *content.Document) { d.Slug = "trail-running-shoestrings" }, []string{"keyword-in-slug"}},
		"first paragraph without": {
			func(d *content.Document) { d.Markdown = "Hello there.\n\n" + d.Markdown }, []string{"keyword-in-first-paragraph"},
		},
		"headings without": {
			func(d *content.Document) { replace(&d.Markdown, "## What trail running shoes are", "## What they are") },
			[]string{"keyword-in-headings"},
		},
		"keyword stuffing": {
			func(d *content.Document) { d.Markdown += strings.Repeat("Trail running shoes.\n\n", 60) }, []string{"keyword-density"},
		},
		"a secondary keyword missing": {
			func(d *content.Document) { replace(&d.Markdown, "outsole", "sole") }, []string{"secondary-keywords"},
		},
		"one heading": {func(d *content.Document) {
			replace(&d.Markdown, "## Grip", "Grip")
			replace(&d.Markdown, "## Fit", "Fit")
		}, []string{"headings"}},
		"a long paragraph":      {func(d *content.Document) { d.Markdown += strings.Repeat("word ", 151) }, []string{"paragraph-length"}},
		"one question":          {func(d *content.Document) { d.FAQ = d.FAQ[:1] }, []string{"faq-present"}},
		"an image without text": {func(d *content.Document) { d.Markdown += "\n\n![](a.png) ![b](b.png)" }, []string{"image-alt-text"}},
		"few words": {func(d *content.Document) {
			d.Markdown = "Trail running shoes have an outsole.\n\n## Trail running shoes\n\n## Grip\n\n## Fit\n\n" +
				strings.Repeat("Words. ", 140)
		}, []string{"word-count"}},
	} {
		t.Run(name, func(t *testing.T) {
			doc := good()
			tc.spoil(&doc)
			scores := content.Score(doc, keyword, []string{"outsole", "grip"})
			want := map[string]bool{}
			for _, check := range tc.want {
				want[check] = true
			}
			for _, c := range scores.Checks {
				if (c.Result == v1alpha1.CheckFailed) != want[c.Name] {
					t.Errorf("%s is %s: %s", c.Name, c.Result, c.Message)
				}
			}
			if scores.SEOScore >= 100 || scores.SEOScore < 70 {
				t.Errorf("score = %d, want less than 100 and not much", scores.SEOScore)
			}
		})
	}
}

func TestWithoutAKeywordItsChecksDoNotCount(t *testing.T) {
	scores := content.Score(good(), "", nil)
	for name, result := range results(scores) {
		if want := strings.Contains(name, "keyword") || name == "image-alt-text"; (result == v1alpha1.CheckNotApplicable) != want {
			t.Errorf("%s is %s", name, result)
		}
	}
	if scores.SEOScore != 100 {
		t.Errorf("score = %d, want 100", scores.SEOScore)
	}
}

func TestScoreIsTheShareOfTheWeights(t *testing.T) {
	for _, doc := range []content.Document{{}, good(), {Title: "x", Markdown: strings.Repeat("[", 100000)}} {
		scores := content.Score(doc, "trail running shoes", nil)
		var passed, total float64
		for _, c := range scores.Checks {
			if c.Result != v1alpha1.CheckNotApplicable {
				total += float64(c.Weight)
			}
			if c.Result == v1alpha1.CheckPassed {
				passed += float64(c.Weight)
			}
		}
		if diff := float64(scores.SEOScore) - 100*passed/total; diff > 0.5 || diff < -0.5 {
			t.Errorf("score = %d, want %f rounded", scores.SEOScore, 100*passed/total)
		}
	}
}

// The bounds are those of the API's ScoreCheck.
func TestChecksFitTheAPI(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)
	long := strings.Repeat("長", 200)
	scores := content.Score(content.Document{Title: long}, long, []string{long + "1", long + "2", long + "3"})
	seen := map[string]bool{}
	if n := len(scores.Checks); n < 12 || n > 32 {
		t.Errorf("there are %d checks, want 12 to 32", n)
	}
	for _, c := range scores.Checks {
		if !name.MatchString(c.Name) || len(c.Name) > 64 || seen[c.Name] {
			t.Errorf("bad or repeated name %q", c.Name)
		}
		seen[c.Name] = true
		if c.Weight < 1 || c.Weight > 100 || c.Message == "" || utf8.RuneCountInString(c.Message) > 300 {
			t.Errorf("%s has weight %d and a message of %d characters", c.Name, c.Weight, utf8.RuneCountInString(c.Message))
		}
	}
}

func TestScoreReadsOtherScripts(t *testing.T) {
	scores := content.Score(content.Document{
		Title: "如何选择最好的越野跑鞋：完整指南", MetaTitle: "越野跑鞋完整指南和建议", Language: "zh",
		MetaDescription: "这份指南说明越野跑鞋的抓地力、合脚程度和缓震，以及如何为自己的道路选择合适的一双，还有常见问题。",
		Markdown:        "越野跑鞋很重要。\n\n" + strings.Repeat("## 越野跑鞋\n\n"+strings.Repeat("这里有很多关于鞋子的有用文字。", 14)+"\n\n", 8),
	}, "越野跑鞋", nil)
	for name, want := range map[string]v1alpha1.CheckResult{
		"keyword-in-title": v1alpha1.CheckPassed, "keyword-in-slug": v1alpha1.CheckPassed, "keyword-in-first-paragraph": v1alpha1.CheckPassed,
		"word-count": v1alpha1.CheckPassed, "title-length": v1alpha1.CheckPassed, "meta-description-length": v1alpha1.CheckPassed,
	} {
		if got := results(scores)[name]; got != want {
			t.Errorf("%s is %s, want %s: %+v", name, got, want, scores.Checks)
		}
	}
}
