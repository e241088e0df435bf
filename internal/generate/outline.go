package generate

import (
	"cmp"
	"context"
	"embed"
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
	"github.com/pressroom-dev/pressroom/internal/embedded"
	"github.com/pressroom-dev/pressroom/internal/ground"
)

//go:embed outline.md.tmpl outline.yaml
var outlineFiles embed.FS

// outlineFields are everything but the body.
var outlineFields = embedded.MustYAML[plan](outlineFiles, "outline.yaml")

// outlineSteps is the number of steps that the outline reports: as many as a model that writes an article in one piece.
const outlineSteps = 3

// outlineBody is the template of the body. No line of it begins with a value, so that no sign in a keyword can begin a line.
var outlineBody = embedded.MustParse(
	template.New("outline.md.tmpl").Funcs(template.FuncMap{"plain": content.EscapeText}), outlineFiles, "outline.md.tmpl")

// outliner is the built-in generator: it fills a fixed outline with the request, without a model and without a network, and says
// so in the article. The same request always gives the same article. Its language is English.
type outliner struct{}

// outline holds the values of the template.
type outline struct {
	Keyword, Site, Tone, Audience string
	Secondary                     []string
	// Brief is whether there is one. Then the outline names nothing that is not in it.
	Brief   bool
	Facts   []string
	Sources []sourceData
}

// Generate fills the outline, which takes no time: all steps begin at once.
func (outliner) Generate(ctx context.Context, r Request, progress Progress) (Result, error) {
	if err := ctx.Err(); err != nil {
		return Result{}, failure(ctx, err, time.Time{})
	}
	for step := 1; progress != nil && step <= outlineSteps; step++ {
		progress(step, outlineSteps)
	}
	doc, cited, err := fillOutline(r)
	if err != nil {
		return Result{}, err
	}
	in := CheckInput(r, doc)
	// The outline has one length, whatever the request asks for, and no model wrote it.
	in.MinWords, in.MaxWords, in.Generated, in.Cited = 0, 0, false, cited
	return Result{Document: doc, Report: check.Run(in), Cited: cited}, nil
}

func fillOutline(r Request) (content.Document, []ground.Citation, error) {
	o := newOutline(r)
	var body strings.Builder
	var cited []ground.Citation
	doc := o.fields(r.Language)
	err := outlineBody.Execute(&body, o)
	if err == nil {
		doc.Markdown, cited = defined(content.NamedLinks{Sources: namedSources(r)}, body.String())
		doc, err = content.Normalize(doc)
	}
	if err != nil {
		return doc, nil, &Error{
			Reason: v1alpha1.ReasonInvalidAnswer, Message: "the built-in generator cannot fill its outline: " + label(err.Error(), 200),
		}
	}
	return doc, cited, avoidedInOutline(r, doc)
}

// check fills the outline, which costs nothing.
func (outliner) check(r Request) error {
	_, _, err := fillOutline(r)
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
	if r.Material == nil {
		return o
	}
	o.Brief = true
	for _, f := range r.Material.Facts {
		o.Facts = append(o.Facts, label(f, 500))
	}
	for _, s := range r.Material.Sources {
		o.Sources = append(o.Sources, sourceData{Name: s.Name, Title: label(s.Title, 300)})
	}
	return o
}

// fields returns everything but the body. The slug is spelt as the site's language does: the keyword in it is of that language.
func (o outline) fields(language string) content.Document {
	p := outlineFields
	first, size := utf8.DecodeRuneInString(o.Keyword)
	fill := strings.NewReplacer("{Keyword}", string(unicode.ToTitle(first))+o.Keyword[size:], "{keyword}", o.Keyword).Replace
	doc := content.Document{
		Title: fill(p.Title), Slug: content.Slug(fill(p.Title), language), MetaTitle: fill(p.MetaTitle),
		MetaDescription: fill(p.MetaDescription), Language: "en",
	}
	for _, q := range p.FAQ {
		doc.FAQ = append(doc.FAQ, v1alpha1.FAQ{Question: fill(q.Question), Answer: fill(q.Answer)})
	}
	return doc
}
