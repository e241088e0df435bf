package article_test

import (
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	restarticle "github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/articlelist"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestAPublishedArticleHasTheDisclosureOfItsLiveText(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPending()
	a.Status.Publication.Post.Revision.Disclosure = v1alpha1.DisclosureAIAssisted
	api.Indexed(a)
	disclosed := func() string {
		t.Helper()
		var got restarticle.Article
		api.Into(operationtest.Request{Path: "/v1/api/blogs/" + a.Name + "?text=pending"}, &got)
		var page articlelist.ArticlePage
		api.Into(operationtest.Request{Path: "/v1/api/blogs"}, &page)
		if got.Disclosure != page.Data[0].Disclosure {
			t.Errorf("the article has %q, and the list %q", got.Disclosure, page.Data[0].Disclosure)
		}
		return got.Disclosure
	}
	if got := disclosed(); got != "ai_assisted" {
		t.Errorf("got %q, want ai_assisted", got)
	}
	a.Status.Publication.Post.State = v1alpha1.PostAbsent
	api.Indexed(a)
	if got := disclosed(); got != "" {
		t.Errorf("got %q of an article that the site does not have", got)
	}
}
