package article_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// textBody is a create-article request.
func textBody(title, markdown string) string {
	var body strings.Builder
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(map[string]any{"site_uid": operationtest.SiteUID, "title": title, "content_markdown": markdown}); err != nil {
		panic(err)
	}
	return body.String()
}

func TestATextThatCannotBecomeARevisionIsRefusedBeforeItIsStored(t *testing.T) {
	for name, c := range map[string]struct{ title, markdown, want string }{
		"too complex":                    {"T", strings.Repeat("*a ", 20_000), "content_markdown"},
		"only the title":                 {"The huts are open", "# The huts are open", "content_markdown"},
		"only a comment's worth of line": {"T", "\u0001\n\u0002", "content_markdown"},
		"too large with escapes": {
			"T", strings.Repeat("    "+strings.Repeat("<", 1000)+"\n", v1alpha1.MaxMarkdownBytes/1005), "content_markdown",
		},
	} {
		t.Run(name, func(t *testing.T) {
			api := operationtest.New(t)
			operationtest.WantFields(t, api.Do(operationtest.Request{Method: "POST", Path: "/v1/api/blogs", Body: textBody(c.title, c.markdown)}), c.want)
			if len(api.Objects.Articles) > 0 {
				t.Error("it is stored anyway")
			}
		})
	}
}

// kubectl can store what the REST API refuses.
func TestAStoredTextIsAlwaysAnswered(t *testing.T) {
	for name, c := range map[string]*v1alpha1.ArticleContent{
		"too complex":     {Title: "T", Markdown: strings.Repeat("*a ", 20_000)},
		"without a title": {Markdown: "My words."},
		"only a title":    {Title: "T", Markdown: "# T"},
		"only fields":     {Title: "T"},
	} {
		t.Run(name, func(t *testing.T) {
			api := operationtest.New(t)
			a := api.Article(func(a *v1alpha1.Article) { a.Spec.Content = c })
			got := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name})
			if got.Status != http.StatusOK || got.Text("content_markdown") != c.Markdown || got.Text("title") != c.Title {
				t.Errorf("got %d: %.300s", got.Status, got.Raw)
			}
		})
	}
}

// inReview is an article with a generated text.
func inReview(api *operationtest.API) *v1alpha1.Article {
	api.T.Helper()
	a := api.Published().DeepCopy()
	a.Status.Publication = nil
	return api.Edited(a, nil)
}

func TestAnEditShowsAtOnceWithoutADigest(t *testing.T) {
	api := operationtest.New(t)
	a := inReview(api)
	get := func() testkit.Answer {
		t.Helper()
		got := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name})
		if got.Status != http.StatusOK {
			t.Fatalf("got %d: %s", got.Status, got.Raw)
		}
		return got
	}
	digest := a.Status.Revision.Digest
	if got := get().Text("revision_digest"); got != digest {
		t.Fatalf("digest = %q, want the revision's", got)
	}

	api.Edited(a, &v1alpha1.ArticleContent{Title: "Mine", Markdown: "My *words*."})
	got := get()
	if got.Text("title") != "Mine" || got.Text("content_html") != "<p>My <em>words</em>.</p>\n" || got.Text("meta_title") != "Mine" {
		t.Errorf("the new text is not shown as it will be published: %s", got.Raw)
	}
	if got.Text("revision_digest") != "" || got.Body["seo_score"] != nil {
		t.Errorf("what cannot be approved yet has a digest or a score: %s", got.Raw)
	}

	api.Edited(a, &v1alpha1.ArticleContent{Title: "Mine"})
	got = get()
	if got.Text("title") != "Mine" || got.Text("content_markdown") != "Some *text* <script>x</script>." || got.Text("revision_digest") != "" {
		t.Errorf("fields over the generated text: %s", got.Raw)
	}

	api.Edited(a, nil)
	if got := get(); got.Text("title") != "Shoes & trails" || got.Text("revision_digest") != digest {
		t.Errorf("after the edit was taken back: %s", got.Raw)
	}
}

func TestAnArticleWhoseRevisionIsMissingIsAnswered(t *testing.T) {
	api := operationtest.New(t)
	a := inReview(api)
	api.Objects.Revisions = nil
	got := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name})
	if got.Status != http.StatusOK || got.Text("content_markdown") != "" || got.Text("revision_digest") != "" {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
	if !strings.Contains(got.Text("status_message"), "regenerate") {
		t.Errorf("status_message = %q, want a way out", got.Text("status_message"))
	}
}
