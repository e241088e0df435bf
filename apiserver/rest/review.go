package rest

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// ApproveRequest may name the text that the reviewer saw.
type ApproveRequest struct {
	Digest Digest `json:"digest,omitempty"`
	Note   string `json:"note,omitempty" maxLength:"2000"`
}

// ApproveInput is the input of approve-article.
type ApproveInput struct {
	OnArticle
	IfMatch
	Body *ApproveRequest
}

// RejectRequest rejects a text.
type RejectRequest struct {
	Reason string `json:"reason" minLength:"1" maxLength:"2000" example:"The second section has no sources."`
	Digest Digest `json:"digest,omitempty"`
}

// RejectInput is the input of reject-article.
type RejectInput struct {
	OnArticle
	IfMatch
	Body RejectRequest
}

func (s *service) registerReview() {
	g := s.group(tagEditorial, v1alpha1.ScopeApprove)
	op := s.operation(http.MethodPost, "/v1/api/blogs/{uid}/approve", "approve-article", editing...)
	op.Summary = "Approve an article"
	op.Description = "Approves the current text, under the key's name. Another text would be in review again."
	handle(g, op, s.approve)

	op = s.operation(http.MethodPost, "/v1/api/blogs/{uid}/reject", "reject-article", editing...)
	op.Summary = "Reject an article"
	op.Description = "Rejects the current text, under the key's name. Another text would be in review again."
	handle(g, op, s.reject)
}

func (s *service) approve(ctx context.Context, c *call, in *ApproveInput) (*ArticleOutput, error) {
	body := ApproveRequest{}
	if in.Body != nil {
		body = *in.Body
	}
	review := v1alpha1.ArticleReview{
		Decision: v1alpha1.DecisionApproved, Digest: string(body.Digest), By: c.principal.Name, Note: body.Note,
	}
	return s.review(ctx, c, in.UID, in.IfMatch, lifecycle.ActionApprove, review)
}

func (s *service) reject(ctx context.Context, c *call, in *RejectInput) (*ArticleOutput, error) {
	review := v1alpha1.ArticleReview{
		Decision: v1alpha1.DecisionRejected, Digest: string(in.Body.Digest), By: c.principal.Name, Note: in.Body.Reason,
	}
	return s.review(ctx, c, in.UID, in.IfMatch, lifecycle.ActionReject, review)
}

// review records the reviewer's decision on the current text.
func (s *service) review(
	ctx context.Context, c *call, uid string, m IfMatch, action lifecycle.ActionName, review v1alpha1.ArticleReview,
) (*ArticleOutput, error) {
	return s.edit(ctx, c, uid, fieldEdit{
		manager: managerReview,
		must:    precondition{ifMatch: m.IfMatch},
		decide: func(a *v1alpha1.Article) ([]assignment, error) {
			if err := s.possible(a, action); err != nil {
				return nil, err
			}
			if review.Digest != "" {
				if err := sameText(a, review.Digest); err != nil {
					return nil, err
				}
			}
			return reviewAssignments(a, review), nil
		},
	})
}

// reviewAssignments are empty if the article has the decision already. What is published or being delivered is approved.
func reviewAssignments(a *v1alpha1.Article, review v1alpha1.ArticleReview) []assignment {
	review.Digest = a.Status.Revision.Digest
	r := a.Spec.Review
	if lifecycle.Frozen(a) || r != nil && r.Decision == review.Decision && r.Digest == review.Digest && r.Note == review.Note {
		return nil
	}
	return []assignment{{[]string{"spec", "review"}, structValue(&review)}}
}
