package generation_test

import (
	"maps"
	"reflect"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/generation"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/revision"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func previewBody(fields map[string]any) string {
	body := map[string]any{"keyword": nil, "title": "The huts are open", "content_markdown": "# The huts are open\n\nFrom *May* on <script>x</script>."}
	maps.Copy(body, fields)
	return operationtest.GenerateBody(body)
}

// What a preview says must be what the stored text is: the same document, HTML and scores.
func TestAPreviewIsWhatWouldBeStored(t *testing.T) {
	api := operationtest.New(t)
	var got generation.TextPreview
	api.Into(operationtest.Request{Method: "POST", Path: "/v1/api/preview", Body: previewBody(map[string]any{
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
	site, _ := api.Index.Site(operationtest.Workspace, operationtest.SiteUID)
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

// A revision has no passages, so a person who writes asks for a preview.
func TestAPreviewNamesThePassagesOfFailedChecks(t *testing.T) {
	api := operationtest.New(t)
	var got generation.TextPreview
	api.Into(operationtest.Request{Method: "POST", Path: "/v1/api/preview", Body: previewBody(map[string]any{
		"content_markdown": "It rains. We walk. We *run*. We rest.",
	})}, &got)
	named := map[string][]string{}
	for _, c := range got.Scores.Checks {
		if len(c.Passages) > 0 {
			named[c.Name] = c.Passages
		}
	}
	if want := map[string][]string{"sentence-beginnings": {"We walk.", "We run.", "We rest."}}; !reflect.DeepEqual(named, want) {
		t.Errorf("the passages are %v, want %v", named, want)
	}
}

func TestAPreviewStoresNothingAndAsksNothing(t *testing.T) {
	api := operationtest.New(t)
	api.Into(operationtest.Request{Method: "POST", Path: "/v1/api/preview", Body: previewBody(nil)}, nil)
	if api.Objects.Made != 0 || api.Objects.Reads != 0 || len(api.Ledger.Charges) != 0 {
		t.Errorf("%d articles, %d reads, %d charges, want none", api.Objects.Made, api.Objects.Reads, len(api.Ledger.Charges))
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
		"another's site":       {map[string]any{"site_uid": operationtest.OtherSiteUID}, "site_uid"},
		"secondary keywords":   {map[string]any{"secondary_keywords": []string{"x y"}}, "secondary_keywords"},
		"a field that is none": {map[string]any{"uid": "x"}, "uid"},
		"a draft":              {map[string]any{"draft": true}, "draft"},
	} {
		t.Run(name, func(t *testing.T) {
			operationtest.WantFields(t, operationtest.New(t).Do(operationtest.Request{Method: "POST", Path: "/v1/api/preview", Body: previewBody(c.fields)}), c.want)
		})
	}
}
