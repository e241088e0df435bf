package review

import (
	"context"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// ApproveRequest may name the text that the reviewer saw.
type ApproveRequest struct {
	Digest article.Digest `json:"digest,omitempty"`
	Note   string         `json:"note,omitempty" maxLength:"2000"`
}

// RejectRequest rejects a text.
type RejectRequest struct {
	Reason string         `json:"note" minLength:"1" maxLength:"2000" doc:"Why, for the author." example:"The second section has no sources."`
	Digest article.Digest `json:"digest,omitempty"`
}

type (
	// ApproveInput is the input of approve-article.
	ApproveInput struct {
		article.OnArticle
		operation.IfMatch
		Body *ApproveRequest
	}
	// RejectInput is the input of reject-article.
	RejectInput struct {
		article.OnArticle
		operation.IfMatch
		Body RejectRequest
	}
)

func (s *Service) approve(ctx context.Context, c *operation.Call, in *ApproveInput) (*article.Output, error) {
	body := ApproveRequest{}
	if in.Body != nil {
		body = *in.Body
	}
	guard := article.Guard{IfMatch: in.IfMatch, Digest: body.Digest}
	return s.decide(ctx, c, in.UID, guard, lifecycle.ActionApprove,
		v1alpha1.ArticleReview{Decision: v1alpha1.DecisionApproved, Note: body.Note})
}

func (s *Service) reject(ctx context.Context, c *operation.Call, in *RejectInput) (*article.Output, error) {
	guard := article.Guard{IfMatch: in.IfMatch, Digest: in.Body.Digest}
	review := v1alpha1.ArticleReview{Decision: v1alpha1.DecisionRejected, Note: in.Body.Reason}
	return s.decide(ctx, c, in.UID, guard, lifecycle.ActionReject, review)
}

// decide records the reviewer's decision on the current text, unless the article has it already. What is published or being delivered is
// approved.
func (s *Service) decide(
	ctx context.Context, c *operation.Call, uid string, guard article.Guard, action lifecycle.ActionName, review v1alpha1.ArticleReview,
) (*article.Output, error) {
	return s.act(ctx, c, uid, guard, action, func(a *v1alpha1.Article) error {
		review.By, review.Digest = c.Principal.Name, a.Status.Revision.Digest
		r := a.Spec.Review
		if !lifecycle.Settled(a) && (r == nil || r.Decision != review.Decision || r.Digest != review.Digest || r.Note != review.Note) {
			a.Spec.Review = &review
		}
		return nil
	})
}

// LogEntry names the text or the article for the log.
func (in *ApproveInput) LogEntry() operation.LogEntry {
	if in.Body == nil {
		return operation.LogEntry{}
	}
	return operation.LogEntry{Digest: string(in.Body.Digest)}
}

// LogEntry names the text or the article for the log.
func (in *RejectInput) LogEntry() operation.LogEntry {
	return operation.LogEntry{Digest: string(in.Body.Digest)}
}
