package rest

import (
	"context"

	"github.com/danielgtaylor/huma/v2"
	"go.opentelemetry.io/otel/trace"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// site returns the site of a workspace that a body names.
func (c *call) site(workspace string, named SiteUID) (*v1alpha1.Site, bool) {
	uid := string(named)
	if !identity.IsUID(uid) {
		return nil, false
	}
	site, ok := c.service.Index.Site(workspace, uid)
	return site.Object, ok
}

func unknownSite() Detail {
	return Detail{Field: "site_uid", Message: "must be the uid of a site in this workspace"}
}

// checkSite finds fault with the site that a body names. Of a workspace that the key does not open nothing is told.
func checkSite(ctx huma.Context, workspace string, uid SiteUID) []error {
	c := callOf(ctx.Context())
	if uid == "" || !c.opens(workspace) {
		return nil
	}
	if _, ok := c.site(workspace, uid); ok {
		return nil
	}
	unknown := unknownSite()
	return []error{&huma.ErrorDetail{Location: "body." + unknown.Field, Message: unknown.Message}}
}

// newArticle is an article as the REST API makes it: at the stage that the site's publishing policy says, and with the
// request's trace.
func (s *service) newArticle(ctx context.Context, c *call, made creation, site *v1alpha1.Site) *v1alpha1.Article {
	a := &v1alpha1.Article{
		ObjectMeta: metav1.ObjectMeta{Namespace: c.workspace, Name: made.name},
		Spec:       v1alpha1.ArticleSpec{SiteRef: v1alpha1.LocalReference{Name: site.Name}, Stage: v1alpha1.StageReview},
	}
	if site.Spec.Publishing.Policy == v1alpha1.PublishOnApproval {
		a.Spec.Stage = v1alpha1.StagePublished
	}
	made.mark(a)
	trace.SpanFromContext(ctx).SetAttributes(
		tracing.Workspace.String(a.Namespace), tracing.Article.String(a.Name), tracing.Site.String(site.Name))
	tracing.Inject(ctx, a)
	return a
}

// repeated reports whether an earlier request under the same Idempotency-Key has made the article.
func (s *service) repeated(ctx context.Context, c *call, made creation) (bool, error) {
	if made.hash == "" {
		return false, nil
	}
	if found, ok := s.Index.Get(c.workspace, made.name); ok {
		return true, made.repeats(found.Object)
	}
	_, err := s.earlier(ctx, client.ObjectKey{Namespace: c.workspace, Name: made.name}, made)
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	return true, err
}

// earlier returns the article that an earlier request under the same Idempotency-Key made; a conflict where it was not
// the same request. A name that is not from a key is new, so only the same request can have made it.
func (s *service) earlier(ctx context.Context, key client.ObjectKey, made creation) (*v1alpha1.Article, error) {
	a, err := s.articles.get(ctx, key)
	if err != nil {
		return nil, err
	}
	return a, made.repeats(a)
}

// creationFailure: what is not found when an article is created is its workspace.
func creationFailure(err error) error {
	if apierrors.IsNotFound(err) {
		return notFound("workspace")
	}
	return err
}
