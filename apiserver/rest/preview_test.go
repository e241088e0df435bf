package rest_test

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

func previewBody(fields map[string]any) string {
	body := map[string]any{"keyword": nil, "title": "The huts are open", "content_markdown": "# The huts are open\n\nFrom *May* on <script>x</script>."}
	maps.Copy(body, fields)
	return generateBody(body)
}

// What a preview says must be what the stored text is: the same document, HTML and scores.
func TestAPreviewIsWhatWouldBeStored(t *testing.T) {
	api := newAPI(t)
	var got generation.TextPreview
	api.into(request{method: "POST", path: "/v1/api/preview", body: previewBody(map[string]any{
		"target_keyword": "huts", "slug": "huts-open", "faq": []any{map[string]any{"question": "When?", "answer": "In May."}},
	})}, &got)

	c := &v1alpha1.ArticleContent{
		Title: "The huts are open", Slug: "huts-open", Markdown: "# The huts are open\n\nFrom *May* on <script>x</script>.",
		FAQ: []v1alpha1.FAQ{{Question: "When?", Answer: "In May."}},
	}
	document, err := revision.Compose(content.Document{}, c, "en")
	if err != nil {
		t.Fatal(err)
	}
	html, err := content.HTML(document.Markdown)
	if err != nil {
		t.Fatal(err)
	}
	site, _ := api.index.Site(workspace, siteUID)
	stored := revision.Score(document, revision.WrittenInput(&v1alpha1.GenerateRequest{Keyword: "huts"}, site.Object))
	if got.ContentMarkdown != document.Markdown || got.ContentHTML != html || got.MetaTitle != document.MetaTitle ||
		got.MetaDescription != document.MetaDescription || got.Slug != document.Slug || len(got.FAQ) != 1 {
		t.Errorf("got %+v\nwant %+v", got, document)
	}
	if strings.Contains(got.ContentMarkdown, "# The huts") || strings.Contains(got.ContentHTML, "<script") {
		t.Errorf("it is not tidied: %+v", got)
	}
	checks := revision.Findings(&stored)
	if *got.Scores.SEOScore != stored.SEOScore || len(got.Scores.Checks) != len(checks) {
		t.Fatalf("the score is %d with %d checks, want %d with %d", *got.Scores.SEOScore, len(got.Scores.Checks), stored.SEOScore, len(checks))
	}
	for i, c := range checks {
		if g := got.Scores.Checks[i]; !reflect.DeepEqual([]any{g.Name, int(g.Points), g.Message}, []any{c.Check, c.Points, c.Message}) {
			t.Errorf("check %s is %+v, want %+v", c.Check, g, c)
		}
	}
}

func TestAPreviewStoresNothingAndAsksNothing(t *testing.T) {
	api := newAPI(t)
	api.into(request{method: "POST", path: "/v1/api/preview", body: previewBody(nil)}, nil)
	if api.objects.made != 0 || api.objects.reads != 0 || len(api.ledger.charges) != 0 {
		t.Errorf("%d articles, %d reads, %d charges, want none", api.objects.made, api.objects.reads, len(api.ledger.charges))
	}
}

func TestAPreviewRefusesWhatCouldNotBeStored(t *testing.T) {
	for name, c := range map[string]struct {
		fields map[string]any
		want   string
	}{
		"no title":             {map[string]any{"title": ""}, "title"},
		"only the title":       {map[string]any{"content_markdown": "# The huts are open"}, "content_markdown"},
		"too complex":          {map[string]any{"content_markdown": strings.Repeat("*a ", 20_000)}, "content_markdown"},
		"too many bytes":       {map[string]any{"content_markdown": strings.Repeat("é", v1alpha1.MaxMarkdownBytes/2+1)}, "content_markdown"},
		"another's site":       {map[string]any{"site_uid": otherSiteUID}, "site_uid"},
		"secondary keywords":   {map[string]any{"secondary_keywords": []string{"x y"}}, "secondary_keywords"},
		"a field that is none": {map[string]any{"uid": "x"}, "uid"},
		"a draft":              {map[string]any{"draft": true}, "draft"},
	} {
		t.Run(name, func(t *testing.T) {
			wantFields(t, newAPI(t).do(request{method: "POST", path: "/v1/api/preview", body: previewBody(c.fields)}), c.want)
		})
	}
}
