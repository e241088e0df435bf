package article_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestUnknownArticlesAreNotFoundAlike(t *testing.T) {
	api := operationtest.New(t)
	var first string
	for _, uid := range []string{"0198f0a1-0000-7000-8000-00000000aaaa", "junk", "0198F0A1-0000-7000-8000-00000000AAAA", "..x", "my-article"} {
		for _, suffix := range []string{"", "/approve", "/publish", "/archive", "/regenerate", "/redeliver"} {
			method := http.MethodPost
			if suffix == "" {
				method = http.MethodGet
			}
			got := api.Do(operationtest.Request{Method: method, Path: "/v1/api/blogs/" + uid + suffix}.WithID("r-1"))
			operationtest.WantFailure(t, got, http.StatusNotFound, problem.CodeNotFound)
			if first == "" {
				first = got.Raw
			}
			if got.Raw != first {
				t.Errorf("%s%s: %s differs from %s", uid, suffix, got.Raw, first)
			}
		}
	}
}

func TestWhatAnotherReplicaMadeIsFoundAtOnce(t *testing.T) {
	api := operationtest.New(t)
	a := api.Article(nil)
	api.Index.Handlers().Articles.OnDelete(a)
	got := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + a.Name})
	if got.Status != http.StatusOK || !strings.Contains(got.Raw, `"status":"generating"`) {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}

func TestAnArticleNamedByItsAuthorIsFoundByItsUID(t *testing.T) {
	api := operationtest.New(t)
	api.Article(func(a *v1alpha1.Article) { a.Name = "my-article" })
	uid := identity.UID(identity.KindArticle, operationtest.Workspace, "my-article")
	if got := api.Do(operationtest.Request{Path: "/v1/api/blogs/" + uid}); got.Status != http.StatusOK {
		t.Errorf("got %d: %s", got.Status, got.Raw)
	}
}
