package rest

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// CommandInput is the input of regenerate-article and redeliver-article.
type CommandInput struct {
	OnArticle
	Body *NoRequest
}

// The annotations by which the controllers are told to do something once.
var (
	regeneratePath = []string{"metadata", "annotations", v1alpha1.RegenerateAnnotation}
	redeliverPath  = []string{"metadata", "annotations", v1alpha1.RedeliverAnnotation}
)

func (s *service) registerCommands() {
	op := s.operation(http.MethodPost, "/v1/api/blogs/{uid}/regenerate", "regenerate-article", v1alpha1.ScopeWrite, editing...)
	op.Summary = "Regenerate an article"
	op.Description = "Asks for another text. It takes a credit, for which it waits where there is none, and is in review again."
	handle(s, op, func(ctx context.Context, c *call, in *CommandInput) (*ArticleOutput, error) {
		return s.command(ctx, c, in.UID, regeneratePath, regenerable)
	})

	op = s.operation(http.MethodPost, "/v1/api/blogs/{uid}/redeliver", "redeliver-article", v1alpha1.ScopeWrite, editing...)
	op.Summary = "Redeliver an article"
	op.Description = "Sends a published article, or one whose delivery failed, to its site again."
	handle(s, op, func(ctx context.Context, c *call, in *CommandInput) (*ArticleOutput, error) {
		return s.command(ctx, c, in.UID, redeliverPath, redeliverable)
	})
}

// command sets an annotation to a new nonce, which the controllers act on once.
func (s *service) command(
	ctx context.Context, c *call, uid string, path []string, possible func(*v1alpha1.Article) error,
) (*ArticleOutput, error) {
	nonce, err := identity.NewName()
	if err != nil {
		return nil, err
	}
	return s.perform(ctx, c, uid, edit{
		manager: managerCommands,
		concern: [][]string{regeneratePath, redeliverPath},
		decide: func(a *v1alpha1.Article) ([]assignment, error) {
			if err := possible(a); err != nil {
				return nil, err
			}
			return []assignment{{path, nonce}}, nil
		},
	})
}

func regenerable(a *v1alpha1.Article) error {
	switch {
	case a.Spec.Generate == nil:
		return conflict("the article was written: there is no keyword to generate from")
	case lifecycle.Frozen(a):
		return frozen()
	case a.Spec.Stage == v1alpha1.StageArchived:
		return conflict("the article is archived")
	case lifecycle.RunOpen(a), lifecycle.RunWanted(a):
		return conflict("the article is being generated already")
	}
	return nil
}

func redeliverable(a *v1alpha1.Article) error {
	p := a.Status.Publication
	switch {
	case a.Spec.Stage == v1alpha1.StageArchived:
		return conflict("the article is archived")
	case p == nil:
		return conflict("the article has not been published")
	case p.Cycle == nil:
		return conflict("nothing is sent to the article's site")
	case p.Cycle.State == v1alpha1.CycleDelivering, p.Cycle.State == v1alpha1.CycleRetryScheduled, lifecycle.RedeliveryAsked(a):
		return conflict("the article is being delivered already")
	}
	return nil
}
