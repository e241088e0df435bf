package revision

import (
	"encoding/json"
	"fmt"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// MaxJSONBytes bounds a document as JSON, in which one byte takes up to six. etcd takes requests of at most 1.5 MiB.
const MaxJSONBytes = 1_400_000

// Compose makes the document that a manifest asks for. It is a function of spec.content, the latest generated text and the site's
// language, and of nothing else. If the author wrote the body, nothing is taken over from the generated text. Otherwise the author's
// fields, if there are any, lie over it; it is zero if there is none. It fails with an error of package content.
func Compose(generated content.Document, c *v1alpha1.ArticleContent, language string) (content.Document, error) {
	if err := checkSize(c); err != nil {
		return content.Document{}, err
	}
	var doc content.Document
	var err error
	if c == nil || c.Markdown == "" {
		doc, err = content.Complete(Overlay(generated, c))
	} else {
		doc, err = content.Normalize(Overlay(content.Document{Language: language, Markdown: c.Markdown}, c))
	}
	if err != nil {
		return content.Document{}, err
	}
	return doc, checkSize(doc)
}

// checkSize refuses what is too large for kube-apiserver to store.
func checkSize(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("measuring the article: %w", err)
	}
	if len(data) > MaxJSONBytes {
		return fmt.Errorf("%w: with the escapes of JSON it has %d bytes and may have %d", content.ErrTooLong, len(data), MaxJSONBytes)
	}
	return nil
}

// Overlay replaces the fields of a document that the author has set, apart from the body.
func Overlay(doc content.Document, c *v1alpha1.ArticleContent) content.Document {
	if c == nil {
		return doc
	}
	for _, field := range []struct {
		to   *string
		from string
	}{
		{&doc.Title, c.Title}, {&doc.Slug, c.Slug}, {&doc.MetaTitle, c.MetaTitle}, {&doc.MetaDescription, c.MetaDescription},
		{&doc.Category, c.Category}, {&doc.Author, c.Author},
	} {
		if field.from != "" {
			*field.to = field.from
		}
	}
	if len(c.Tags) > 0 {
		doc.Tags = c.Tags
	}
	if c.Image != nil {
		doc.Image = &v1alpha1.RevisionImage{ArticleImage: *c.Image}
	}
	switch {
	case c.FAQPolicy == v1alpha1.FAQNone:
		doc.FAQ = nil
	case len(c.FAQ) > 0:
		doc.FAQ = c.FAQ
	}
	return doc
}
