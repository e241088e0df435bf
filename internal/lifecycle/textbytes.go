package lifecycle

import (
	"strconv"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// TextBytes returns the size of what the author of an article has written, in bytes, also if Strip has removed it.
func TextBytes(a *v1alpha1.Article) int64 {
	if !Stripped(a) {
		return a.Spec.Content.TextBytes()
	}
	// Without content it is empty.
	n, _ := strconv.ParseInt(a.ManagedFields[0].Subresource, 10, 64)
	return n
}

// strippedBytes is the size of a text as Strip writes it into the managed fields; empty for no text.
func strippedBytes(c *v1alpha1.ArticleContent) string {
	if n := c.TextBytes(); n > 0 {
		return strconv.FormatInt(n, 10)
	}
	return ""
}
