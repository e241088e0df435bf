package rest

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// CommandInput is the input of regenerate-article and redeliver-article.
type CommandInput struct {
	OnArticle
	IfMatch
	Body *NoRequest
}

// The annotations of commands, which the controller does once.
var (
	regeneratePath = []string{"metadata", "annotations", v1alpha1.RegenerateAnnotation}
	redeliverPath  = []string{"metadata", "annotations", v1alpha1.RedeliverAnnotation}
)

func (s *service) registerCommands() {
	g := s.group(tagArticles, v1alpha1.ScopeWrite)
	op := s.operation(http.MethodPost, "/v1/api/blogs/{uid}/regenerate", "regenerate-article", editing...)
	op.Summary = "Regenerate an article"
	op.Description = "Asks for another text. It takes a credit, or waits for one, and the text is in review again."
	handle(g, op, func(ctx context.Context, c *call, in *CommandInput) (*ArticleOutput, error) {
		return s.command(ctx, c, in, regeneratePath, lifecycle.ActionRegenerate)
	})

	g = s.group(tagEditorial, v1alpha1.ScopeWrite)
	op = s.operation(http.MethodPost, "/v1/api/blogs/{uid}/redeliver", "redeliver-article", editing...)
	op.Summary = "Redeliver an article"
	op.Description = "Sends a published article, or one whose delivery failed, to its site again."
	handle(g, op, func(ctx context.Context, c *call, in *CommandInput) (*ArticleOutput, error) {
		return s.command(ctx, c, in, redeliverPath, lifecycle.ActionRedeliver)
	})
}

// command sets an annotation to a new nonce, which the controller handles once.
func (s *service) command(
	ctx context.Context, c *call, in *CommandInput, path []string, action lifecycle.ActionName,
) (*ArticleOutput, error) {
	nonce, err := identity.NewName()
	if err != nil {
		return nil, err
	}
	return s.edit(ctx, c, in.UID, fieldEdit{
		manager: managerCommands,
		concern: [][]string{regeneratePath, redeliverPath},
		must:    precondition{ifMatch: in.IfMatch.IfMatch},
		decide: func(a *v1alpha1.Article) ([]assignment, error) {
			if err := s.possible(a, action); err != nil {
				return nil, err
			}
			return []assignment{{path, nonce}}, nil
		},
	})
}

// possible returns a conflict that says why an action is not possible now, or nil.
func (s *service) possible(a *v1alpha1.Article, action lifecycle.ActionName) error {
	if err := lifecycle.CheckAction(a, action, s.Clock.Now()); err != nil {
		return problem.Conflict(err.Error())
	}
	return nil
}
