package article

import (
	"context"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

type (
	// RedeliverInput is the input of redeliver-article.
	RedeliverInput struct {
		Command
		Body *RedeliverRequest
	}
	// RedeliverRequest is the body of redeliver-article.
	RedeliverRequest struct {
		Overwrite bool `json:"overwrite,omitempty" doc:"Overwrite what somebody has changed of the post in the CMS, which needs the scope approve. Without it, such a change stays, and the delivery fails with changed_at_site."`
	}
)

// Redeliver asks for another delivery.
func (s *Articles) Redeliver(ctx context.Context, c *operation.Call, in *RedeliverInput) (*Output, error) {
	annotation := v1alpha1.RedeliverAnnotation
	if in.Body != nil && in.Body.Overwrite {
		if !c.Principal.Has(v1alpha1.ScopeApprove) {
			return nil, problem.InsufficientScope("approve")
		}
		annotation = v1alpha1.OverwriteAnnotation
	}
	return s.command(ctx, c, in.Command, lifecycle.ActionRedeliver, annotation)
}
