package article

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

type (
	// Command is embedded in the input of every operation that the controller does once.
	Command struct {
		OnArticle
		operation.IfMatch
		operation.Idempotent
	}
	// RegenerateInput is the input of regenerate-article.
	RegenerateInput struct {
		Command
		Body *operation.NoRequest
	}
)

// Regenerate asks for another text.
func (s *Articles) Regenerate(ctx context.Context, c *operation.Call, in *RegenerateInput) (*Output, error) {
	return s.command(ctx, c, in.Command, lifecycle.ActionRegenerate, v1alpha1.RegenerateAnnotation)
}

// SiteOf returns the Site of an article.
func SiteOf(core *operation.Core, a *v1alpha1.Article) (*v1alpha1.Site, bool) {
	site, ok := core.Index.Site(a.Namespace, identity.UID(identity.KindSite, a.Namespace, a.Spec.SiteRef.Name))
	return site.Object, ok
}

// command sets annotations to a nonce, which the controller handles once.
func (s *Articles) command(
	ctx context.Context, c *operation.Call, in Command, action lifecycle.ActionName, annotations ...string,
) (*Output, error) {
	return operation.Command[Output]{
		Operation: string(action), About: append([]string{in.UID}, annotations...),
		Do: func(ctx context.Context, nonce string) (*Output, error) {
			return s.Change(ctx, c, in.UID, Guard{IfMatch: in.IfMatch}, func(a *v1alpha1.Article) error {
				if a.Annotations[annotations[0]] == nonce {
					return nil
				}
				if err := s.Possible(a, action); err != nil {
					return err
				}
				for _, annotation := range annotations {
					metav1.SetMetaDataAnnotation(&a.ObjectMeta, annotation, nonce)
				}
				return nil
			})
		},
		Again: func(ctx context.Context) (*Output, error) {
			return s.getArticle(ctx, c, &getArticleInput{OnArticle: in.OnArticle, Text: pendingText})
		},
	}.Run(ctx, c, in.Idempotent, c.Workspace)
}
