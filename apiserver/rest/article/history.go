package article

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
)

// ArticleHistory is what list-revisions and list-article-transitions answer, and who else has the editor open.
type ArticleHistory struct {
	operation.Unlisted

	Revisions   []ArticleRevisionSummary
	Transitions []ArticleTransition
	// Editors are the names of those who have the editor of the article open, but for the caller.
	Editors []string
	// Evidence is about the text whose digest the input has.
	Evidence Evidence
}

// HistoryInput is the input of get-article-history.
type HistoryInput struct {
	OnArticle
	Digest string `query:"digest" maxLength:"71" doc:"Text whose evidence is shown."`
}

// GetHistory returns what the page of an article shows beside the article.
var GetHistory = operation.Operation[HistoryInput, operation.Output[ArticleHistory]]{
	ID: "get-article-history", Method: http.MethodGet, Path: articlePath + "/history", Tag: operation.TagArticles,
	Scope: v1alpha1.ScopeRead, Unlisted: true,
}

func (s *Articles) getHistory(ctx context.Context, c *operation.Call, in *HistoryInput) (*operation.Output[ArticleHistory], error) {
	revisions, err := s.listRevisions(ctx, c, &in.OnArticle)
	if err != nil {
		return nil, err
	}
	transitions, err := s.listArticleTransitions(ctx, c, &in.OnArticle)
	if err != nil {
		return nil, err
	}
	found, err := s.Find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	out := ArticleHistory{
		Revisions: revisions.Body.Data, Transitions: transitions.Body.Data, Editors: s.editors(c, found.Object),
	}
	for _, r := range out.Revisions {
		// Without a brief there is nothing to look up.
		if r.Digest != in.Digest || r.UnsupportedClaims == nil {
			continue
		}
		_, t, err := s.kept(ctx, c, OnRevision{OnArticle: in.OnArticle, Number: r.Number})
		if err != nil {
			return nil, err
		}
		if out.Evidence, err = s.evidence(ctx, c, t); err != nil {
			return nil, err
		}
		break
	}
	return operation.Answer(out), nil
}
