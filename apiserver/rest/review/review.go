// Package review has the operations by which people decide about articles and move them through the workflow: decisions, stages, and the
// same with many articles at once.
package review

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Service has the operations.
type Service struct{ *article.Articles }

// Register adds the operations.
func Register(articles *article.Articles) {
	s := &Service{articles}
	approve, write := s.Group(operation.TagEditorial, v1alpha1.ScopeApprove), s.Group(operation.TagEditorial, v1alpha1.ScopeWrite)
	either := s.Group(operation.TagEditorial, operation.AnyScope).EitherScope(v1alpha1.ScopeWrite, v1alpha1.ScopeApprove)
	const path = "/v1/api/blogs/{uid}/"
	operation.Handle(approve, http.MethodPost, path+"approve", "approve-article", s.approve, operation.EditErrors...)
	operation.Handle(approve, http.MethodPost, path+"reject", "reject-article", s.reject, operation.EditErrors...)
	operation.Handle(write, http.MethodPost, path+"submit", "submit-article", s.submit, operation.EditErrors...)
	operation.Handle(write, http.MethodPost, path+"publish", "publish-article", s.publish, operation.EditErrors...)
	operation.Handle(write, http.MethodPost, path+"cancel-publication", "cancel-publication", s.cancelPublication, operation.EditErrors...)
	operation.Handle(write, http.MethodPost, path+"archive", "archive-article", s.archive, operation.EditErrors...)
	operation.Handle(write, http.MethodPost, path+"unarchive", "unarchive-article", s.unarchive, operation.EditErrors...)
	operation.Handle(either, http.MethodPost, "/v1/api/blogs/bulk", bulkArticles, s.bulk, operation.CreateErrors...)
}

// act changes an article if an action is possible.
func (s *Service) act(
	ctx context.Context, c *operation.Call, uid string, guard article.Guard, action lifecycle.ActionName,
	change func(*v1alpha1.Article) error,
) (*article.Output, error) {
	return s.Change(ctx, c, uid, guard, func(a *v1alpha1.Article) error {
		if err := s.Possible(a, action); err != nil {
			return err
		}
		return change(a)
	})
}
