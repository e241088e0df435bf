// Package review has the operations by which people decide about articles and move them through the workflow: decisions, stages, and the
// same with many articles at once.
package review

import (
	"context"
	"net/http"

	"k8s.io/utils/ptr"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// Service has the operations.
type Service struct{ *article.Articles }

// articlePath begins the paths of the operations on one article.
const articlePath = "/v1/api/blogs/{uid}/"

// Register adds the operations.
func Register(articles *article.Articles) {
	s := &Service{articles}
	Approve.Handle(s.Core, s.approve)
	Reject.Handle(s.Core, s.reject)
	Submit.Handle(s.Core, s.stage(lifecycle.ActionSubmit))
	Publish.Handle(s.Core, s.publish)
	CancelPublication.Handle(s.Core, s.stage(lifecycle.ActionCancelPublication))
	Archive.Handle(s.Core, s.stage(lifecycle.ActionArchive))
	Unarchive.Handle(s.Core, s.stage(lifecycle.ActionUnarchive))
	Bulk.Handle(s.Core, s.bulk)
}

// act changes an article if an action is possible.
func (s *Service) act(
	ctx context.Context, c *operation.Call, uid string, guard article.Guard, action lifecycle.ActionName,
	change func(*v1alpha1.Article) error,
) (*article.Output, error) {
	return s.Change(ctx, c, uid, guard, func(a *v1alpha1.Article) error {
		if err := s.Possible(a, action); err != nil {
			return err
		}
		return change(a)
	})
}

// nothingToReview reports whether the site of an article has its text, or is being sent it for the first time.
func (s *Service) nothingToReview(a *v1alpha1.Article) bool {
	site, _ := article.SiteOf(s.Core, a)
	return lifecycle.NothingToReview(a, site)
}

// ApproveRequest may name the text that the reviewer saw.
type ApproveRequest struct {
	Digest article.Digest `json:"digest,omitempty"`
	Note   string         `json:"note,omitempty" maxLength:"2000" doc:"Why, for the author."`
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

// Approve approves a text.
var Approve = operation.Operation[ApproveInput, article.Output]{
	ID: "approve-article", Method: http.MethodPost, Path: articlePath + "approve", Tag: operation.TagEditorial,
	Scope: v1alpha1.ScopeApprove, Errors: operation.EditErrors,
}

func (s *Service) approve(ctx context.Context, c *operation.Call, in *ApproveInput) (*article.Output, error) {
	body := ptr.Deref(in.Body, ApproveRequest{})
	guard := article.Guard{IfMatch: in.IfMatch, Digest: body.Digest}
	return s.act(ctx, c, in.UID, guard, lifecycle.ActionApprove, func(a *v1alpha1.Article) error {
		site, _ := article.SiteOf(s.Core, a)
		lifecycle.Approve(a, site, approver(c, a, site), body.Note)
		return nil
	})
}

// Reject rejects a text.
var Reject = operation.Operation[RejectInput, article.Output]{
	ID: "reject-article", Method: http.MethodPost, Path: articlePath + "reject", Tag: operation.TagEditorial,
	Scope: v1alpha1.ScopeApprove, Errors: operation.EditErrors,
}

func (s *Service) reject(ctx context.Context, c *operation.Call, in *RejectInput) (*article.Output, error) {
	guard := article.Guard{IfMatch: in.IfMatch, Digest: in.Body.Digest}
	return s.act(ctx, c, in.UID, guard, lifecycle.ActionReject, func(a *v1alpha1.Article) error {
		if !s.nothingToReview(a) {
			site, _ := article.SiteOf(s.Core, a)
			lifecycle.Reject(a, approver(c, a, site), in.Body.Reason)
		}
		return nil
	})
}

// approver returns the name under which the caller decides about the current text.
func approver(c *operation.Call, a *v1alpha1.Article, site *v1alpha1.Site) string {
	return article.Approver(c, lifecycle.ApprovalsOf(a, site))
}

// LogEntry names the text or the article for the log.
func (in *ApproveInput) LogEntry() operation.LogEntry {
	return operation.LogEntry{Digest: string(ptr.Deref(in.Body, ApproveRequest{}).Digest)}
}

// LogEntry names the text or the article for the log.
func (in *RejectInput) LogEntry() operation.LogEntry {
	return operation.LogEntry{Digest: string(in.Body.Digest)}
}
