package generate

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/ground"
	"github.com/pressroom-dev/pressroom/internal/language"
	"github.com/pressroom-dev/pressroom/internal/modeltext"
)

// readBody reads an answer with a whole body, in which links have names.
func (d *draft) readBody(text string) (content.Document, problems) {
	body, found := d.markdownOf(text)
	if found != nil {
		return content.Document{}, found
	}
	return d.tidyBody(d.document(d.fields, body))
}

// markdownOf returns the Markdown of an answer, or what is wrong with it.
func (d *draft) markdownOf(answer string) (string, problems) {
	read := modeltext.Body
	if len(d.links.Sources) > 0 {
		read = modeltext.CitedBody
	}
	text := read(answer)
	switch sign := modeltext.Stray(text); {
	case text == "":
		return "", problems{must("the answer is empty")}
	case json.Valid([]byte(text)):
		return "", problems{must("the answer is JSON; it must be Markdown text")}
	case sign != "":
		const found = "a line of the answer begins with %s; write no reasoning, call no tools, and set tags in code"
		return "", problems{must(fmt.Sprintf(found, label(sign, 50)))}
	default:
		return text, nil
	}
}

// countWords counts the words of a body. Code counts as much as all other words at most: a body that is only code is no text.
func countWords(markdown string) int {
	all := language.CountWords(content.PlainText(markdown))
	body, err := content.Read(markdown)
	if err != nil {
		return all
	}
	return min(all, 2*max(all-language.CountWords(body.Aside), 0))
}

// tidyBody makes the mends of a body that need no turn, and looks whether it can be used.
func (d *draft) tidyBody(doc content.Document) (content.Document, problems) {
	doc.Markdown, _ = d.links.Apply(doc.Markdown)
	doc = content.MoveFAQ(doc)
	doc.FAQ = d.supported(d.plainFAQ(doc.FAQ))
	doc, err := content.Normalize(doc)
	if err != nil {
		return doc, problems{must("the answer is no usable Markdown text: " + label(err.Error(), 150))}
	}
	var found problems
	// With less than half of the words, a body cannot be used at all.
	if words, e := countWords(doc.Markdown), d.extent; words < e.minWords/2 {
		found = append(found, must(fmt.Sprintf("the article has %d words; it must have %d to %d", words, e.minWords, e.maxWords)))
	}
	if fit := language.Fits(d.request.Language, content.PlainText(doc.Markdown)); !fit.OK && fit.Passage == "" {
		found = append(found, must(fmt.Sprintf("the article is not written in the language %q", d.request.Language)))
	}
	return doc, append(found, avoided(d.avoid, allText(doc)...)...)
}

// plainFAQ returns questions and answers as readers see them, without addresses and without names of sources.
func (d *draft) plainFAQ(faq []v1alpha1.FAQ) []v1alpha1.FAQ {
	out := make([]v1alpha1.FAQ, 0, len(faq))
	for _, q := range faq {
		out = append(out, v1alpha1.FAQ{
			Question: modeltext.Line(d.links.WithoutNames(q.Question)), Answer: modeltext.Paragraphs(d.links.WithoutNames(q.Answer)),
		})
	}
	return out
}

// supported leaves out the questions with a claim that the brief does not support: no repair asks for questions.
func (d *draft) supported(faq []v1alpha1.FAQ) []v1alpha1.FAQ {
	if d.request.Material == nil {
		return faq
	}
	material := d.known(*d.request.Material)
	return slices.DeleteFunc(faq, func(q v1alpha1.FAQ) bool {
		claims := ground.Check(content.Document{Language: d.request.Language, FAQ: []v1alpha1.FAQ{q}}, material, nil)
		return slices.ContainsFunc(claims, ground.Claim.Counts)
	})
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
