package article

import (
	"cmp"
	"context"

	"go.opentelemetry.io/otel/trace"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// New returns an article as the REST API creates it: at the site's default stage, and with the request's trace.
func (s *Articles) New(ctx context.Context, c *operation.Call, request operation.Request, site *v1alpha1.Site) *v1alpha1.Article {
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.Workspace, Name: request.Name},
		Spec:       v1alpha1.ArticleSpec{SiteRef: v1alpha1.LocalReference{Name: site.Name}, Stage: DefaultStage(site)},
	}
	request.Mark(&a.ObjectMeta)
	if request.Hash != "" {
		// The name is no UUIDv7, which would have the time.
		metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.CreatedAtAnnotation, operation.Milliseconds(s.Clock.Now()))
	}
	trace.SpanFromContext(ctx).SetAttributes(
		tracing.Workspace.String(a.Namespace), tracing.Article.String(a.Name), tracing.Site.String(site.Name))
	tracing.Inject(ctx, a)
	return a
}

// DefaultStage returns the stage at which the REST API creates the articles of a site.
func DefaultStage(site *v1alpha1.Site) v1alpha1.ArticleStage {
	return v1alpha1.ArticleStage(cmp.Or(site.Spec.Publishing.DefaultStage, v1alpha1.DefaultStageReview))
}
