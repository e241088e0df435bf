package content

import (
	"fmt"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// The bounds of the checks. Lengths are in columns: an East Asian wide character takes two.
const (
	minTitle, maxTitle                     = 20, 70
	minMetaTitle, maxMetaTitle             = 15, 60
	minMetaDescription, maxMetaDescription = 70, 160
	minWords                               = 600
	minHeadings                            = 3
	maxParagraphWords                      = 150
	minQuestions                           = 2
	// Keyword density in tenths of a percent: 0.2 % to 3.0 % of the words begin the keyword.
	minDensity, maxDensity = 2, 30
)

// check is a named rule with its weight.
type check struct {
	name   string
	weight int32
	run    func(*facts) (v1alpha1.CheckResult, string)
}

// checks in the order in which they are reported. Their names are part of the API: add to them, do not rename.
var checks = []check{
	{"keyword-in-title", 10, keywordIn("the title", func(f *facts) []string { return language.Words(f.Title) })},
	{"keyword-in-meta-title", 5, keywordIn("the meta title", func(f *facts) []string { return language.Words(f.MetaTitle) })},
	{"keyword-in-meta-description", 8, keywordIn("the meta description", func(f *facts) []string { return language.Words(f.MetaDescription) })},
	{"keyword-in-slug", 6, keywordInSlug},
	{"keyword-in-first-paragraph", 8, keywordIn("the first paragraph", func(f *facts) []string { return f.firstParagraph })},
	{"keyword-in-headings", 6, keywordInHeadings},
	{"keyword-density", 6, keywordDensity},
	{"secondary-keywords", 6, secondaryKeywords},
	{"title-length", 6, length("the title", minTitle, maxTitle, func(f *facts) string { return f.Title })},
	{"meta-title-length", 6, length("the meta title", minMetaTitle, maxMetaTitle, func(f *facts) string { return f.MetaTitle })},
	{"meta-description-length", 7, length("the meta description", minMetaDescription, maxMetaDescription,
		func(f *facts) string { return f.MetaDescription })},
	{"word-count", 10, wordCount},
	{"headings", 6, headings},
	{"paragraph-length", 4, paragraphLength},
	{"faq-present", 6, faqPresent},
	{"image-alt-text", 4, imageAltText},
}

func keywordIn(where string, words func(*facts) []string) func(*facts) (v1alpha1.CheckResult, string) {
	return func(f *facts) (v1alpha1.CheckResult, string) {
		switch {
		case len(f.keyword) == 0:
			return withoutKeyword()
		case language.CountPhrase(words(f), f.keyword) > 0:
			return v1alpha1.CheckPassed, where + " has the keyword"
		default:
			return v1alpha1.CheckFailed, where + " should have the keyword"
		}
	}
}

func withoutKeyword() (v1alpha1.CheckResult, string) {
	return v1alpha1.CheckNotApplicable, "there is no keyword"
}

func keywordInSlug(f *facts) (v1alpha1.CheckResult, string) {
	switch {
	case len(f.keyword) == 0:
		return withoutKeyword()
	case language.CountPhrase(f.slugWords, f.slugKey) > 0:
		return v1alpha1.CheckPassed, "the slug has the keyword"
	default:
		return v1alpha1.CheckFailed, "the slug should have the keyword"
	}
}

func keywordInHeadings(f *facts) (v1alpha1.CheckResult, string) {
	if len(f.keyword) == 0 {
		return withoutKeyword()
	}
	for _, heading := range f.headings {
		if language.CountPhrase(heading, f.keyword) > 0 {
			return v1alpha1.CheckPassed, "a heading has the keyword"
		}
	}
	return v1alpha1.CheckFailed, "a heading should have the keyword"
}

func keywordDensity(f *facts) (v1alpha1.CheckResult, string) {
	if len(f.keyword) == 0 {
		return withoutKeyword()
	}
	if f.words == 0 {
		return v1alpha1.CheckFailed, "the body has no words"
	}
	count := language.CountPhrase(f.bodyWords, f.keyword)
	density := 1000 * count / f.words
	found := fmt.Sprintf("the keyword appears %d times in %d words (%d.%d %%)", count, f.words, density/10, density%10)
	if density < minDensity || density > maxDensity {
		return v1alpha1.CheckFailed, fmt.Sprintf("%s; it should be %d.%d to %d.%d %%", found,
			minDensity/10, minDensity%10, maxDensity/10, maxDensity%10)
	}
	return v1alpha1.CheckPassed, found
}

func secondaryKeywords(f *facts) (v1alpha1.CheckResult, string) {
	if len(f.secondary) == 0 {
		return v1alpha1.CheckNotApplicable, "there are no secondary keywords"
	}
	var missing []string
	for i, phrase := range f.secondary {
		if language.CountPhrase(f.bodyWords, phrase) == 0 {
			missing = append(missing, f.secondaryTexts[i])
		}
	}
	if len(missing) == 0 {
		return v1alpha1.CheckPassed, fmt.Sprintf("%d of %[1]d secondary keywords are in the text", len(f.secondary))
	}
	message := fmt.Sprintf("%d of %d secondary keywords are not in the text: %s", len(missing), len(f.secondary),
		strings.Join(missing, ", "))
	return v1alpha1.CheckFailed, shorten(message, 250, perRune)
}

func length(what string, low, high int, text func(*facts) string) func(*facts) (v1alpha1.CheckResult, string) {
	return func(f *facts) (v1alpha1.CheckResult, string) {
		return inRange(what, columns(text(f)), low, high, "characters")
	}
}

func wordCount(f *facts) (v1alpha1.CheckResult, string) {
	if f.words < minWords {
		return v1alpha1.CheckFailed, fmt.Sprintf("the text has %d words; it should have at least %d", f.words, minWords)
	}
	return v1alpha1.CheckPassed, fmt.Sprintf("the text has %d words", f.words)
}

func headings(f *facts) (v1alpha1.CheckResult, string) {
	if len(f.headings) < minHeadings {
		return v1alpha1.CheckFailed, fmt.Sprintf("the text has %d headings; it should have at least %d", len(f.headings), minHeadings)
	}
	return v1alpha1.CheckPassed, fmt.Sprintf("the text has %d headings", len(f.headings))
}

func paragraphLength(f *facts) (v1alpha1.CheckResult, string) {
	if f.longest > maxParagraphWords {
		return v1alpha1.CheckFailed,
			fmt.Sprintf("the longest paragraph has %d words; it should have at most %d", f.longest, maxParagraphWords)
	}
	return v1alpha1.CheckPassed, fmt.Sprintf("the longest paragraph has %d words", f.longest)
}

func faqPresent(f *facts) (v1alpha1.CheckResult, string) {
	if len(f.FAQ) < minQuestions {
		return v1alpha1.CheckFailed,
			fmt.Sprintf("there are %d questions and answers; there should be at least %d", len(f.FAQ), minQuestions)
	}
	return v1alpha1.CheckPassed, fmt.Sprintf("there are %d questions and answers", len(f.FAQ))
}

func imageAltText(f *facts) (v1alpha1.CheckResult, string) {
	switch {
	case f.images == 0:
		return v1alpha1.CheckNotApplicable, "there are no images"
	case f.imagesNoAlt > 0:
		return v1alpha1.CheckFailed, fmt.Sprintf("%d of %d images have no alternative text", f.imagesNoAlt, f.images)
	default:
		return v1alpha1.CheckPassed, fmt.Sprintf("all %d images have alternative text", f.images)
	}
}
