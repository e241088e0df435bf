package article_test

import (
	"net/http"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestAnArticleHasTagsACategoryAndAnAuthor(t *testing.T) {
	api := newsroom(t)
	var made article.Article
	api.Into(operationtest.Request{Method: http.MethodPost, Path: "/v1/api/blogs", Body: `{"site_uid":"` + operationtest.SiteUID + `","title":"Shoes","content_markdown":"They grip.",
		"tags":["Trail","Wet rock"],"category":"Gear","author":"Mara","image":{"url":"https://media.acme.example/a.jpg","alt":"Shoes","credit":"Mara"}}`}, &made)
	want := article.PostFields{
		Tags: []string{"Trail", "Wet rock"}, Category: "Gear", Author: "Mara",
		Image: &article.Picture{URL: "https://media.acme.example/a.jpg", Alt: "Shoes", Credit: "Mara"},
	}
	if diff := cmp.Diff(want, made.PostFields); diff != "" {
		t.Errorf("created (-want +got):\n%s", diff)
	}
}
