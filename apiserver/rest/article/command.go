package article

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

type (
	// CommandInput is the input of regenerate-article.
	CommandInput struct {
		OnArticle
		operation.IfMatch
		operation.Idempotent
		Body *operation.NoRequest
	}
	// RedeliverInput is the input of redeliver-article.
	RedeliverInput struct {
		OnArticle
		operation.IfMatch
		operation.Idempotent
		Body *RedeliverRequest
	}
	// RedeliverRequest is the body of redeliver-article.
	RedeliverRequest struct {
		Overwrite bool `json:"overwrite,omitempty" doc:"Overwrite what somebody has changed of the post in the CMS, which needs the scope approve. Without it, such a change stays, and the delivery fails with changed_at_site."`
	}
)

// Regenerate asks for another text.
func (s *Articles) Regenerate(ctx context.Context, c *operation.Call, in *CommandInput) (*Output, error) {
	return s.command(ctx, c, in, v1alpha1.RegenerateAnnotation, lifecycle.ActionRegenerate)
}

// Redeliver asks for another delivery.
func (s *Articles) Redeliver(ctx context.Context, c *operation.Call, in *RedeliverInput) (*Output, error) {
	annotation := v1alpha1.RedeliverAnnotation
	if in.Body != nil && in.Body.Overwrite {
		if !c.Principal.Has(v1alpha1.ScopeApprove) {
			return nil, problem.InsufficientScope("approve")
		}
		annotation = v1alpha1.OverwriteAnnotation
	}
	command := &CommandInput{OnArticle: in.OnArticle, IfMatch: in.IfMatch, Idempotent: in.Idempotent}
	return s.command(ctx, c, command, annotation, lifecycle.ActionRedeliver)
}

// command sets an annotation to a nonce, which the controller handles once.
func (s *Articles) command(
	ctx context.Context, c *operation.Call, in *CommandInput, annotation string, action lifecycle.ActionName,
) (*Output, error) {
	return operation.Command[Output]{
		Operation: string(action), About: []string{in.UID, annotation},
		Do: func(ctx context.Context, nonce string) (*Output, error) {
			return s.Change(ctx, c, in.UID, Guard{IfMatch: in.IfMatch}, func(a *v1alpha1.Article) error {
				if a.Annotations[annotation] == nonce {
					return nil
				}
				if err := s.Possible(a, action); err != nil {
					return err
				}
				metav1.SetMetaDataAnnotation(&a.ObjectMeta, annotation, nonce)
				return nil
			})
		},
		Again: func(ctx context.Context) (*Output, error) {
			return s.getArticle(ctx, c, &getArticleInput{OnArticle: in.OnArticle})
		},
	}.Run(ctx, c, in.Idempotent, c.Workspace)
}
