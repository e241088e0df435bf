package article_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

// newsroom is an API with a site that has the author Mara.
func newsroom(t *testing.T) *operationtest.API {
	t.Helper()
	api := operationtest.New(t)
	site := api.Site(operationtest.Workspace, operationtest.SiteUID).DeepCopy()
	site.Spec.Publishing.Authors = []v1alpha1.SiteAuthor{{Name: "Mara"}}
	api.Index.Handlers().Sites.OnUpdate(site, site)
	return api
}

func TestTagsCategoryAndAuthorAreEdited(t *testing.T) {
	api := newsroom(t)
	a := api.WithRevisions(1)
	path := "/v1/api/blogs/" + a.Name
	var got article.Article
	api.Into(operationtest.Request{Path: path}, &got)
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
		api.Into(operationtest.Request{Method: http.MethodPatch, Path: path, Body: tt.body}, nil)
		if diff := cmp.Diff(tt.want, *api.Stored(a).Spec.Content); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.body, diff)
		}
	}
	api.Into(operationtest.Request{Method: http.MethodPatch, Path: path, Body: `{"author":null}`}, nil)
	if c := api.Stored(a).Spec.Content; c != nil {
		t.Errorf("nothing of the author's is left, and the content is %+v", c)
	}
	for body, field := range map[string]string{
		`{"author":"Ben"}`: "author", `{"tags":["a,b"]}`: "tags[0]", `{"tags":["a","a"]}`: "tags", `{"category":" "}`: "category",
		`{"image":{"url":"https://a.example/b","alt":" "}}`: "image.alt", `{"image":{"url":"ftp://a.example/b","alt":"a"}}`: "image.url",
		`{"image":{"url":"https://a.example/b"}}`: "image.alt", `{"image":{"url":"https://a.example/b","alt":"a","sha256":"x"}}`: "image.sha256",
		`{"tags":["1","2","3","4","5","6","7","8","9","10","11"]}`: "tags",
	} {
		operationtest.WantFields(t, api.Do(operationtest.Request{Method: http.MethodPatch, Path: path, Body: body}), field)
	}
}

func TestAPublishedArticleIsEditedOnlyWhereUpdatesAreAllowed(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPending()
	path := "/v1/api/blogs/" + a.Name
	api.Into(operationtest.Request{Method: http.MethodPatch, Path: path, Body: `{"title":"Third"}`}, nil)
	if c := api.Stored(a).Spec.Content; c == nil || c.Title != "Third" {
		t.Errorf("the content is %+v after an edit", c)
	}
	generated := api.WithPending()
	generated.Spec.Content = nil
	api.Indexed(generated)
	api.Into(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/blogs/" + generated.Name + "/regenerate"}, nil)

	frozen := api.WithPending()
	api.SiteWith(func(s *v1alpha1.Site) { s.Spec.Publishing.Updates = v1alpha1.UpdatesFrozen })
	for _, r := range []operationtest.Request{
		{Method: http.MethodPatch, Path: "/v1/api/blogs/" + frozen.Name, Body: `{"title":"Third"}`},
		{Method: http.MethodPost, Path: "/v1/api/blogs/" + frozen.Name + "/regenerate"},
		{Method: http.MethodPost, Path: "/v1/api/blogs/" + frozen.Name + "/revisions/1/restore"},
	} {
		got := api.Do(r)
		operationtest.WantFailure(t, got, http.StatusConflict, problem.CodeConflict)
		if f := operationtest.Failure(t, got); f.Problem.Reason != problem.ReasonUpdatesFrozen {
			t.Errorf("%s %s: the reason is %s", r.Method, r.Path, f.Problem.Reason)
		}
	}
}
