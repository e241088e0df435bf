package rest

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// DeleteInput is the input of delete-article.
type DeleteInput struct {
	OnArticle
	IfMatch
}

// DeleteOutput is the answer of delete-article: none.
type DeleteOutput struct{}

func (s *service) registerDelete() {
	g := s.group(tagArticles, v1alpha1.ScopeWrite)
	op := s.operation(http.MethodDelete, "/v1/api/blogs/{uid}", "delete-article", deleting...)
	op.Summary = "Delete an article"
	op.Description = "Deletes the article with its texts here. What a site has received stays there; the credit is not given back."
	op.DefaultStatus = http.StatusNoContent
	handle(g, op, s.deleteArticle)
}

func (s *service) deleteArticle(ctx context.Context, c *call, in *DeleteInput) (*DeleteOutput, error) {
	key, err := s.locate(c, in.UID)
	if err != nil {
		return nil, err
	}
	a, err := s.articles.get(ctx, key)
	if err != nil {
		return nil, err
	}
	if err := kept(a.ManagedFields, ".spec.siteRef", "delete"); err != nil {
		return nil, err
	}
	if in.IfMatch.IfMatch != "" {
		return &DeleteOutput{}, s.deleteAsRead(ctx, a, in.IfMatch.IfMatch)
	}
	if err := s.articles.delete(ctx, a); err != nil {
		return nil, err
	}
	return &DeleteOutput{}, nil
}
