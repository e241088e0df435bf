package check_test

import (
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
)

func TestAGoodArticleFailsNothing(t *testing.T) {
	r := check.Run(good(t))
	if failed := r.Failed(); len(failed) > 0 {
		t.Errorf("failed: %+v", failed)
	}
	// Competing links and the single first-level heading have 8 points at most.
	if got := r.SEOScore(); got != 99 {
		t.Errorf("score = %d, want 99", got)
	}
	if strings.Contains(find(t, r, "avoided-words").Message, "2 words") {
		t.Error("a word of the keyword is to be avoided")
	}
}

func TestEachFlawIsFound(t *testing.T) {
	replace := func(s *string, from, to string) {
		if !strings.Contains(*s, from) {
			t.Fatalf("%q is not in the text", from)
		}
		*s = strings.ReplaceAll(*s, from, to)
	}
	type want struct {
		check  string
		points int
		target check.Target
	}
	fields, whole, nothing := check.Target{Part: check.Fields}, check.Target{Part: check.Whole}, check.Target{Part: check.Nothing}
	section := func(i int) check.Target { return check.Target{Part: check.Section, Section: i} }
	for name, tc := range map[string]struct {
		spoil func(*check.Input)
		want  want
	}{
		"introduction without keyword": {
			func(in *check.Input) { replace(&in.Document.Markdown, "Trail running shoes keep", "Good shoes keep") },
			want{"keyphrase-in-introduction", 3, section(0)},
		},
		"introduction with keyword in two sentences": {
			func(in *check.Input) {
				replace(&in.Document.Markdown, "Trail running shoes keep you upright", "Your running shoes keep you upright. A trail is no street")
			},
			want{"keyphrase-in-introduction", 6, section(0)},
		},
		"long keyword":           {func(in *check.Input) { in.Keyword = "alpine trail running shoes wet rock" }, want{"keyphrase-length", 6, nothing}},
		"keyword of no content":  {func(in *check.Input) { in.Keyword = "how to" }, want{"keyphrase-function-words", 0, nothing}},
		"title with later key":   {func(in *check.Input) { in.Document.MetaTitle = "Buying trail running shoes" }, want{"keyphrase-in-seo-title", 6, fields}},
		"title in another order": {func(in *check.Input) { in.Document.MetaTitle = "Shoes for trail running" }, want{"keyphrase-in-seo-title", 6, fields}},
		"title without keyword":  {func(in *check.Input) { in.Document.MetaTitle = "A guide" }, want{"keyphrase-in-seo-title", 2, fields}},
		"wide title": {
			func(in *check.Input) { in.Document.MetaTitle += strings.Repeat(" with words", 5) }, want{"seo-title-width", 3, fields},
		},
		"slug without keyword": {func(in *check.Input) { in.Document.Slug = "a-guide-to-shoes" }, want{"keyphrase-in-slug", 6, fields}},
		"no description":       {func(in *check.Input) { in.Document.MetaDescription = "" }, want{"meta-description-length", 1, fields}},
		"short description": {
			func(in *check.Input) { in.Document.MetaDescription = "Trail running shoes." }, want{"meta-description-length", 6, fields},
		},
		"description without keyword": {
			func(in *check.Input) { replace(&in.Document.MetaDescription, "Trail running", "Good") }, want{"keyphrase-in-meta-description", 3, fields},
		},
		"short text": {func(in *check.Input) { in.Document.Markdown = "Trail running shoes. Few words." }, want{"text-length", -20, whole}},
		"stuffed": {
			func(in *check.Input) { in.Document.Markdown += strings.Repeat("\n\nTrail running shoes here.", 60) },
			want{"keyphrase-density", -50, section(3)},
		},
		"heading in all": {
			func(in *check.Input) {
				replace(&in.Document.Markdown, "## Grip", "## Trail running shoes: grip")
				replace(&in.Document.Markdown, "## Fit", "## Trail running shoes: fit")
			},
			want{"keyphrase-in-subheadings", 3, section(1)},
		},
		"competing link": {
			func(in *check.Input) {
				replace(&in.Document.Markdown, "[fitting room of a small shop]", "[trail running shoes]")
			}, want{"competing-links", 2, section(3)},
		},
		"no links out": {func(in *check.Input) { replace(&in.Document.Markdown, "rescue.example.org", "blog.example.com") }, want{"outbound-links", 3, nothing}},
		"no links in":  {func(in *check.Input) { replace(&in.Document.Markdown, "](/stores)", "](https://o.example)") }, want{"internal-links", 3, nothing}},
		"no image": {func(in *check.Input) {
			replace(&in.Document.Markdown, "![A pair of trail running shoes on wet rock](/images/shoes.jpg)", "")
		}, want{"images", 3, nothing}},
		"other picture": {func(in *check.Input) {
			replace(&in.Document.Markdown, "![A pair of trail running shoes on wet rock]", "![A hut]")
		}, want{"keyphrase-in-image-text", 6, nothing}},
		"long sentences": {
			func(in *check.Input) {
				for _, end := range []string{"surface", "grit", "root", "forest", "mud and snow", "mixed route"} {
					replace(&in.Document.Markdown, end+".", end+strings.Repeat(" and once more", 6)+".")
				}
			},
			want{"sentence-length", 6, section(1)},
		},
		"long paragraph": {
			func(in *check.Input) { in.Document.Markdown += "\n\n" + strings.Repeat("Walk on. ", 90) }, want{"paragraph-length", 6, section(3)},
		},
		"long section": {
			func(in *check.Input) { in.Document.Markdown += strings.Repeat("\n\nWalk on and on, my friend.", 50) }, want{"section-length", 3, section(3)},
		},
		"same beginnings": {
			func(in *check.Input) { in.Document.Markdown += "\n\nWe walk. We run. We rest." }, want{"sentence-beginnings", 3, section(3)},
		},
		"stock phrases": {
			func(in *check.Input) {
				in.Document.Markdown += "\n\nIn today's world, delve into a plethora of options. It's important to note that trails are a game changer. Unlock the power of mud."
			},
			want{"stock-phrases", 3, section(3)},
		},
		"repeated": {
			func(in *check.Input) {
				in.Document.Markdown += strings.Repeat("\n\nNever walk uphill in the new rain alone today.", 12)
			},
			want{"repeated-phrases", 3, section(3)},
		},
		"closing moral": {
			func(in *check.Input) { in.Document.Markdown += "\n\nIn conclusion, shoes matter." }, want{"closing-moral", 6, section(3)},
		},
		"secondary keyword missing": {
			func(in *check.Input) { in.SecondaryKeywords = []string{"lugs", "gaiters"} }, want{"secondary-keywords", 4, section(2)},
		},
		"too short for the request": {func(in *check.Input) { in.MinWords, in.MaxWords = 900, 1400 }, want{"requested-length", 3, whole}},
		"same keyword":              {func(in *check.Input) { in.Site.SameKeyword = []string{"other"} }, want{"unique-keyword", 3, nothing}},
		"near-duplicate":            {func(in *check.Input) { in.Site.NearDuplicates = []string{"other"} }, want{"near-duplicate", 0, whole}},
		"avoided form":              {func(in *check.Input) { in.AvoidWords = []string{"deep lug"} }, want{"avoided-words", 0, section(2)}},
		"avoided in FAQ":            {func(in *check.Input) { in.Document.FAQ = []v1alpha1.FAQ{{Question: "Why?", Answer: "Cheap."}} }, want{"avoided-words", 0, fields}},
		"placeholder":               {func(in *check.Input) { in.Document.Markdown += "\n\nAs an AI language model, I cannot run." }, want{"placeholders", 0, section(3)}},
		"template":                  {func(in *check.Input) { in.Document.Markdown += "\n\nCall [your company name] now." }, want{"placeholders", 0, section(3)}},
		"another language": {
			func(in *check.Input) { in.Document.Language = "de" }, want{"language", 0, whole},
		},
		"a foreign paragraph": {
			func(in *check.Input) {
				in.Document.Markdown += "\n\n" + strings.Repeat("Die Schuhe sind für den Wald und nicht für die Stadt gemacht. ", 5)
			},
			want{"language", 0, section(3)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			in := good(t)
			tc.spoil(&in)
			f := find(t, check.Run(in), tc.want.check)
			if f.Result != check.Failed || f.Points != tc.want.points || f.Target != tc.want.target {
				t.Errorf("%+v, want %+v", f, tc.want)
			}
			if f.Must != (f.Group == check.GroupGate) || f.Message == "" || (f.Target.Part == check.Nothing) != (f.Model == "") {
				t.Errorf("%+v", f)
			}
			if wantGain := f.MaxPoints - f.Points; f.Target.Part != check.Nothing && f.Gain != wantGain || f.Target.Part == check.Nothing && f.Gain != 0 {
				t.Errorf("gain = %d", f.Gain)
			}
		})
	}
}

func TestWithoutAKeyword(t *testing.T) {
	in := good(t)
	in.Keyword = " "
	for _, f := range check.Run(in).Findings {
		if strings.HasPrefix(f.Check, "keyphrase") && f.Result != check.NotApplicable {
			t.Errorf("%s is %s", f.Check, f.Result)
		}
	}
}

func TestWhatALanguageLacksIsNotApplicable(t *testing.T) {
	in := good(t)
	in.Document.Language = "th"
	r := check.Run(in)
	for _, name := range []string{"sentence-length", "sentence-beginnings", "lix", "stock-phrases", "closing-moral"} {
		if f := find(t, r, name); f.Result != check.NotApplicable {
			t.Errorf("%s is %s", name, f.Result)
		}
	}
}

func TestARepairIsKeptOnlyIfNothingGotWorse(t *testing.T) {
	draft := check.Run(good(t))
	worse, foreign := good(t), good(t)
	worse.Document.MetaTitle = "A guide"
	foreign.Document.Language = "fr"
	for name, in := range map[string]check.Input{"fewer points": worse, "another language": foreign} {
		if check.Better(draft, check.Run(in)) {
			t.Errorf("%s is better", name)
		}
	}
	if !check.Better(check.Run(worse), draft) || !check.Better(draft, draft) {
		t.Error("more points are not better, or the same points are worse")
	}
}

func TestTitlePixels(t *testing.T) {
	// Advance widths of Helvetica: A 667, blank 278, i 222, W 944; 20 pixels for 1000.
	for title, want := range map[string]int{"": 0, "A": 14, "Ai W": 43, "É": 14, "跑": 20} {
		if got := check.TitlePixels(title); got != want {
			t.Errorf("TitlePixels(%q) = %d, want %d", title, got, want)
		}
	}
}

func FuzzRun(f *testing.F) {
	f.Add("en", "trail shoes", "## A\n\nTrail shoes. [a](b) ![c](d)\n\n- **x** y")
	f.Add("fr", "l'huile d'olive", "L'huile <h2>a</h2> > quote\n\n`code`")
	f.Add("th", "跑", "跑鞋\xff")
	f.Fuzz(func(t *testing.T, tag, keyword, markdown string) {
		in := check.Input{
			Document: content.Document{Title: keyword, Markdown: markdown, Language: tag}, Keyword: keyword,
			SecondaryKeywords: []string{markdown}, AvoidWords: []string{keyword}, MinWords: 3, Site: &check.Site{},
		}
		r := check.Run(in)
		if score := r.SEOScore(); score < 0 || score > 100 {
			t.Errorf("score = %d", score)
		}
		for _, finding := range r.Findings {
			if len([]rune(finding.Message)) > 300 || finding.Points > finding.MaxPoints || finding.Gain < 0 {
				t.Errorf("%+v", finding)
			}
		}
		if !check.Better(r, check.Run(in)) {
			t.Error("the same input gives another report")
		}
	})
}

func TestAFeaturedImageCountsAsAnImage(t *testing.T) {
	in := good(t)
	in.Document.Markdown = strings.ReplaceAll(in.Document.Markdown, "![A pair of trail running shoes on wet rock](/images/shoes.jpg)", "")
	in.Document.Image = &v1alpha1.RevisionImage{ArticleImage: v1alpha1.ArticleImage{Alt: "A pair of trail running shoes"}}
	for _, name := range []string{"images", "keyphrase-in-image-text"} {
		if got := find(t, check.Run(in), name); got.Points != 9 {
			t.Errorf("%+v", got)
		}
	}
}
