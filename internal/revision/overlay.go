package revision

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// Overlay replaces the fields of a document that the author has set. Of a document whose body the author replaces, only the
// language stays, and the title if the author sets none: its other fields are about another text.
func Overlay(doc content.Document, c *v1alpha1.ArticleContent) content.Document {
	if c == nil || c.Markdown == "" {
		return OverlayFields(doc, c)
	}
	return OverlayFields(content.Document{Title: doc.Title, Language: doc.Language, Markdown: c.Markdown}, c)
}

// OverlayFields is Overlay without the body, for a body that was generated after the author's.
func OverlayFields(doc content.Document, c *v1alpha1.ArticleContent) content.Document {
	if c == nil {
		return doc
	}
	for _, field := range []struct {
		to   *string
		from string
	}{
		{&doc.Title, c.Title}, {&doc.Slug, c.Slug}, {&doc.MetaTitle, c.MetaTitle}, {&doc.MetaDescription, c.MetaDescription},
	} {
		if field.from != "" {
			*field.to = field.from
		}
	}
	if c.FAQ != nil {
		doc.FAQ = c.FAQ
	}
	return doc
}
