package article

import (
	"context"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

type (
	// UnpublishInput is the input of unpublish-article.
	UnpublishInput struct {
		Command
		Body *UnpublishRequest
	}
	// UnpublishRequest is the body of unpublish-article.
	UnpublishRequest struct {
		Overwrite bool `json:"overwrite,omitempty" doc:"Take the post back even if somebody has changed it in the CMS, which needs the scope approve. Without it, such a post stays, and status_detail has changed_at_site."`
	}
)

// Unpublish takes the post of an article back.
func (s *Articles) Unpublish(ctx context.Context, c *operation.Call, in *UnpublishInput) (*Output, error) {
	found, err := s.Find(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	overwrite := in.Body != nil && in.Body.Overwrite
	if !mayUnpublish(c, found.Object) || overwrite && !c.Principal.Has(v1alpha1.ScopeApprove) {
		return nil, problem.InsufficientScope("approve")
	}
	annotations := []string{v1alpha1.UnpublishAnnotation}
	if overwrite {
		annotations = append(annotations, v1alpha1.OverwriteAnnotation)
	}
	return s.command(ctx, c, in.Command, lifecycle.ActionUnpublish, annotations...)
}

// mayUnpublish reports whether a credential may take the post of an article back, if it may write: where reviewers approve, they also
// decide about that.
func mayUnpublish(c *operation.Call, a *v1alpha1.Article) bool {
	site, ok := SiteOf(c.Core, a)
	return c.Principal.Has(v1alpha1.ScopeApprove) || ok && site.Spec.Review.Policy == v1alpha1.ReviewAutomatic
}
