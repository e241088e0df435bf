package article_test

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/apiserver/dashboard/article"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// TestFieldsOfTwoPeopleAreMerged is about what is sent beside the body, whose merging is that of package textdiff.
func TestFieldsOfTwoPeopleAreMerged(t *testing.T) {
	const body = "The huts are open.\n\nThe last bus leaves at six."
	base := func() restarticle.ArticleRevision {
		r := restarticle.ArticleRevision{ContentMarkdown: body}
		r.Title, r.Slug, r.MetaTitle, r.MetaDescription, r.Tags = "Huts", "huts", "Huts", "Open again.", []string{"Alps"}
		return r
	}
	for name, tt := range map[string]struct {
		mine   url.Values
		theirs func(*restarticle.Article)
		// want is what is saved, as JSON without the title of a new body; - is a conflict.
		want, changed string
	}{
		"mine alone":   {url.Values{"tags": {"Tyrol"}}, func(*restarticle.Article) {}, `{"tags":["Tyrol"]}`, ""},
		"theirs alone": {nil, func(a *restarticle.Article) { a.Title = "Cabins" }, `{}`, "the title"},
		"both the same": {
			url.Values{"title": {"Cabins"}}, func(a *restarticle.Article) { a.Title = "Cabins" }, `{}`, "the title",
		},
		"one field each": {
			url.Values{"tags": {"Tyrol"}}, func(a *restarticle.Article) { a.Title, a.Category = "Cabins", "Walks" }, `{"tags":["Tyrol"]}`, "the title, the category",
		},
		"a field and a body": {
			url.Values{"markdown": {strings.Replace(body, "six", "seven", 1)}}, func(a *restarticle.Article) { a.Tags = []string{"Tyrol"} },
			`{"title":"Huts","content_markdown":"The huts are open.\n\nThe last bus leaves at seven.","meta_title":null,"meta_description":"Open again."}`, "the tags",
		},
		"a meta title that follows their text": {
			url.Values{"tags": {"Tyrol"}}, func(a *restarticle.Article) { a.Title, a.MetaTitle = "Cabins", "Cabins" }, `{"tags":["Tyrol"]}`, "the title",
		},
		"a meta title of mine, while theirs follows the text": {
			url.Values{"meta_title": {"Open huts"}}, func(a *restarticle.Article) { a.Title, a.MetaTitle = "Cabins", "Cabins" }, `{"meta_title":"Open huts"}`, "the title",
		},
		"an empty title stays": {url.Values{"title": {""}}, func(a *restarticle.Article) { a.Title = "Cabins" }, `{}`, "the title"},
		"a slug of mine":       {url.Values{"slug": {"cabins"}}, func(*restarticle.Article) {}, `{"slug":"cabins"}`, ""},
		"a slug of theirs":     {nil, func(a *restarticle.Article) { a.Slug = "cabins" }, `{}`, ""},

		"two titles":              {url.Values{"title": {"Cabins"}}, func(a *restarticle.Article) { a.Title = "Shelters" }, "-", ""},
		"two meta titles":         {url.Values{"meta_title": {"A"}}, func(a *restarticle.Article) { a.MetaTitle = "B" }, "-", ""},
		"two lists of tags":       {url.Values{"tags": {"Tyrol"}}, func(a *restarticle.Article) { a.Tags = nil }, "-", ""},
		"two slugs":               {url.Values{"slug": {"cabins"}}, func(a *restarticle.Article) { a.Slug = "shelters" }, "-", ""},
		"two FAQs":                {url.Values{"question": {"Open?"}}, func(a *restarticle.Article) { a.FAQ = []restarticle.FAQEntry{{Question: "When?", Answer: "May."}} }, "-", ""},
		"two bodies":              {url.Values{"markdown": {"Mine."}}, func(a *restarticle.Article) { a.ContentMarkdown = "Theirs." }, "-", ""},
		"a keyword of either one": {url.Values{"keyword": {"cabins"}}, func(a *restarticle.Article) { a.Title = "Cabins" }, "-", ""},
	} {
		a := restarticle.Article{ContentMarkdown: body, Content: base().Content}
		a.Title, a.Slug = base().Title, base().Slug
		tt.theirs(&a)
		fields, changed, ok := article.Merged(base(), tt.mine, a)
		got, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		if !ok {
			got, changed = []byte("-"), nil
		}
		if string(got) != tt.want || strings.Join(changed, ", ") != tt.changed {
			t.Errorf("%s: got %s of which they changed %q, want %s and %q", name, got, changed, tt.want, tt.changed)
		}
	}
}
