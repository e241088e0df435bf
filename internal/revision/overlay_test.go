package revision_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

func TestTheAuthorsFieldsLieOverTheGeneratedText(t *testing.T) {
	generated := document
	generated.Markdown = strings.TrimSpace(generated.Markdown)
	for _, row := range []struct {
		name    string
		content *v1alpha1.ArticleContent
		want    func(*content.Document)
	}{
		{"nothing set", nil, func(*content.Document) {}},
		{"the title", &v1alpha1.ArticleContent{Title: "Other"}, func(d *content.Document) { d.Title = "Other" }},
		{"no FAQ", &v1alpha1.ArticleContent{FAQPolicy: v1alpha1.FAQNone}, func(d *content.Document) { d.FAQ = nil }},
		{"no FAQ, whatever the content has", &v1alpha1.ArticleContent{
			FAQPolicy: v1alpha1.FAQNone, FAQ: []v1alpha1.FAQ{{Question: "Q", Answer: "A"}},
		}, func(d *content.Document) { d.FAQ = nil }},
		{"the generated FAQ", &v1alpha1.ArticleContent{FAQPolicy: v1alpha1.FAQGenerated}, func(*content.Document) {}},
		{"all the rest", &v1alpha1.ArticleContent{
			Slug: "other", MetaTitle: "M", MetaDescription: "D", FAQ: []v1alpha1.FAQ{{Question: "Q", Answer: "A"}},
		}, func(d *content.Document) {
			d.Slug, d.MetaTitle, d.MetaDescription, d.FAQ = "other", "M", "D", []v1alpha1.FAQ{{Question: "Q", Answer: "A"}}
		}},
		{"what the post has beside its text", &v1alpha1.ArticleContent{Tags: []string{"t"}, Category: "C", Author: "A"}, func(d *content.Document) {
			d.Tags, d.Category, d.Author = []string{"t"}, "C", "A"
		}},
		{"the image, which is not fetched yet", &v1alpha1.ArticleContent{Image: &v1alpha1.ArticleImage{URL: "https://a.example/b", Alt: "A"}}, func(d *content.Document) {
			d.Image = &v1alpha1.RevisionImage{ArticleImage: v1alpha1.ArticleImage{URL: "https://a.example/b", Alt: "A"}}
		}},
		{"the body, after which nothing is as generated", &v1alpha1.ArticleContent{Title: "Mine", Markdown: "My words."}, func(d *content.Document) {
			*d = content.Document{Title: "Mine", Language: "de", Markdown: "My words.", MetaTitle: "Mine", MetaDescription: "My words."}
		}},
		{"the body with its title", &v1alpha1.ArticleContent{Markdown: "# Mine\n\nMy words."}, func(d *content.Document) {
			*d = content.Document{Title: "Mine", Language: "de", Markdown: "My words.", MetaTitle: "Mine", MetaDescription: "My words."}
		}},
	} {
		want := generated
		row.want(&want)
		if got, err := revision.Compose(generated, row.content, "de"); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, want %+v", row.name, got, err, want)
		}
	}
}

func TestContentThatCannotBecomeARevision(t *testing.T) {
	escaped := strings.Repeat("    "+strings.Repeat("<", 1000)+"\n", v1alpha1.MaxMarkdownBytes/1005)
	for _, row := range []struct {
		name    string
		content v1alpha1.ArticleContent
		want    error
	}{
		{"a body without a title", v1alpha1.ArticleContent{Markdown: "My words."}, content.ErrNoTitle},
		{"only a title", v1alpha1.ArticleContent{Title: "Mine", Markdown: "# Mine"}, content.ErrNoBody},
		{"only blanks", v1alpha1.ArticleContent{Title: "Mine", Markdown: " \n\t"}, content.ErrNoBody},
		{"too complex a markup", v1alpha1.ArticleContent{Title: "Mine", Markdown: strings.Repeat("*a ", 20000)}, content.ErrTooComplex},
		{"too large with the escapes of JSON", v1alpha1.ArticleContent{Title: "Mine", Markdown: escaped}, content.ErrTooLong},
	} {
		if _, err := revision.Compose(content.Document{}, &row.content, "en"); !errors.Is(err, row.want) {
			t.Errorf("%s: got %v, want %v", row.name, err, row.want)
		}
	}
}
