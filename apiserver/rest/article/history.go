package article

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// ArticleHistory is what list-revisions and list-article-transitions answer.
type ArticleHistory struct {
	operation.Unlisted

	Revisions   []ArticleRevisionSummary
	Transitions []ArticleTransition
}

// GetHistory returns what the page of an article shows beside the article.
var GetHistory = operation.Operation[OnArticle, operation.Output[ArticleHistory]]{
	ID: "get-article-history", Method: http.MethodGet, Path: articlePath + "/history", Tag: operation.TagArticles,
	Scope: v1alpha1.ScopeRead, Unlisted: true,
}

func (s *Articles) getHistory(ctx context.Context, c *operation.Call, in *OnArticle) (*operation.Output[ArticleHistory], error) {
	revisions, err := s.listRevisions(ctx, c, in)
	if err != nil {
		return nil, err
	}
	transitions, err := s.listArticleTransitions(ctx, c, in)
	if err != nil {
		return nil, err
	}
	return operation.Answer(ArticleHistory{Revisions: revisions.Body.Data, Transitions: transitions.Body.Data}), nil
}
