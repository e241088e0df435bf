package publish

import (
	"fmt"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// NewArticle returns what a connector sends of an article: a document under the article's slug, rendered. It is a function of both
// alone, so anyone who has the revision that was sent can make the request again.
func NewArticle(a *v1alpha1.Article, doc content.Document) (Article, error) {
	html, err := content.HTML(doc.Markdown)
	if err != nil {
		return Article{}, fmt.Errorf("rendering the text of %s: %w", a.Name, err)
	}
	out := Known(a)
	doc.Slug = out.Slug
	out.Document, out.HTML = doc, html
	return out, nil
}

// Known returns what is recorded of the post of an article, without a text.
func Known(a *v1alpha1.Article) Article {
	out := Article{Document: content.Document{Slug: a.Status.Slug}}
	if p := a.Status.Publication; p != nil {
		out.ExternalID, out.URL = p.ExternalID, p.URL
		out.Recorded = Recorded{Slug: p.Slug, Hash: p.PostHash}
	}
	return out
}
