package rest

import (
	"context"
	"net/http"
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// PublishRequest may name a time, and the text that is to be published.
type PublishRequest struct {
	PublishAt *time.Time `json:"publish_at,omitempty" doc:"Not before this time; now if absent or past." example:"2026-12-01T09:00:00Z"`
	Digest    Digest     `json:"digest,omitempty" doc:"revision_digest of the text that you read: 409 if there is another by now."`
}

// PublishInput is the input of publish-article.
type PublishInput struct {
	OnArticle
	IfMatch
	Body *PublishRequest
}

// NoRequest is the body of operations that need none: absent, or an empty object.
type NoRequest struct{}

// ArchiveInput is the input of archive-article.
type ArchiveInput struct {
	OnArticle
	IfMatch
	Body *NoRequest
}

// UnscheduleInput is the input of unschedule-article.
type UnscheduleInput struct {
	OnArticle
	IfMatch
	Body *NoRequest
}

// publishAfter is the field with the time of a publication.
var publishAfter = []string{"spec", "publishAfter"}

// stageConcern lists the fields that publish, unschedule and archive may own.
var stageConcern = [][]string{{"spec", "stage"}, publishAfter}

func (s *service) registerStage() {
	g := s.group(tagEditorial, v1alpha1.ScopeWrite)
	op := s.operation(http.MethodPost, "/v1/api/blogs/{uid}/publish", "publish-article", editing...)
	op.Summary = "Publish an article"
	op.Description = "Asks for publishing, now or at a time. An article that is not approved yet is published once it is. " +
		"It changes nothing of a published article."
	handle(g, op, s.publish)

	op = s.operation(http.MethodPost, "/v1/api/blogs/{uid}/unschedule", "unschedule-article", editing...)
	op.Summary = "Unschedule an article"
	op.Description = "Takes the request to publish back, with its time: the article stays as it is until publish is called again. " +
		"It is a conflict if the article is published, being delivered or archived."
	handle(g, op, s.unschedule)

	op = s.operation(http.MethodPost, "/v1/api/blogs/{uid}/archive", "archive-article", editing...)
	op.Summary = "Archive an article"
	op.Description = "Takes the article out of the workflow. What a site has received stays there. Publishing it brings it back."
	handle(g, op, s.archive)
}

func (s *service) publish(ctx context.Context, c *call, in *PublishInput) (*ArticleOutput, error) {
	now := s.Clock.Now()
	at, must := now, precondition{ifMatch: in.IfMatch.IfMatch}
	if in.Body != nil {
		must.digest = string(in.Body.Digest)
	}
	if in.Body != nil && in.Body.PublishAt != nil && in.Body.PublishAt.After(now) {
		at = *in.Body.PublishAt
	}
	return s.edit(ctx, c, in.UID, fieldEdit{
		manager: managerStage,
		concern: stageConcern,
		must:    must,
		decide: func(a *v1alpha1.Article) ([]assignment, error) {
			if err := s.possible(a, lifecycle.ActionPublish); err != nil {
				return nil, err
			}
			var out []assignment
			if a.Spec.Stage != v1alpha1.StagePublished {
				out = append(out, assignment{[]string{"spec", "stage"}, string(v1alpha1.StagePublished)})
			}
			if !lifecycle.Frozen(a) && needsNewTime(a, at, now) {
				out = append(out, assignment{publishAfter, at.UTC().Format(time.RFC3339)})
			}
			return out, nil
		},
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

func (s *service) archive(ctx context.Context, c *call, in *ArchiveInput) (*ArticleOutput, error) {
	return s.edit(ctx, c, in.UID, fieldEdit{
		manager: managerStage,
		concern: stageConcern,
		must:    precondition{ifMatch: in.IfMatch.IfMatch},
		decide: func(a *v1alpha1.Article) ([]assignment, error) {
			if a.Spec.Stage == v1alpha1.StageArchived {
				return nil, nil
			}
			return []assignment{{[]string{"spec", "stage"}, string(v1alpha1.StageArchived)}}, nil
		},
	})
}

// unschedule takes the request to publish back. If the time was set by kubectl it stays in the spec, where it means nothing until
// the next request, which sets its own.
func (s *service) unschedule(ctx context.Context, c *call, in *UnscheduleInput) (*ArticleOutput, error) {
	return s.edit(ctx, c, in.UID, fieldEdit{
		manager: managerStage,
		concern: stageConcern,
		must:    precondition{ifMatch: in.IfMatch.IfMatch},
		drop:    publishAfter,
		decide: func(a *v1alpha1.Article) ([]assignment, error) {
			if err := s.possible(a, lifecycle.ActionUnschedule); err != nil {
				return nil, err
			}
			if a.Spec.Stage != v1alpha1.StagePublished {
				return nil, nil
			}
			return []assignment{{[]string{"spec", "stage"}, string(v1alpha1.StageReview)}}, nil
		},
	})
}
