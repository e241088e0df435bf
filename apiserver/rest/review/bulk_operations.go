package review

import (
	"cmp"
	"context"
	"strings"

	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// bulkActions are the operations of bulk-articles: each is the operation on one article.
var bulkActions = map[lifecycle.ActionName]bulkAction{
	lifecycle.ActionApprove: {true, func(ctx context.Context, s *Service, c *operation.Call, i BulkItem, _ BulkRequest) (string, error) {
		return statusOf(s.approve(ctx, c, &ApproveInput{OnArticle: i.on(), Body: &ApproveRequest{Digest: i.Digest}}))
	}},
	lifecycle.ActionReject: {true, func(ctx context.Context, s *Service, c *operation.Call, i BulkItem, r BulkRequest) (string, error) {
		return statusOf(s.reject(ctx, c, &RejectInput{OnArticle: i.on(), Body: RejectRequest{Reason: r.Reason, Digest: i.Digest}}))
	}},
	lifecycle.ActionPublish: {true, func(ctx context.Context, s *Service, c *operation.Call, i BulkItem, r BulkRequest) (string, error) {
		body := &PublishRequest{PublishAt: cmp.Or(i.PublishAt, r.PublishAt), Digest: i.Digest}
		return statusOf(s.publish(ctx, c, &PublishInput{OnArticle: i.on(), Body: body}))
	}},
	lifecycle.ActionSubmit:            stageAction((*Service).submit),
	lifecycle.ActionCancelPublication: stageAction((*Service).cancelPublication),
	lifecycle.ActionArchive:           stageAction((*Service).archive),
	lifecycle.ActionUnarchive:         stageAction((*Service).unarchive),
	lifecycle.ActionRegenerate: {false, func(ctx context.Context, s *Service, c *operation.Call, i BulkItem, _ BulkRequest) (string,
		error) {
		return statusOf(s.Regenerate(ctx, c, i.command()))
	}},
	lifecycle.ActionRedeliver: {false, func(ctx context.Context, s *Service, c *operation.Call, i BulkItem, _ BulkRequest) (string, error) {
		return statusOf(s.Redeliver(ctx, c, &article.RedeliverInput{OnArticle: i.on(), Idempotent: operation.Idempotent{Key: i.key}}))
	}},
	lifecycle.ActionDelete: {false, func(ctx context.Context, s *Service, c *operation.Call, i BulkItem, _ BulkRequest) (string, error) {
		_, err := s.Delete(ctx, c, &article.DeleteInput{OnArticle: i.on()})
		return "", err
	}},
}

// stageAction is an operation that needs only the article.
func stageAction(do func(*Service, context.Context, *operation.Call, *StageInput) (*article.Output, error)) bulkAction {
	return bulkAction{run: func(ctx context.Context, s *Service, c *operation.Call, i BulkItem, _ BulkRequest) (string, error) {
		return statusOf(do(s, ctx, c, &StageInput{OnArticle: i.on()}))
	}}
}

// on names the article as the operations on one article do. The workspace is that of the call.
func (i BulkItem) on() article.OnArticle { return article.OnArticle{UID: strings.ToLower(i.UID)} }

// command is the command on the article, which is done once if the request has an Idempotency-Key.
func (i BulkItem) command() *article.CommandInput {
	return &article.CommandInput{OnArticle: i.on(), Idempotent: operation.Idempotent{Key: i.key}}
}

func statusOf(out *article.Output, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return out.Body.Status, nil
}
