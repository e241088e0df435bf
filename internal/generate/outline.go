package generate

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"text/template"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/check"
	"github.com/pressroom-dev/pressroom/internal/content"
)

//go:embed outline.md.tmpl
var outlineText string

// outlineSteps are as many as a model takes for an article in one piece.
const outlineSteps = 3

// outlineBody is the template of the body. No line of it begins with a value, so that no sign in a keyword can begin a line.
var outlineBody = template.Must(template.New("outline").Funcs(template.FuncMap{"plain": content.EscapeText}).Parse(outlineText))

// outliner is the built-in generator: it fills a fixed outline with the request, without a model and without a network, and says
// so in the article. The same request always gives the same article. Its language is English.
type outliner struct{}

// outline holds the values of the template.
type outline struct {
	Keyword, Site, Tone, Audience string
	Secondary                     []string
}

// Generate fills the outline, which takes no time: all steps begin at once.
func (outliner) Generate(ctx context.Context, r Request, progress Progress) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, failure(ctx, err, time.Time{})
	}
	for step := 1; progress != nil && step <= outlineSteps; step++ {
		progress(step, outlineSteps)
	}
	doc, err := fillOutline(r)
	if err != nil {
		return Result{}, err
	}
	in := CheckInput(r, doc)
	// The outline has one length, whatever the request asks for.
	in.MinWords, in.MaxWords = 0, 0
	return Result{Document: doc, Report: check.Run(in)}, nil
}

func fillOutline(r Request) (content.Document, error) {
	o := newOutline(r)
	doc := o.fields(r.Language)
	var body strings.Builder
	err := outlineBody.Execute(&body, o)
	if err == nil {
		doc.Markdown = body.String()
		doc, err = content.Normalize(doc)
	}
	if err != nil {
		return doc, &Error{
			Reason: v1alpha1.ReasonInvalidAnswer, Message: "the built-in generator cannot fill its outline: " + label(err.Error(), 200),
		}
	}
	return doc, avoidedInOutline(r, doc)
}

// check fills the outline, which costs nothing.
func (outliner) check(r Request) error {
	_, err := fillOutline(r)
	if typed, ok := errors.AsType[*Error](err); ok && typed.Settings {
		return invalidRequest(typed.Message)
	}
	return nil
}

// avoidedInOutline returns an error if the outline has words that the request forbids.
func avoidedInOutline(r Request, doc content.Document) error {
	found := avoided(wordsToAvoid(r), allText(doc)...)
	if len(found) == 0 {
		return nil
	}
	return &Error{
		Reason: v1alpha1.ReasonInvalidAnswer, Settings: true,
		Message: fmt.Sprintf("the built-in generator has one outline, and %s: avoid fewer words, or use a model", found.summary()),
	}
}

func newOutline(r Request) outline {
	o := outline{
		Keyword: label(r.Keyword, 200), Site: label(r.SiteName, 200), Tone: label(r.Tone, 200),
		Audience: label(r.Audience, 500),
	}
	o.Site = cmp.Or(o.Site, "this site")
	for _, s := range r.SecondaryKeywords {
		if s = label(s, 200); s != "" {
			o.Secondary = append(o.Secondary, s)
		}
	}
	return o
}

// fields returns everything but the body. The slug is spelt as the site's language does: the keyword in it is of that language.
func (o outline) fields(language string) content.Document {
	first, size := utf8.DecodeRuneInString(o.Keyword)
	title := string(unicode.ToTitle(first)) + o.Keyword[size:]
	return content.Document{
		Title: title + ": an outline to build on", Slug: content.Slug(title+": an outline to build on", language),
		MetaTitle: title + ": an outline", Language: "en",
		MetaDescription: "An outline about " + o.Keyword +
			": what readers ask, what to compare, which mistakes to avoid, and what to check before publishing.",
		FAQ: []v1alpha1.FAQ{
			{
				Question: "How would one explain " + o.Keyword + " in one sentence?",
				Answer: "That sentence belongs here. The built-in generator lays out articles and knows no facts, " +
					"so an editor has to write it.",
			},
			{
				Question: "Was this text about " + o.Keyword + " written by a language model?",
				Answer: "No. It is an outline from the built-in generator, which fills fixed texts with the keyword. " +
					"Connect a model to get written articles.",
			},
			{
				Question: "What should be done before it is published?",
				Answer: "Replace the instructions with real text, check the facts, add sources and links, " +
					"and read it once from beginning to end.",
			},
		},
	}
}
