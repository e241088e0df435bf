package revision

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// CheckFields returns an error if the author's fields cannot lie over any generated text, such as a title of blanks.
func CheckFields(c *v1alpha1.ArticleContent) error {
	_, err := content.Complete(OverlayFields(content.Document{Title: "Title", Markdown: "Text."}, c))
	return err
}
