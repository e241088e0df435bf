package revision

import (
	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
)

// CheckFields returns an error if the author's fields cannot lie over any generated text, such as a title of blanks. A body of the
// author's own lies over none.
func CheckFields(c *v1alpha1.ArticleContent) error {
	if c == nil || c.Markdown != "" {
		return nil
	}
	_, err := Compose(content.Document{Title: "Title", Markdown: "Text."}, c, "en")
	return err
}
