package rest

import (
	"cmp"
	"context"

	"github.com/danielgtaylor/huma/v2"
	"go.opentelemetry.io/otel/trace"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// bodySite looks up the site that a body names, so that an unknown site is reported together with every other failing field.
// A workspace that the key does not open has no site, and no error here: the operation answers 404.
func bodySite(ctx huma.Context, workspace string, uid SiteUID) (*v1alpha1.Site, []error) {
	c := callOf(ctx.Context())
	if uid == "" || !c.opens(workspace) {
		return nil, nil
	}
	if identity.IsUID(string(uid)) {
		if site, ok := c.service.Index.Site(workspace, string(uid)); ok {
			return site.Object, nil
		}
	}
	unknown := unknownSite()
	return nil, []error{&huma.ErrorDetail{Location: "body." + unknown.Field, Message: unknown.Message}}
}

func unknownSite() problem.Detail {
	return problem.Detail{Field: "site_uid", Message: "must be the uid of a site in this workspace"}
}

// newArticle returns an article as the REST API creates it: at the site's default stage, and with the request's
// trace.
func (s *service) newArticle(ctx context.Context, c *call, request articleRequest, site *v1alpha1.Site) *v1alpha1.Article {
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.workspace, Name: request.name},
		Spec:       v1alpha1.ArticleSpec{SiteRef: v1alpha1.LocalReference{Name: site.Name}, Stage: defaultStage(site)},
	}
	request.mark(a)
	if request.hash != "" {
		// The name is no UUIDv7, which would have the time.
		metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.CreatedAtAnnotation, milliseconds(s.Clock.Now()))
	}
	trace.SpanFromContext(ctx).SetAttributes(
		tracing.Workspace.String(a.Namespace), tracing.Article.String(a.Name), tracing.Site.String(site.Name))
	tracing.Inject(ctx, a)
	return a
}

// defaultStage returns the stage at which the REST API creates the articles of a site.
func defaultStage(site *v1alpha1.Site) v1alpha1.ArticleStage {
	return v1alpha1.ArticleStage(cmp.Or(site.Spec.Publishing.DefaultStage, v1alpha1.DefaultStageReview))
}

// creationProblem translates an error of a creation: only the workspace can be missing.
func creationProblem(err error) error {
	if apierrors.IsNotFound(err) {
		return problem.NotFound("workspace")
	}
	return err
}
