package rest_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// textBody is a create-article request.
func textBody(title, markdown string) string {
	var body strings.Builder
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(map[string]any{"site_uid": siteUID, "title": title, "content_markdown": markdown}); err != nil {
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
			api := newAPI(t)
			wantFields(t, api.do(request{method: "POST", path: "/v1/api/blogs", body: textBody(c.title, c.markdown)}), c.want)
			if len(api.objects.articles) > 0 {
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
			api := newAPI(t)
			a := api.article(func(a *v1alpha1.Article) { a.Spec.Content = c })
			got := api.do(request{path: "/v1/api/blogs/" + a.Name})
			if got.Status != http.StatusOK || got.Text("content_markdown") != c.Markdown || got.Text("title") != c.Title {
				t.Errorf("got %d: %.300s", got.Status, got.Raw)
			}
		})
	}
}

// edited changes the author's content in kube-apiserver and in the index, as after a PATCH that no controller has seen.
func (api *restAPI) edited(a *v1alpha1.Article, c *v1alpha1.ArticleContent) *v1alpha1.Article {
	api.t.Helper()
	b := a.DeepCopy()
	b.ResourceVersion, b.Spec.Content = "2", c
	api.objects.articles[client.ObjectKeyFromObject(b)] = b
	cached, err := api.index.Transform()(b.DeepCopy())
	if err != nil {
		api.t.Fatal(err)
	}
	api.index.Handlers().Articles.OnUpdate(a, cached)
	return b
}

// inReview is an article with a generated text.
func (api *restAPI) inReview() *v1alpha1.Article {
	api.t.Helper()
	a := api.published().DeepCopy()
	a.Status.Publication = nil
	return api.edited(a, nil)
}

func TestAnEditShowsAtOnceWithoutADigest(t *testing.T) {
	api := newAPI(t)
	a := api.inReview()
	get := func() testkit.Answer {
		t.Helper()
		got := api.do(request{path: "/v1/api/blogs/" + a.Name})
		if got.Status != http.StatusOK {
			t.Fatalf("got %d: %s", got.Status, got.Raw)
		}
		return got
	}
	digest := a.Status.Revision.Digest
	if got := get().Text("revision_digest"); got != digest {
		t.Fatalf("digest = %q, want the revision's", got)
	}

	api.edited(a, &v1alpha1.ArticleContent{Title: "Mine", Markdown: "My *words*."})
	got := get()
	if got.Text("title") != "Mine" || got.Text("content_html") != "<p>My <em>words</em>.</p>\n" || got.Text("meta_title") != "Mine" {
		t.Errorf("the new text is not shown as it will be published: %s", got.Raw)
	}
	if got.Text("revision_digest") != "" || got.Body["seo_score"] != nil {
		t.Errorf("what cannot be approved yet has a digest or a score: %s", got.Raw)
	}

	api.edited(a, &v1alpha1.ArticleContent{Title: "Mine"})
	got = get()
	if got.Text("title") != "Mine" || got.Text("content_markdown") != "Some *text* <script>x</script>." || got.Text("revision_digest") != "" {
		t.Errorf("fields over the generated text: %s", got.Raw)
	}

	api.edited(a, nil)
	if got := get(); got.Text("title") != "Shoes & trails" || got.Text("revision_digest") != digest {
		t.Errorf("after the edit was taken back: %s", got.Raw)
	}
}

func TestAnArticleWhoseRevisionIsMissingIsAnswered(t *testing.T) {
	api := newAPI(t)
	a := api.inReview()
	api.objects.revisions = nil
	got := api.do(request{path: "/v1/api/blogs/" + a.Name})
	if got.Status != http.StatusOK || got.Text("content_markdown") != "" || got.Text("revision_digest") != "" {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
	if !strings.Contains(got.Text("status_message"), "regenerate") {
		t.Errorf("status_message = %q, want a way out", got.Text("status_message"))
	}
}
