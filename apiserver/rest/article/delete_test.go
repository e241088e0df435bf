package article_test

import (
	"net/http"
	"testing"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/test/operationtest"
)

func TestAnArticleWhosePostIsStillThereIsNotDeletedWhereTheSiteUnpublishes(t *testing.T) {
	api := operationtest.New(t)
	a := api.WithPost()
	api.SiteWith(func(s *v1alpha1.Site) {
		s.Spec.Publishing.Removal = v1alpha1.RemovalUnpublish
		operationtest.WordPress(s)
	})
	path := "/v1/api/blogs/" + a.Name
	operationtest.WantFailure(t, api.Do(operationtest.Request{Method: http.MethodDelete, Path: path}), http.StatusConflict, problem.CodeConflict)
	operationtest.TakenBack(a)
	api.Indexed(a)
	if got := api.Do(operationtest.Request{Method: http.MethodDelete, Path: path}); got.Status != http.StatusNoContent {
		t.Errorf("DELETE was answered %d %s", got.Status, got.Raw)
	}
}
