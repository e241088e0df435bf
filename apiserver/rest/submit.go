package rest

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// SubmitInput is the input of submit-article.
type SubmitInput struct {
	OnArticle
	IfMatch
	Body *NoRequest
}

func (s *service) registerSubmit() {
	g := s.group(tagEditorial, v1alpha1.ScopeWrite)
	op := s.operation(http.MethodPost, "/v1/api/blogs/{uid}/submit", "submit-article", editing...)
	op.Summary = "Submit a draft for review"
	op.Description = "A draft is in review from now on, as an article that is created without `draft`. " +
		"It changes nothing of an article that is no draft, and is a conflict if the article is archived."
	handle(g, op, s.submit)
}

func (s *service) submit(ctx context.Context, c *call, in *SubmitInput) (*ArticleOutput, error) {
	return s.edit(ctx, c, in.UID, fieldEdit{
		manager: managerStage,
		concern: stageConcern,
		must:    precondition{ifMatch: in.IfMatch.IfMatch},
		decide: func(a *v1alpha1.Article) ([]assignment, error) {
			if err := s.possible(a, lifecycle.ActionSubmit); err != nil {
				return nil, err
			}
			if a.Spec.Stage != v1alpha1.StageDraft {
				return nil, nil
			}
			return []assignment{{[]string{"spec", "stage"}, string(s.stageOf(a))}}, nil
		},
	})
}

// stageOf returns how far an article goes that is no draft any more.
func (s *service) stageOf(a *v1alpha1.Article) v1alpha1.ArticleStage {
	site, ok := s.Index.Site(a.Namespace, identity.UID(identity.KindSite, a.Namespace, a.Spec.SiteRef.Name))
	if !ok {
		return v1alpha1.StageReview
	}
	return defaultStage(site.Object)
}
