package shopify_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAnArticleHasItsTagsAndItsAuthor(t *testing.T) {
	c := newConnection(t)
	c.site.Spec.CMS.Shopify.Tags = []string{"Blog", "Trail"}
	a := article()
	a.Tags, a.Author = []string{"trail", "Rock"}, "Mara"
	a = recorded(a, c.publish(t, a))
	if p := c.only(t); !cmp.Equal(p.tags, []any{"Blog", "Trail", "Rock"}) || p.author != "Mara" {
		t.Errorf("%+v", p)
	}
	without := recorded(article(), c.publish(t, a))
	without.ExternalID, without.URL = a.ExternalID, a.URL
	c.publish(t, without)
	if p := c.only(t); !cmp.Equal(p.tags, []any{"Blog", "Trail"}) || p.author != c.site.Spec.CMS.Shopify.AuthorName {
		t.Errorf("%+v", p)
	}
}
