package content

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/language"
)

const (
	// metaTitleColumns and metaDescriptionColumns are about as much as search engines show. They bound the values that are filled in,
	// not those of an author.
	metaTitleColumns       = 60
	metaDescriptionColumns = 160
)

var (
	languageTag = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)
	// firstBlankLines are those before the first line with a text.
	firstBlankLines = regexp.MustCompile(`\A(?:[ \t]*\n)+`)
	blankLines      = regexp.MustCompile(`\n[ \t]*\n([ \t]*\n)+`)
)

// Normalize tidies a text of a model or an author. The lines of the body that repeat the title go, other first-level headings
// become second-level ones, an empty title is taken from the body, empty meta fields are filled from the text, and every field
// is brought within its bound. HTML renders the result. It fails with ErrNoTitle, ErrNoBody, ErrTooLong or ErrTooComplex.
func Normalize(d Document) (Document, error) {
	d = tidyFields(d)
	source := []byte(d.Markdown)
	doc, err := Parse(source)
	if err != nil {
		return Document{}, fmt.Errorf("normalizing: %w", err)
	}
	if d.Title == "" {
		d.Title = shorten(firstLevelText(doc, source), MaxTitleChars, perRune)
	}
	d.Markdown = trimBody(applyEdits(source, append(titleLines(doc, source, d.Title), demotions(doc, source)...)))
	// What can be normalized can be rendered, so that no revision is made that could never be published.
	if _, err := HTML(d.Markdown); err != nil {
		return Document{}, fmt.Errorf("normalizing: %w", err)
	}
	return fill(d)
}

// Complete tidies and fills the fields of a document whose body is normalized already, after an author's fields have been laid
// over it. It fails with ErrNoTitle or ErrNoBody.
func Complete(d Document) (Document, error) {
	return fill(tidyFields(d))
}

func tidyFields(d Document) Document {
	d.Title = shorten(oneLine(d.Title), MaxTitleChars, perRune)
	d.MetaTitle = shorten(oneLine(d.MetaTitle), MaxTitleChars, perRune)
	d.MetaDescription = shorten(oneLine(d.MetaDescription), MaxMetaDescriptionChars, perRune)
	d.Markdown = trimBody(clean(d.Markdown))
	d.FAQ = tidyFAQ(d.FAQ)
	d = tidyPost(d)
	if d.Language = strings.TrimSpace(d.Language); len(d.Language) > MaxLanguageBytes || !languageTag.MatchString(d.Language) {
		d.Language = ""
	}
	if d.Slug = oneLine(d.Slug); d.Slug != "" {
		d.Slug = Slug(d.Slug, d.Language)
	}
	return d
}

// tidyPost makes labels of what a post has beside its text. A tag that is left without a character that can be seen is none.
func tidyPost(d Document) Document {
	var tags []string
	for _, tag := range d.Tags {
		if tag = Label(tag); tag != "" && !slices.Contains(tags, tag) {
			tags = append(tags, tag)
		}
	}
	d.Tags, d.Category, d.Author = tags, Label(d.Category), Label(d.Author)
	if d.Image != nil {
		image := *d.Image
		// An image must have an alternative text, if only one that nobody sees.
		image.Alt, image.Credit = cmp.Or(Label(image.Alt), image.Alt), Label(image.Credit)
		d.Image = &image
	}
	return d
}

// fill checks what must be there, and fills what may be empty.
func fill(d Document) (Document, error) {
	switch {
	case d.Title == "":
		return Document{}, ErrNoTitle
	case d.Markdown == "":
		return Document{}, ErrNoBody
	}
	if d.MetaTitle == "" {
		d.MetaTitle = shorten(d.Title, metaTitleColumns, runeColumns)
	}
	if d.MetaDescription == "" {
		d.MetaDescription = describe(openingText(d.Markdown))
	}
	if d.MetaDescription == "" {
		d.MetaDescription = shorten(d.Title, metaDescriptionColumns, runeColumns)
	}
	return d, nil
}

// tidyFAQ keeps complete questions, each once, within their bounds.
func tidyFAQ(in []v1alpha1.FAQ) []v1alpha1.FAQ {
	var out []v1alpha1.FAQ
	seen := map[string]bool{}
	for _, f := range in {
		question := shorten(oneLine(f.Question), MaxQuestionChars, perRune)
		answer := shorten(paragraphs(f.Answer), MaxAnswerChars, perRune)
		key := cmp.Or(strings.Join(append(language.Words(question), ""), " "), question)
		if question == "" || answer == "" || seen[key] || len(out) == MaxFAQ {
			continue
		}
		seen[key] = true
		out = append(out, v1alpha1.FAQ{Question: question, Answer: answer})
	}
	return out
}

// paragraphs returns clean text with at most one blank line in a row and no blank lines at its ends.
func paragraphs(text string) string {
	return strings.TrimSpace(blankLines.ReplaceAllString(clean(text), "\n\n"))
}

// trimBody removes blank lines at both ends. It keeps the indentation of the first line, which is markup.
func trimBody(markdown string) string {
	return strings.TrimRight(firstBlankLines.ReplaceAllString(markdown, ""), " \t\n")
}

// openingText returns the text of a body's first paragraph that has one, without the alternative texts of its images, which say what is to
// be seen and not what the article says; "" if there is none.
func openingText(markdown string) string {
	source := []byte(markdown)
	doc, err := Parse(source)
	if err != nil {
		return ""
	}
	found := ""
	walk(doc, func(n ast.Node) bool {
		if found == "" && n.Type() == ast.TypeBlock && (n.Kind() == ast.KindParagraph || n.Kind() == ast.KindTextBlock) {
			found = inlineText(n, source, ast.KindImage)
		}
		return found == "" && n.Type() != ast.TypeInline
	})
	return found
}

// describe makes a meta description of a paragraph: whole sentences if they fill half of its length, else a cut text with
// an ellipsis.
func describe(text string) string {
	end := fitting(text, metaDescriptionColumns, runeColumns)
	if end == len(text) {
		return text
	}
	for _, stop := range []string{". ", "! ", "? ", "。", "！", "？", "। ", "؟ "} {
		if i := strings.LastIndex(text[:end], stop); i > end/2 {
			return strings.TrimSpace(text[:i+len(stop)])
		}
	}
	return shorten(text, metaDescriptionColumns-1, runeColumns) + "…"
}
