package review

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// PublishRequest may name a time, and the text that is to be published.
type PublishRequest struct {
	PublishAt *time.Time     `json:"publish_at,omitempty" doc:"Not before this time; now if absent or past." example:"2026-12-01T09:00:00Z"`
	Digest    article.Digest `json:"digest,omitempty" doc:"revision_digest of the text that you read: 409 if there is another by now."`
}

type (
	publishInput struct {
		article.OnArticle
		operation.IfMatch
		Body *PublishRequest
	}
	stageInput struct {
		article.OnArticle
		operation.IfMatch
		Body *operation.NoRequest
	}
)

func (s *Service) publish(ctx context.Context, c *operation.Call, in *publishInput) (*article.Output, error) {
	now, guard := s.Clock.Now(), article.Guard{IfMatch: in.IfMatch}
	at := now
	if in.Body != nil {
		guard.Digest = in.Body.Digest
		if in.Body.PublishAt != nil && in.Body.PublishAt.After(now) {
			at = *in.Body.PublishAt
		}
	}
	nonce, err := identity.NewName()
	if err != nil {
		return nil, err
	}
	return s.act(ctx, c, in.UID, guard, lifecycle.ActionPublish, func(a *v1alpha1.Article) error {
		if lifecycle.Withheld(a) && a.Spec.Stage == v1alpha1.StagePublished {
			metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.RedeliverAnnotation, nonce)
		}
		a.Spec.Stage = v1alpha1.StagePublished
		if !lifecycle.Settled(a) && needsNewTime(a, at, now) {
			a.Spec.PublishAfter = &metav1.Time{Time: at.Truncate(time.Second)}
		}
		return nil
	})
}

// needsNewTime reports whether publishing at a time needs another publishAfter than the article has. A past one means now.
func needsNewTime(a *v1alpha1.Article, at, now time.Time) bool {
	current := a.Spec.PublishAfter
	if current == nil || !current.After(now) {
		return at.After(now)
	}
	return !current.Time.Equal(at.Truncate(time.Second))
}

func (s *Service) submit(ctx context.Context, c *operation.Call, in *stageInput) (*article.Output, error) {
	return s.act(ctx, c, in.UID, article.Guard{IfMatch: in.IfMatch}, lifecycle.ActionSubmit, func(a *v1alpha1.Article) error {
		if a.Spec.Stage == v1alpha1.StageDraft {
			a.Spec.Stage = s.stageOf(a)
		}
		return nil
	})
}

// stageOf returns how far an article goes that is no draft any more.
func (s *Service) stageOf(a *v1alpha1.Article) v1alpha1.ArticleStage {
	site, ok := s.Index.Site(a.Namespace, identity.UID(identity.KindSite, a.Namespace, a.Spec.SiteRef.Name))
	if !ok {
		return v1alpha1.StageReview
	}
	return article.DefaultStage(site.Object)
}

func (s *Service) cancelPublication(ctx context.Context, c *operation.Call, in *stageInput) (*article.Output, error) {
	return s.act(ctx, c, in.UID, article.Guard{IfMatch: in.IfMatch}, lifecycle.ActionCancelPublication, func(a *v1alpha1.Article) error {
		if a.Spec.Stage == v1alpha1.StagePublished {
			a.Spec.Stage, a.Spec.PublishAfter = v1alpha1.StageReview, nil
		}
		return nil
	})
}

func (s *Service) archive(ctx context.Context, c *operation.Call, in *stageInput) (*article.Output, error) {
	return s.act(ctx, c, in.UID, article.Guard{IfMatch: in.IfMatch}, lifecycle.ActionArchive, func(a *v1alpha1.Article) error {
		a.Spec.Stage = v1alpha1.StageArchived
		return nil
	})
}

func (s *Service) unarchive(ctx context.Context, c *operation.Call, in *stageInput) (*article.Output, error) {
	return s.act(ctx, c, in.UID, article.Guard{IfMatch: in.IfMatch}, lifecycle.ActionUnarchive, func(a *v1alpha1.Article) error {
		a.Spec.Stage, a.Spec.PublishAfter = v1alpha1.StageReview, nil
		return nil
	})
}

// LogEntry names the text or the article for the log.
func (in *publishInput) LogEntry() operation.LogEntry {
	if in.Body == nil {
		return operation.LogEntry{}
	}
	return operation.LogEntry{Digest: string(in.Body.Digest)}
}
