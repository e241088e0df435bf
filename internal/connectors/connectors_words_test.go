package connectors_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/test/destinationtest"
)

// That the preview and the REST API show the same is in apiserver/dashboard.
func TestEveryDestinationShowsTheWordsThatWereApproved(t *testing.T) {
	for name, c := range destinationtest.Texts {
		t.Run(name, func(t *testing.T) {
			doc, err := content.Normalize(content.Document{
				Title: "Trail shoes", Slug: "trail-shoes", Language: "en", Markdown: c.Markdown, FAQ: destinationtest.FAQ,
			})
			if err != nil {
				t.Fatal(err)
			}
			approved, err := content.HTML(doc.Markdown)
			if err != nil {
				t.Fatal(err)
			}
			want := destinationtest.WordsOf(t, approved)
			if !strings.Contains(want, c.Want) {
				t.Errorf("a reviewer reads %q, want %q", want, c.Want)
			}
			article := &v1alpha1.Article{}
			article.Status.Slug = doc.Slug
			a, err := publish.NewArticle(article, doc)
			if err != nil {
				t.Fatal(err)
			}
			for _, kind := range destinationtest.Types() {
				sent := destinationtest.SentTo(t, kind, a)
				if diff := cmp.Diff(destinationtest.WordsWithFAQ(kind, want, doc.FAQ), sent.Words(t)); diff != "" {
					t.Errorf("%s shows other words than those that were approved:\n%s", kind, diff)
				}
				if kind == v1alpha1.CMSWordPress && strings.Contains(sent.HTML, "[") {
					t.Errorf("WordPress runs the shortcodes of %q", sent.HTML)
				}
			}
		})
	}
}
