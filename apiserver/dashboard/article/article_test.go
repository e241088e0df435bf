package article_test

import (
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/article"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// A form of approval takes the place of one for the same text alone. The list of revisions comes from a cache, and may lack the newest.
func TestTheFormsAreAboutTheTextThatTheySend(t *testing.T) {
	revision := func(text string) restarticle.ArticleRevisionSummary {
		return restarticle.ArticleRevisionSummary{Digest: "sha256:" + strings.Repeat(text, 64)}
	}
	of := func(digest string, revisions ...restarticle.ArticleRevisionSummary) string {
		var a restarticle.Article
		a.RevisionDigest = digest
		return article.TextID(a, revisions)
	}
	one, two := revision("1"), revision("2")
	stored := of(one.Digest, one)
	if being := of(""); being != "" || stored == "" {
		t.Errorf("the id is %q before a text can be decided on, and then %q", being, stored)
	}
	if lacking := of(two.Digest, one); lacking == "" || lacking == stored || lacking != of(two.Digest, two, one) {
		t.Errorf("the id is %q while the list lacks the text", lacking)
	}
}
