package rest

import (
	"context"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// bulkOperations are the operations of bulk-articles by name: each is the operation on one article.
var bulkOperations = map[string]bulkOperation{
	"approve": {v1alpha1.ScopeApprove, true, func(ctx context.Context, s *service, c *call, i BulkItem, _ BulkRequest) (string, error) {
		return statusOf(s.approve(ctx, c, &ApproveInput{OnArticle: i.on(), Body: &ApproveRequest{Digest: i.Digest}}))
	}},
	bulkReject: {v1alpha1.ScopeApprove, true, func(ctx context.Context, s *service, c *call, i BulkItem, r BulkRequest) (string, error) {
		return statusOf(s.reject(ctx, c, &RejectInput{OnArticle: i.on(), Body: RejectRequest{Reason: r.Reason, Digest: i.Digest}}))
	}},
	bulkPublish: {v1alpha1.ScopeWrite, true, func(ctx context.Context, s *service, c *call, i BulkItem, r BulkRequest) (string, error) {
		body := &PublishRequest{PublishAt: r.PublishAt, Digest: i.Digest}
		return statusOf(s.publish(ctx, c, &PublishInput{OnArticle: i.on(), Body: body}))
	}},
	"submit": {v1alpha1.ScopeWrite, false, func(ctx context.Context, s *service, c *call, i BulkItem, _ BulkRequest) (string, error) {
		return statusOf(s.submit(ctx, c, &SubmitInput{OnArticle: i.on()}))
	}},
	"unschedule": {v1alpha1.ScopeWrite, false, func(ctx context.Context, s *service, c *call, i BulkItem, _ BulkRequest) (string, error) {
		return statusOf(s.unschedule(ctx, c, &UnscheduleInput{OnArticle: i.on()}))
	}},
	"archive": {v1alpha1.ScopeWrite, false, func(ctx context.Context, s *service, c *call, i BulkItem, _ BulkRequest) (string, error) {
		return statusOf(s.archive(ctx, c, &ArchiveInput{OnArticle: i.on()}))
	}},
	"regenerate": {v1alpha1.ScopeWrite, false, func(ctx context.Context, s *service, c *call, i BulkItem, _ BulkRequest) (string, error) {
		return statusOf(s.command(ctx, c, &CommandInput{OnArticle: i.on()}, regeneratePath, lifecycle.ActionRegenerate))
	}},
	"redeliver": {v1alpha1.ScopeWrite, false, func(ctx context.Context, s *service, c *call, i BulkItem, _ BulkRequest) (string, error) {
		return statusOf(s.command(ctx, c, &CommandInput{OnArticle: i.on()}, redeliverPath, lifecycle.ActionRedeliver))
	}},
	"delete": {v1alpha1.ScopeWrite, false, func(ctx context.Context, s *service, c *call, i BulkItem, _ BulkRequest) (string, error) {
		_, err := s.deleteArticle(ctx, c, &DeleteInput{OnArticle: i.on()})
		return "", err
	}},
}

// on names the article as the operations on one article do. The workspace is that of the call.
func (i BulkItem) on() OnArticle { return OnArticle{UID: i.UID} }

func statusOf(out *ArticleOutput, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return out.Body.Status, nil
}
