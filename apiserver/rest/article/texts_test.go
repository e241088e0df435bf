package article_test

import (
	"maps"
	"testing"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestTextsThatAreNotUsedAreForgottenFirst(t *testing.T) {
	api := operationtest.New(t)
	api.Deps.Limits.CacheBytes = 2500
	var articles []*v1alpha1.Article
	revisions := map[client.ObjectKey]*v1alpha1.ArticleRevision{}
	for range 3 {
		articles = append(articles, api.Published())
		maps.Copy(revisions, api.Objects.Revisions)
	}
	api.Objects.Revisions = revisions
	for _, i := range []int{0, 1, 0, 2, 0} {
		api.Do(operationtest.Request{Path: "/v1/api/blogs/" + articles[i].Name})
	}
	if api.Objects.Reads != 3 {
		t.Errorf("the API server was read %d times, want 3: the first text was used again and again", api.Objects.Reads)
	}
	api.Do(operationtest.Request{Path: "/v1/api/blogs/" + articles[1].Name})
	if api.Objects.Reads != 4 {
		t.Errorf("the API server was read %d times, want 4: the second text had to go", api.Objects.Reads)
	}
}
