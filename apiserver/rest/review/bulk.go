package review

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"golang.org/x/sync/errgroup"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/article"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// bulkAtOnce is how many items of a bulk request are done at the same time.
const bulkAtOnce = 8

// BulkRequest is one operation on many articles.
type BulkRequest struct {
	Operation string     `json:"operation" enum:"submit,approve,reject,publish,cancel-publication,archive,unarchive,regenerate,redeliver,unpublish,delete" doc:"approve and reject need the scope approve, the others write, and unpublish both unless the site approves automatically."`
	Items     []BulkItem `json:"items" minItems:"1" maxItems:"50" doc:"Each article at most once."`
	Reason    string     `json:"note,omitempty" minLength:"1" maxLength:"2000" doc:"Required for reject, and for nothing else."`
	PublishAt *time.Time `json:"publish_at,omitempty" doc:"For publish alone: not before this time, which may be at most a minute ago; now if absent." example:"2026-12-01T09:00:00Z"`
}

// BulkItem is one article of a bulk request.
type BulkItem struct {
	UID    string         `json:"uid" minLength:"1" maxLength:"36" doc:"The article's uid." example:"0198f0a1-b2c3-7d4e-95f6-a7b8c9d0e1f2"`
	Digest article.Digest `json:"digest,omitempty" doc:"For approve, reject and publish: revision_digest of the text that you saw. If there is another by now, nothing is done with the article."`

	PublishAt *time.Time `json:"publish_at,omitempty" doc:"For publish alone: the time of this article, instead of the request's." example:"2026-12-02T09:00:00Z"`

	// key of the item; empty without an Idempotency-Key of the request.
	key string
}

// BulkResult is what has become of one article.
type BulkResult struct {
	UID     string             `json:"uid" doc:"As in the request."`
	Done    bool               `json:"done" doc:"Whether the operation succeeded."`
	Status  string             `json:"status" doc:"Of the article after the operation; empty if it failed, and after delete." example:"approved"`
	Problem *problem.ErrorBody `json:"error" doc:"Why the operation failed, as its own answer would have it; null if it succeeded."`
}

// BulkAnswer is the answer of bulk-articles.
type BulkAnswer struct {
	operation.Envelope
	Done   int          `json:"done" minimum:"0" doc:"Articles with which the operation succeeded."`
	Failed int          `json:"failed" minimum:"0" doc:"Articles with which it did not."`
	Data   []BulkResult `json:"data" maxItems:"50" doc:"In the order of the request."`
}

// BulkInput is the input of bulk-articles.
type BulkInput struct {
	operation.InWorkspace
	operation.Idempotent
	Body BulkRequest
}

// Resolve checks what the schema cannot express.
func (in *BulkInput) Resolve(huma.Context) []error {
	var errs []error
	refuse := func(field, message string) {
		errs = append(errs, &huma.ErrorDetail{Location: "body." + field, Message: message})
	}
	switch b := in.Body; {
	case b.Operation == bulkReject && b.Reason == "":
		refuse("note", "is required for reject")
	case b.Operation != bulkReject && b.Reason != "":
		refuse("note", "must be left out, except for reject")
	}
	if in.Body.Operation != bulkPublish && in.Body.PublishAt != nil {
		refuse("publish_at", "must be left out, except for publish")
	}
	seen := map[string]bool{}
	for i, item := range in.Body.Items {
		if in.Body.Operation != bulkPublish && item.PublishAt != nil {
			refuse(fmt.Sprintf("items[%d].publish_at", i), "must be left out, except for publish")
		}
		if uid := strings.ToLower(item.UID); seen[uid] {
			refuse(fmt.Sprintf("items[%d].uid", i), "must not come twice")
		} else {
			seen[uid] = true
		}
		if item.Digest != "" && !slices.Contains(takeDigest, lifecycle.ActionName(in.Body.Operation)) {
			refuse(fmt.Sprintf("items[%d].digest", i), "must be left out, except for approve, reject and publish")
		}
	}
	return errs
}

// passed returns what is wrong with the times of a request that have passed.
func (b BulkRequest) passed(now time.Time) []problem.ErrorDetail {
	wrong := passed("publish_at", b.PublishAt, now)
	for i, item := range b.Items {
		wrong = append(wrong, passed(fmt.Sprintf("items[%d].publish_at", i), item.PublishAt, now)...)
	}
	return wrong
}

// Bulk does something with many articles.
var Bulk = operation.Operation[BulkInput, operation.Output[BulkAnswer]]{
	ID: "bulk-articles", Method: http.MethodPost, Path: "/v1/api/blogs/bulk", Tag: operation.TagEditorial,
	Scope: v1alpha1.ScopeWrite, OrScope: v1alpha1.ScopeApprove, Errors: operation.CreateErrors,
}

func (s *Service) bulk(ctx context.Context, c *operation.Call, in *BulkInput) (*operation.Output[BulkAnswer], error) {
	return operation.Command[operation.Output[BulkAnswer]]{
		Operation: Bulk.ID, About: in.Body,
		Do: func(ctx context.Context, nonce string) (*operation.Output[BulkAnswer], error) {
			if wrong := in.Body.passed(s.Clock.Now()); len(wrong) > 0 {
				return nil, problem.Invalid(wrong...)
			}
			if in.Key != "" {
				// A process may have ended among the items.
				for i := range in.Body.Items {
					in.Body.Items[i].key = nonce + "/" + in.Body.Items[i].UID
				}
			}
			return s.doEach(ctx, c, in)
		},
		Keep:    keepResults,
		Restore: func(kept []byte) (*operation.Output[BulkAnswer], error) { return restoreResults(in.Body.Items, kept) },
	}.Run(ctx, c, in.Idempotent, c.Workspace)
}

func (s *Service) doEach(ctx context.Context, c *operation.Call, in *BulkInput) (*operation.Output[BulkAnswer], error) {
	if scope := lifecycle.ScopeOf(lifecycle.ActionName(in.Body.Operation)); !c.Principal.Has(scope) {
		return nil, problem.InsufficientScope(strings.ToLower(string(scope)))
	}
	out := BulkAnswer{Envelope: operation.Succeeded, Data: make([]BulkResult, len(in.Body.Items))}
	var group errgroup.Group
	group.SetLimit(bulkAtOnce)
	for i, item := range in.Body.Items {
		group.Go(func() error {
			var status int
			out.Data[i], status = s.bulkItem(ctx, c, i, item, in.Body)
			out.Data[i].UID = item.UID
			s.LogItem(ctx, itemOperations[lifecycle.ActionName(in.Body.Operation)], item.UID, string(item.Digest), status)
			return nil
		})
	}
	// No item returns an error.
	_ = group.Wait()
	return operation.Answer(counted(out)), nil
}

// counted is an answer with the numbers of its results.
func counted(out BulkAnswer) BulkAnswer {
	for _, result := range out.Data {
		if result.Done {
			out.Done++
		} else {
			out.Failed++
		}
	}
	return out
}

// bulkItem does one item, and returns the status that its own answer would have. It counts as a request of its own; the request itself
// stands for the first one.
func (s *Service) bulkItem(
	ctx context.Context, c *operation.Call, i int, item BulkItem, request BulkRequest,
) (result BulkResult, code int) {
	fail := func(e *problem.APIError) { result, code = BulkResult{Problem: &e.Problem}, e.GetStatus() }
	defer func() {
		if cause := recover(); cause != nil {
			id := problem.RequestID(ctx)
			s.Log.Error(fmt.Errorf("panic: %v", cause), "an item of a bulk request failed", "requestID", id, "stack", string(debug.Stack()))
			fail(problem.Internal(id))
		}
	}()
	if i > 0 {
		if wait := c.Take(); wait > 0 {
			fail(problem.TooManyRequests(wait))
			return result, code
		}
	}
	out, err := s.doItem(ctx, c, item, request)
	if err != nil {
		fail(s.Problem(ctx, Bulk.ID, err))
		return result, code
	}
	result = BulkResult{Done: true}
	if out != nil {
		result.Status = out.Body.Status
	}
	return result, http.StatusOK
}

// itemOperations are the ids of the operations that a request does with each article.
var itemOperations = map[lifecycle.ActionName]string{
	lifecycle.ActionSubmit: Submit.ID, lifecycle.ActionApprove: Approve.ID, lifecycle.ActionReject: Reject.ID,
	lifecycle.ActionPublish: Publish.ID, lifecycle.ActionCancelPublication: CancelPublication.ID,
	lifecycle.ActionArchive: Archive.ID, lifecycle.ActionUnarchive: Unarchive.ID,
	lifecycle.ActionRegenerate: article.Regenerate.ID, lifecycle.ActionRedeliver: article.Redeliver.ID,
	lifecycle.ActionUnpublish: article.Unpublish.ID, lifecycle.ActionDelete: article.Delete.ID,
}

// The names of operations that the request checks.
const (
	bulkReject  = string(lifecycle.ActionReject)
	bulkPublish = string(lifecycle.ActionPublish)
)

// takeDigest are the operations that take the digest of the text that was seen.
var takeDigest = []lifecycle.ActionName{lifecycle.ActionApprove, lifecycle.ActionReject, lifecycle.ActionPublish}

// doItem does the operation on one article. A command is done once if the request has an Idempotency-Key. The workspace is that of the
// call.
func (s *Service) doItem(ctx context.Context, c *operation.Call, i BulkItem, r BulkRequest) (*article.Output, error) {
	on := article.OnArticle{UID: strings.ToLower(i.UID)}
	command := article.Command{OnArticle: on, Idempotent: operation.Idempotent{Key: i.key}}
	switch action := lifecycle.ActionName(r.Operation); action {
	case lifecycle.ActionApprove:
		return s.approve(ctx, c, &ApproveInput{OnArticle: on, Body: &ApproveRequest{Digest: i.Digest}})
	case lifecycle.ActionReject:
		return s.reject(ctx, c, &RejectInput{OnArticle: on, Body: RejectRequest{Reason: r.Reason, Digest: i.Digest}})
	case lifecycle.ActionPublish:
		body := &PublishRequest{PublishAt: cmp.Or(i.PublishAt, r.PublishAt), Digest: i.Digest}
		return s.publish(ctx, c, &PublishInput{OnArticle: on, Body: body})
	case lifecycle.ActionRegenerate:
		return s.Regenerate(ctx, c, &article.RegenerateInput{Command: command})
	case lifecycle.ActionRedeliver:
		return s.Redeliver(ctx, c, &article.RedeliverInput{Command: command})
	case lifecycle.ActionUnpublish:
		return s.Unpublish(ctx, c, &article.UnpublishInput{Command: command})
	case lifecycle.ActionDelete:
		_, err := s.Delete(ctx, c, &article.DeleteInput{OnArticle: on})
		return nil, err
	default:
		return s.stage(action)(ctx, c, &StageInput{OnArticle: on})
	}
}
