package rest

import (
	"context"
	"net/http"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// ApproveRequest may name the text that is approved.
type ApproveRequest struct {
	Digest Digest `json:"digest,omitempty"`
	Note   string `json:"note,omitempty" maxLength:"2000"`
}

// ApproveInput is the input of approve-article.
type ApproveInput struct {
	OnArticle
	Body *ApproveRequest
}

// RejectRequest says why a text is rejected.
type RejectRequest struct {
	Reason string `json:"reason" minLength:"1" maxLength:"2000" example:"The second section has no sources."`
	Digest Digest `json:"digest,omitempty"`
}

// RejectInput is the input of reject-article.
type RejectInput struct {
	OnArticle
	Body RejectRequest
}

// reviewConcern lists the fields that approve and reject hold. They assign them all each time, so that nothing of an
// earlier word stays.
var reviewConcern = [][]string{}

func (s *service) registerReview() {
	op := s.operation(http.MethodPost, "/v1/api/blogs/{uid}/approve", "approve-article", v1alpha1.ScopeApprove, editing...)
	op.Summary = "Approve an article"
	op.Description = "Approves the current text, under the key's name. Another text would be in review again."
	handle(s, op, s.approve)

	op = s.operation(http.MethodPost, "/v1/api/blogs/{uid}/reject", "reject-article", v1alpha1.ScopeApprove, editing...)
	op.Summary = "Reject an article"
	op.Description = "Rejects the current text, under the key's name. Another text would be in review again."
	handle(s, op, s.reject)
}

func (s *service) approve(ctx context.Context, c *call, in *ApproveInput) (*ArticleOutput, error) {
	body := ApproveRequest{}
	if in.Body != nil {
		body = *in.Body
	}
	word := v1alpha1.ArticleReview{
		Decision: v1alpha1.DecisionApproved, Digest: string(body.Digest), By: c.principal.Name, Note: body.Note,
	}
	return s.review(ctx, c, in.UID, word, func(a *v1alpha1.Article) (bool, error) {
		// What is published or on its way has been approved.
		return lifecycle.Frozen(a), nil
	})
}

func (s *service) reject(ctx context.Context, c *call, in *RejectInput) (*ArticleOutput, error) {
	word := v1alpha1.ArticleReview{
		Decision: v1alpha1.DecisionRejected, Digest: string(in.Body.Digest), By: c.principal.Name, Note: in.Body.Reason,
	}
	return s.review(ctx, c, in.UID, word, func(a *v1alpha1.Article) (bool, error) {
		if lifecycle.Frozen(a) {
			return false, conflict("the article is published or on its way to its site: it can be archived, not rejected")
		}
		return false, nil
	})
}

// review gives the reviewer's word on the current text. settled says whether there is nothing left to decide.
func (s *service) review(
	ctx context.Context, c *call, uid string, word v1alpha1.ArticleReview, settled func(*v1alpha1.Article) (bool, error),
) (*ArticleOutput, error) {
	return s.perform(ctx, c, uid, edit{
		manager: managerReview,
		concern: reviewConcern,
		decide: func(a *v1alpha1.Article) ([]assignment, error) {
			if err := s.reviewable(a, word.Digest); err != nil {
				return nil, err
			}
			if done, err := settled(a); done || err != nil {
				return nil, err
			}
			return wordAssignments(a, word), nil
		},
	})
}

// reviewable returns a conflict where there is no text that a word could be about, or another than the reviewer saw.
func (s *service) reviewable(a *v1alpha1.Article, digest string) error {
	current := a.Status.Revision
	switch {
	case a.Spec.Stage == v1alpha1.StageArchived:
		return conflict("the article is archived")
	case lifecycle.RunOpen(a), lifecycle.RunWanted(a):
		return conflict("a new text is being generated: wait for it")
	case current == nil:
		return conflict("there is no text to review yet")
	case edited(a):
		return conflict("the text was edited just now: wait for the new revision")
	case digest != "" && digest != current.Digest:
		return conflict("the text has changed: its revision_digest is now " + current.Digest)
	}
	return nil
}

func wordAssignments(a *v1alpha1.Article, word v1alpha1.ArticleReview) []assignment {
	word.Digest = a.Status.Revision.Digest
	if r := a.Spec.Review; r != nil && r.Decision == word.Decision && r.Digest == word.Digest && r.Note == word.Note {
		return nil
	}
	return []assignment{
		{[]string{"spec", "review", "decision"}, string(word.Decision)},
		{[]string{"spec", "review", "digest"}, word.Digest},
		{[]string{"spec", "review", "by"}, word.By},
		{[]string{"spec", "review", "note"}, word.Note},
	}
}
