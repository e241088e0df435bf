// Package review has the operations by which people decide about articles and move them through the workflow: decisions, stages, and the
// same with many articles at once.
package review

import (
	"context"

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
	s.registerDecisions()
	s.registerStage()
	s.registerBulk()
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
