package article

import (
	"strings"

	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/internal/textdiff"
)

// document is a text with its fields.
type document struct {
	Title, Slug, MetaTitle, MetaDescription, Markdown string
	FAQ                                               []restarticle.FAQEntry
	Post                                              restarticle.PostFields
}

func documentOf(r restarticle.ArticleRevision) document {
	return document{r.Title, r.Slug, r.MetaTitle, r.MetaDescription, r.ContentMarkdown, r.FAQ, r.PostFields}
}

// currentDocument is the text of an article. Its slug is the one in use, which a revision only proposes.
func currentDocument(a restarticle.Article) document {
	return document{a.Title, a.Slug, a.MetaTitle, a.MetaDescription, a.ContentMarkdown, a.FAQ, a.PostFields}
}

// difference is what changed between two documents.
type difference struct {
	Fields []fieldChange
	Body   []part
	// Changes counts the parts of the body that differ.
	Changes int
	// Lines says that the texts are too large for a comparison of words.
	Lines bool
}

// Same reports whether nothing differs.
func (d difference) Same() bool { return len(d.Fields) == 0 && d.Changes == 0 }

// fieldChange is a field that differs.
type fieldChange struct {
	Name  string
	Spans []span
}

// part is a run of paragraphs that differ, or of paragraphs that are the same and are folded.
type part struct {
	// Number of the change, from 1; 0 for what is the same. Next is that of the next one; 0 without one.
	Number, Next int
	Paragraphs   [][]span
}

// span is a run of words.
type span struct {
	Added, Removed bool
	Text           string
}

// differences compares two documents. The order is that of the page: fields, then the body.
func differences(before, after document) difference {
	var out difference
	for _, f := range []struct{ name, before, after string }{
		{"Title", before.Title, after.Title}, {"Slug", before.Slug, after.Slug}, {"Meta title", before.MetaTitle, after.MetaTitle},
		{"Meta description", before.MetaDescription, after.MetaDescription}, {"FAQ", faqText(before.FAQ), faqText(after.FAQ)},
		{"Tags", strings.Join(before.Post.Tags, ", "), strings.Join(after.Post.Tags, ", ")},
		{"Category", before.Post.Category, after.Post.Category}, {"Author", before.Post.Author, after.Post.Author},
		{"Image", imageText(before.Post.Image), imageText(after.Post.Image)},
	} {
		if f.before == f.after || f.name == "Slug" && (f.before == "" || f.after == "") {
			continue
		}
		change := fieldChange{Name: f.name}
		for i, p := range textdiff.Compare(f.before, f.after) {
			if i > 0 {
				change.Spans = append(change.Spans, span{Text: "\n"})
			}
			change.Spans = append(change.Spans, spansOf(p)...)
		}
		out.Fields = append(out.Fields, change)
	}
	out.Lines = max(len(before.Markdown), len(after.Markdown)) > textdiff.MaxWordBytes
	for _, p := range textdiff.Compare(before.Markdown, after.Markdown) {
		out.add(p)
	}
	for i := range out.Body {
		if n := out.Body[i].Number; n > 0 && n < out.Changes {
			out.Body[i].Next = n + 1
		}
	}
	return out
}

// add adds a paragraph to the part that it belongs to.
func (d *difference) add(p textdiff.Paragraph) {
	last := len(d.Body) - 1
	if last < 0 || (d.Body[last].Number > 0) != p.Changed() {
		next := part{}
		if p.Changed() {
			d.Changes++
			next.Number = d.Changes
		}
		d.Body = append(d.Body, next)
		last++
	}
	d.Body[last].Paragraphs = append(d.Body[last].Paragraphs, spansOf(p))
}

// spansOf returns the spans of a paragraph. The line breaks at its end are not shown, but for those that are a change by themselves.
func spansOf(p textdiff.Paragraph) []span {
	out := make([]span, 0, len(p.Spans))
	for _, s := range p.Spans {
		out = append(out, span{Added: s.Kind == textdiff.Added, Removed: s.Kind == textdiff.Removed, Text: s.Text})
	}
	if last := len(out) - 1; last >= 0 {
		if text := strings.TrimRight(out[last].Text, "\n"); text != "" {
			out[last].Text = text
		}
	}
	return out
}

// faqText is an FAQ as a text to compare.
func faqText(entries []restarticle.FAQEntry) string {
	var b strings.Builder
	for _, e := range entries {
		b.WriteString(e.Question + "\n" + e.Answer + "\n\n")
	}
	return b.String()
}
