package rest_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
)

// newsroom is an API with a site that has the author Mara.
func newsroom(t *testing.T) *restAPI {
	t.Helper()
	api := newAPI(t)
	site := api.site(workspace, siteUID).DeepCopy()
	site.Spec.Publishing.Authors = []v1alpha1.SiteAuthor{{Name: "Mara"}}
	api.index.Handlers().Sites.OnUpdate(site, site)
	return api
}

func TestAnArticleHasTagsACategoryAndAnAuthor(t *testing.T) {
	api := newsroom(t)
	var made article.Article
	api.into(request{method: http.MethodPost, path: "/v1/api/blogs", body: `{"site_uid":"` + siteUID + `","title":"Shoes","content_markdown":"They grip.",
		"tags":["Trail","Wet rock"],"category":"Gear","author":"Mara","image":{"url":"https://media.acme.example/a.jpg","alt":"Shoes","credit":"Mara"}}`}, &made)
	want := article.PostFields{
		Tags: []string{"Trail", "Wet rock"}, Category: "Gear", Author: "Mara",
		Image: &article.Picture{URL: "https://media.acme.example/a.jpg", Alt: "Shoes", Credit: "Mara"},
	}
	if diff := cmp.Diff(want, made.PostFields); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}
}

func TestTagsCategoryAndAuthorAreEdited(t *testing.T) {
	api := newsroom(t)
	a := api.withRevisions(1)
	path := "/v1/api/blogs/" + a.Name
	var got article.Article
	api.into(request{path: path}, &got)
	if diff := cmp.Diff(article.PostFields{Tags: []string{}}, got.PostFields); diff != "" {
		t.Errorf("at first (-want +got):\n%s", diff)
	}
	for _, tt := range []struct {
		body string
		want v1alpha1.ArticleContent
	}{
		{`{"tags":["Trail"],"category":"Gear","author":"Mara"}`, v1alpha1.ArticleContent{Tags: []string{"Trail"}, Category: "Gear", Author: "Mara"}},
		{`{"tags":["Rock"]}`, v1alpha1.ArticleContent{Tags: []string{"Rock"}, Category: "Gear", Author: "Mara"}},
		{`{"tags":null,"category":null}`, v1alpha1.ArticleContent{Author: "Mara"}},
		{`{"tags":["Trail"]}`, v1alpha1.ArticleContent{Tags: []string{"Trail"}, Author: "Mara"}},
		{`{"tags":[]}`, v1alpha1.ArticleContent{Author: "Mara"}},
		{
			`{"image":{"url":"https://media.acme.example/a.jpg","alt":"Shoes","credit":" "}}`,
			v1alpha1.ArticleContent{Author: "Mara", Image: &v1alpha1.ArticleImage{URL: "https://media.acme.example/a.jpg", Alt: "Shoes"}},
		},
		{`{"author":"Mara"}`, v1alpha1.ArticleContent{
			Author: "Mara", Image: &v1alpha1.ArticleImage{URL: "https://media.acme.example/a.jpg", Alt: "Shoes"},
		}},
		{`{"image":null}`, v1alpha1.ArticleContent{Author: "Mara"}},
	} {
		api.into(request{method: http.MethodPatch, path: path, body: tt.body}, nil)
		if diff := cmp.Diff(tt.want, *api.stored(a).Spec.Content); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.body, diff)
		}
	}
	api.into(request{method: http.MethodPatch, path: path, body: `{"author":null}`}, nil)
	if c := api.stored(a).Spec.Content; c != nil {
		t.Errorf("nothing of the author's is left, and the content is %+v", c)
	}
	for body, field := range map[string]string{
		`{"author":"Ben"}`: "author", `{"tags":["a,b"]}`: "tags[0]", `{"tags":["a","a"]}`: "tags", `{"category":" "}`: "category",
		`{"image":{"url":"https://a.example/b","alt":" "}}`: "image.alt", `{"image":{"url":"ftp://a.example/b","alt":"a"}}`: "image.url",
		`{"image":{"url":"https://a.example/b"}}`: "image.alt", `{"image":{"url":"https://a.example/b","alt":"a","sha256":"x"}}`: "image.sha256",
		`{"tags":["1","2","3","4","5","6","7","8","9","10","11"]}`: "tags",
	} {
		wantFields(t, api.do(request{method: http.MethodPatch, path: path, body: body}), field)
	}
}
