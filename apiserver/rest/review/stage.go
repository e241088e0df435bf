package review

import (
	"context"
	"net/http"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// PublishRequest may name a time, and the text that is to be published.
type PublishRequest struct {
	PublishAt *time.Time     `json:"publish_at,omitempty" doc:"Not before this time, which may be at most a minute ago; now if absent." example:"2026-12-01T09:00:00Z"`
	Digest    article.Digest `json:"digest,omitempty" doc:"revision_digest of the text that you read: 409 if there is another by now."`
}

type (
	// PublishInput is the input of publish-article.
	PublishInput struct {
		article.OnArticle
		operation.IfMatch
		Body *PublishRequest
	}
	// StageInput is the input of archive-article, cancel-publication, submit-article and unarchive-article.
	StageInput struct {
		article.OnArticle
		operation.IfMatch
		Body *operation.NoRequest
	}
)

// Publish asks for publication.
var Publish = operation.Operation[PublishInput, article.Output]{
	ID: "publish-article", Method: http.MethodPost, Path: articlePath + "publish", Tag: operation.TagEditorial,
	Scope: v1alpha1.ScopeWrite, Errors: operation.EditErrors,
}

func (s *Service) publish(ctx context.Context, c *operation.Call, in *PublishInput) (*article.Output, error) {
	body, now := ptr.Deref(in.Body, PublishRequest{}), s.Clock.Now()
	guard, at := article.Guard{IfMatch: in.IfMatch, Digest: body.Digest}, now
	if wrong := passed("publish_at", body.PublishAt, now); wrong != nil {
		return nil, problem.Invalid(wrong...)
	}
	if body.PublishAt != nil && body.PublishAt.After(now) {
		at = *body.PublishAt
	}
	nonce := identity.NewName()
	return s.act(ctx, c, in.UID, guard, lifecycle.ActionPublish, func(a *v1alpha1.Article) error {
		if lifecycle.HoldOf(a) != "" && a.Spec.Stage == v1alpha1.StagePublished {
			metav1.SetMetaDataAnnotation(&a.ObjectMeta, v1alpha1.RedeliverAnnotation, nonce)
		}
		a.Spec.Stage = v1alpha1.StagePublished
		if !s.nothingToReview(a) && needsNewTime(a, at, now) {
			a.Spec.PublishAfter = &v1alpha1.Time{Time: at.Truncate(time.Second)}
		}
		return nil
	})
}

// maxLate is how old the time of a publication may be: as much as a clock may be wrong, and a request may take.
const maxLate = time.Minute

// passed returns what is wrong with a time that has passed: somebody may have mistaken the year, and the article would be live at once. It
// is not asked of a schema's check: a repeat under an Idempotency-Key is answered as the first request, however late it comes.
func passed(field string, at *time.Time, now time.Time) []problem.ErrorDetail {
	if at == nil || now.Sub(*at) <= maxLate {
		return nil
	}
	return []problem.ErrorDetail{{Field: field, Message: "must be in the future, or at most a minute ago"}}
}

// needsNewTime reports whether publishing at a time needs another publishAfter than the article has. A past one means now, and one that
// cannot be read means never.
func needsNewTime(a *v1alpha1.Article, at, now time.Time) bool {
	current := a.Spec.PublishAfter
	if current == nil || current.Unreadable() {
		return current != nil || at.After(now)
	}
	if !current.After(now) {
		return at.After(now)
	}
	return !current.Time.Equal(at.Truncate(time.Second))
}

// stageChanges are the actions that need only the article, and how each changes it.
var stageChanges = map[lifecycle.ActionName]func(*Service, *v1alpha1.Article){
	lifecycle.ActionSubmit: func(s *Service, a *v1alpha1.Article) {
		if a.Spec.Stage != v1alpha1.StageDraft {
			return
		}
		a.Spec.Stage = v1alpha1.StageReview
		if site, ok := article.SiteOf(s.Core, a); ok {
			a.Spec.Stage = article.DefaultStage(site)
		}
	},
	lifecycle.ActionCancelPublication: func(_ *Service, a *v1alpha1.Article) {
		if a.Spec.Stage == v1alpha1.StagePublished {
			a.Spec.Stage, a.Spec.PublishAfter = v1alpha1.StageReview, nil
		}
	},
	lifecycle.ActionArchive: func(_ *Service, a *v1alpha1.Article) { a.Spec.Stage = v1alpha1.StageArchived },
	lifecycle.ActionUnarchive: func(_ *Service, a *v1alpha1.Article) {
		a.Spec.Stage, a.Spec.PublishAfter = v1alpha1.StageReview, nil
	},
}

// Submit ends the draft of an article.
var Submit = operation.Operation[StageInput, article.Output]{
	ID: "submit-article", Method: http.MethodPost, Path: articlePath + "submit", Tag: operation.TagEditorial,
	Scope: v1alpha1.ScopeWrite, Errors: operation.EditErrors,
}

// CancelPublication takes the request to publish back.
var CancelPublication = operation.Operation[StageInput, article.Output]{
	ID: "cancel-publication", Method: http.MethodPost, Path: articlePath + "cancel-publication", Tag: operation.TagEditorial,
	Scope: v1alpha1.ScopeWrite, Errors: operation.EditErrors,
}

// Archive takes an article out of the workflow.
var Archive = operation.Operation[StageInput, article.Output]{
	ID: "archive-article", Method: http.MethodPost, Path: articlePath + "archive", Tag: operation.TagEditorial,
	Scope: v1alpha1.ScopeWrite, Errors: operation.EditErrors,
}

// Unarchive brings an article back into the workflow.
var Unarchive = operation.Operation[StageInput, article.Output]{
	ID: "unarchive-article", Method: http.MethodPost, Path: articlePath + "unarchive", Tag: operation.TagEditorial,
	Scope: v1alpha1.ScopeWrite, Errors: operation.EditErrors,
}

// stage returns the operation of an action that needs only the article.
func (s *Service) stage(action lifecycle.ActionName) func(context.Context, *operation.Call, *StageInput) (*article.Output, error) {
	return func(ctx context.Context, c *operation.Call, in *StageInput) (*article.Output, error) {
		return s.act(ctx, c, in.UID, article.Guard{IfMatch: in.IfMatch}, action, func(a *v1alpha1.Article) error {
			stageChanges[action](s, a)
			return nil
		})
	}
}

// LogEntry names the text or the article for the log.
func (in *PublishInput) LogEntry() operation.LogEntry {
	return operation.LogEntry{Digest: string(ptr.Deref(in.Body, PublishRequest{}).Digest)}
}
