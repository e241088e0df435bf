package generate

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/language"
)

// readBody reads an answer with a whole body, in which links have names.
func (d *draft) readBody(text string) (content.Document, problems) {
	body, found := markdownOf(text)
	if found != nil {
		return content.Document{}, found
	}
	return d.tidyBody(d.document(d.fields, body))
}

// markdownOf returns the Markdown of an answer, or what is wrong with it.
func markdownOf(answer string) (string, problems) {
	switch text := unfence(stripThinking(answer)); {
	case text == "":
		return "", problems{must("the answer is empty")}
	case strings.HasPrefix(text, "{") && findObject(text, "title", "markdown", "heading") != nil:
		return "", problems{must("the answer is JSON; it must be Markdown text")}
	default:
		return text, nil
	}
}

// tidyBody makes the mends of a body that need no turn, and looks whether it can be used.
func (d *draft) tidyBody(doc content.Document) (content.Document, problems) {
	doc.Markdown, _ = d.links.Apply(doc.Markdown)
	doc = content.MoveFAQ(doc)
	doc.FAQ = withoutAddresses(doc.FAQ)
	doc, err := content.Normalize(doc)
	if err != nil {
		return doc, problems{must("the answer is no usable Markdown text: " + label(err.Error(), 150))}
	}
	plain := content.PlainText(doc.Markdown)
	var found problems
	// With less than half of the words, a body cannot be used at all.
	if words, e := language.CountWords(plain), d.extent; words < e.minWords/2 {
		found = append(found, must(fmt.Sprintf("the article has %d words; it must have %d to %d", words, e.minWords, e.maxWords)))
	}
	if fit := language.Fits(d.request.Language, plain); !fit.OK && fit.Passage == "" {
		found = append(found, must(fmt.Sprintf("the article is not written in the language %q", d.request.Language)))
	}
	return doc, append(found, avoided(d.avoid, allText(doc)...)...)
}

func withoutAddresses(faq []v1alpha1.FAQ) []v1alpha1.FAQ {
	out := make([]v1alpha1.FAQ, 0, len(faq))
	for _, q := range faq {
		out = append(out, v1alpha1.FAQ{Question: content.WithoutAddresses(q.Question), Answer: content.WithoutAddresses(q.Answer)})
	}
	return out
}

// allText returns the visible text of an article.
func allText(doc content.Document) []string {
	texts := make([]string, 0, 4+2*len(doc.FAQ))
	texts = append(texts, doc.Title, doc.MetaTitle, doc.MetaDescription, content.PlainText(doc.Markdown))
	for _, f := range doc.FAQ {
		texts = append(texts, f.Question, f.Answer)
	}
	return texts
}

func (d *draft) document(f fields, body string) content.Document {
	slug := cmp.Or(f.Slug, f.Title)
	return content.Document{
		Title: f.Title, Slug: content.Slug(slug, d.request.Language), Markdown: body, MetaTitle: f.MetaTitle,
		MetaDescription: f.MetaDescription, Language: d.request.Language, FAQ: f.FAQ,
	}
}

// thinking are blocks of reasoning, each at the beginning of a line: an article about such tags keeps them. One that is not closed extends
// to the end.
var thinking = regexp.MustCompile(`(?s)(?:^|\n)(?:<think>.*?(?:</think>[ \t\n]*|$))+`)

// stripThinking removes the reasoning that some local models write before, and seldom within, their answer. A block without an opening
// tag, which was part of the model's template, ends at its closing tag.
func stripThinking(text string) string {
	const begin, end = "<think>", "</think>"
	text = strings.TrimSpace(text)
	if before, after, ok := strings.Cut(text, end); ok && !strings.Contains(before, begin) && !strings.Contains(after, begin) {
		text = strings.TrimSpace(after)
	}
	return strings.TrimSpace(thinking.ReplaceAllString(text, "\n"))
}

// fenced is a text with a code fence around it.
var fenced = regexp.MustCompile("(?is)^```+[ \t\r]*(?:markdown|md)?[ \t\r]*\n(.*\n)```$")

// unfence removes a code fence around the whole text.
func unfence(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(fenced.ReplaceAllString(text, "$1"))
}
