package generate

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// outliner is the built-in generator: it lays out an article from texts of its own (outline_text.go), without a model and
// without a network, and says so in the article. The same request always gives the same article. Its language is English.
type outliner struct{}

// Generate lays the article out.
func (outliner) Generate(ctx context.Context, r Request, progress Progress) (Result, error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	o := newOutline(r)
	for step, write := range []func(){o.writeFields, o.writeBody, func() {}} {
		if err := ctx.Err(); err != nil {
			return Result{}, failure(ctx, err, time.Time{})
		}
		progress(step+1, steps)
		write()
	}
	doc, err := content.Normalize(o.doc)
	if err != nil || !o.honest || content.CountWords(content.PlainText(doc.Markdown)) < minBodyWords {
		return Result{}, &Error{
			Reason:  v1alpha1.ReasonInvalidAnswer,
			Message: "the built-in generator's text cannot do without the words to avoid: avoid fewer, or use a model",
		}
	}
	return Result{Document: doc}, nil
}

// outline is an article being laid out.
type outline struct {
	doc      content.Document
	language string
	avoid    []string
	// values take the place of names in braces; markup has them escaped for Markdown.
	values, markup *strings.Replacer
	secondary      []string
	tone, audience string
	// honest is whether the text says what wrote it.
	honest bool
}

func newOutline(r Request) *outline {
	keyword := label(clean(r.Keyword), 200)
	site := label(clean(r.SiteName), 200)
	if site == "" {
		site = "this site"
	}
	o := &outline{avoid: avoidable(r), tone: label(clean(r.Tone), 200), audience: label(clean(r.Audience), 500), language: r.Language}
	for _, s := range r.SecondaryKeywords {
		if s = label(clean(s), 200); s != "" {
			o.secondary = append(o.secondary, s)
		}
	}
	pairs := []string{"{keyword}", keyword, "{Keyword}", upperFirst(keyword), "{site}", site, "{tone}", o.tone, "{audience}", o.audience}
	escaped := make([]string, len(pairs))
	for i, s := range pairs {
		escaped[i] = s
		if i%2 == 1 {
			escaped[i] = escapeMarkdown(s)
		}
	}
	o.values, o.markup = strings.NewReplacer(pairs...), strings.NewReplacer(escaped...)
	return o
}

// pick returns the first wording without a word to avoid, or "".
func (o *outline) pick(wordings []string) string {
	for _, w := range wordings {
		if len(avoided(o.avoid, o.values.Replace(w))) == 0 {
			return w
		}
	}
	return ""
}

// plain returns a wording as plain text.
func (o *outline) plain(wordings ...string) string { return o.values.Replace(o.pick(wordings)) }

func (o *outline) writeFields() {
	o.doc = content.Document{
		Title: o.plain(outlineTitles...), MetaTitle: o.plain(outlineMetaTitles...),
		MetaDescription: o.plain(outlineMetaDescriptions...), Language: "en",
	}
	if o.doc.Title == "" {
		o.doc.Title = o.plain("{Keyword}")
	}
	// The slug is spelt as the site's language does: the keyword in it is of that language.
	o.doc.Slug = content.Slug(o.doc.Title, o.language)
	for _, q := range outlineQuestions {
		if f := (v1alpha1.FAQ{Question: o.plain(q.question...), Answer: o.plain(q.answer...)}); f.Question != "" && f.Answer != "" {
			o.doc.FAQ = append(o.doc.FAQ, f)
		}
	}
}

func (o *outline) writeBody() {
	var b strings.Builder
	notice := o.pick(outlineNotices)
	o.honest = notice != ""
	b.WriteString(o.markup.Replace(notice) + "\n\n")
	o.writeParagraph(&b, outlineIntroduction)
	for _, s := range outlineSections {
		o.writeSection(&b, s)
	}
	o.writeSecondary(&b)
	o.writeSection(&b, outlineClosing)
	o.doc.Markdown = b.String()
}

func (o *outline) writeSection(b *strings.Builder, s outlineSection) {
	if heading := o.pick(s.heading); heading != "" {
		b.WriteString("## " + o.markup.Replace(heading) + "\n\n")
	}
	for _, p := range s.paragraphs {
		o.writeParagraph(b, p)
	}
	written := false
	for _, item := range s.list {
		if w := o.pick(item); w != "" {
			b.WriteString("- " + o.markup.Replace(w) + "\n")
			written = true
		}
	}
	if written {
		b.WriteString("\n")
	}
}

// writeParagraph writes the sentences that can be said.
func (o *outline) writeParagraph(b *strings.Builder, sentences []outlineSentence) {
	var said []string
	for _, s := range sentences {
		if s.needs == needsTone && o.tone == "" || s.needs == needsAudience && o.audience == "" {
			continue
		}
		if w := o.pick(s.wordings); w != "" {
			said = append(said, o.markup.Replace(w))
		}
	}
	if len(said) > 0 {
		b.WriteString(strings.Join(said, " ") + "\n\n")
	}
}

func (o *outline) writeSecondary(b *strings.Builder) {
	if len(o.secondary) == 0 {
		return
	}
	o.writeSection(b, outlineSection{heading: outlineSecondaryHeading})
	for i, s := range o.secondary {
		wording := o.pick(outlineSecondary[i%len(outlineSecondary)])
		if wording == "" {
			wording = "{secondary}."
		}
		parts := strings.Split(wording, "{secondary}")
		for j := range parts {
			parts[j] = o.markup.Replace(parts[j])
		}
		// The word before it keeps the heading's text from beginning with whatever signs the keyword has.
		fmt.Fprintf(b, "### About %s\n\nOn %s\n\n", escapeMarkdown(s), strings.Join(parts, escapeMarkdown(s)))
	}
}
