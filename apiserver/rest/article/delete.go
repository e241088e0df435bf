package article

import (
	"context"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// DeleteInput is the input of delete-article.
type DeleteInput struct {
	OnArticle
	operation.IfMatch
}

// Delete deletes an article.
var Delete = operation.Operation[DeleteInput, operation.DeleteOutput]{
	ID: "delete-article", Method: http.MethodDelete, Path: articlePath, Tag: operation.TagArticles, Scope: v1alpha1.ScopeWrite,
	Status: http.StatusNoContent, Errors: operation.DeleteErrors,
}

// Delete deletes an article with everything that it owns, and no later one of the same name.
func (s *Articles) Delete(ctx context.Context, c *operation.Call, in *DeleteInput) (*operation.DeleteOutput, error) {
	key, err := s.locate(ctx, c, in.UID)
	if err != nil {
		return nil, err
	}
	a, err := s.get(ctx, key)
	if err != nil {
		return nil, err
	}
	if err := kube.RefuseDelete(a, ".spec.siteRef"); err != nil {
		return nil, err
	}
	if site, ok := SiteOf(s.Core, a); ok && site.UnpublishesArchived() && lifecycle.Published(a) &&
		connectors.ModeOf(site) == lifecycle.Push {
		return nil, problem.Conflict(problem.ReasonWrongState,
			"the site has the post: archive the article, and delete it once it is unpublished")
	}
	same := client.Preconditions{UID: &a.UID}
	if in.IfMatch.IfMatch != "" {
		if err := in.IfMatch.Check(writtenTag(a)); err != nil {
			return nil, err
		}
		same.ResourceVersion = &a.ResourceVersion
	}
	err = s.Client.Delete(ctx, a, same, client.PropagationPolicy(metav1.DeletePropagationBackground))
	if apierrors.IsConflict(err) && in.IfMatch.IfMatch != "" {
		return nil, problem.PreconditionFailed()
	}
	return &operation.DeleteOutput{}, err
}
