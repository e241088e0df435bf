package rest

import (
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// operationRecord is what the log says of an operation that is not a read: who asked for what, on which text, and how it ended. The
// objects that it changed are in the audit log of kube-apiserver.
type operationRecord struct {
	by auth.Principal
	// workspace that the credential opens; empty for operations on the account.
	workspace string
	// article is the uid of the article that the operation created or was about, and digest the text that it was about.
	article, digest string
	// object is the uid of another object than an article, or the id of an API key.
	object string
}

// about is an input or output that names what the line of the log is about.
type about interface{ recorded() operationRecord }

// note takes what an input or an output names. An output comes last and knows more.
func (r *operationRecord) note(v any) {
	named, ok := v.(about)
	if !ok {
		return
	}
	found := named.recorded()
	if found.article != "" {
		r.article = found.article
	}
	if found.digest != "" {
		r.digest = found.digest
	}
	if found.object != "" {
		r.object = found.object
	}
}

func (in *ApproveInput) recorded() operationRecord {
	if in.Body == nil {
		return operationRecord{}
	}
	return operationRecord{digest: string(in.Body.Digest)}
}

func (in *RejectInput) recorded() operationRecord {
	return operationRecord{digest: string(in.Body.Digest)}
}

func (in *PublishInput) recorded() operationRecord {
	if in.Body == nil {
		return operationRecord{}
	}
	return operationRecord{digest: string(in.Body.Digest)}
}

func (in *EditInput) recorded() operationRecord {
	return operationRecord{digest: string(in.Body.Digest)}
}

func (out *ArticleOutput) recorded() operationRecord {
	return operationRecord{article: out.Body.UID, digest: out.Body.RevisionDigest}
}

func (out *GenerateOutput) recorded() operationRecord {
	return operationRecord{article: out.Body.BlogUID}
}

// articlesPath begins the paths of operations on articles.
const articlesPath = "/v1/api/blogs/"

// operationPreview stores nothing, and is called while somebody types.
const operationPreview = "preview-text"

type recordKey struct{}

func recordOf(ctx context.Context) *operationRecord {
	r, _ := ctx.Value(recordKey{}).(*operationRecord)
	return r
}

// logOperation writes a line for each operation that does more than read, whoever asked for it over the REST API or on a page, and
// however it ended. Requests without a valid credential, and those over a limit of requests, would fill the log.
func (s *service) logOperation(ctx huma.Context, next func(huma.Context)) {
	r, ended := &operationRecord{}, false
	if op := ctx.Operation(); op.Method != http.MethodGet && op.OperationID != operationPreview {
		defer func() { s.logRecord(ctx, r, ended) }()
	}
	next(huma.WithValue(ctx, recordKey{}, r))
	ended = true
}

// logRecord writes the line of an operation. One that has not ended has panicked.
func (s *service) logRecord(ctx huma.Context, r *operationRecord, ended bool) {
	status := humagin.Unwrap(ctx).Writer.Status()
	if !ended {
		status = http.StatusInternalServerError
	}
	op := ctx.Operation()
	if uid := ctx.Param("uid"); identity.IsUID(uid) && strings.HasPrefix(op.Path, articlesPath) {
		r.article = uid
	} else if identity.IsUID(uid) {
		r.object = uid
	}
	s.logLine(ctx.Context(), *r, op.OperationID, status)
}

// logItem writes the line of one article of a bulk request.
func (s *service) logItem(ctx context.Context, operation string, i BulkItem, status int) {
	r := *recordOf(ctx)
	r.article, r.digest = "", string(i.Digest)
	if identity.IsUID(i.UID) {
		r.article = i.UID
	}
	s.logLine(ctx, r, operation+"-article", status)
}

func (s *service) logLine(ctx context.Context, r operationRecord, operation string, status int) {
	if r.by.ID == "" || status == http.StatusTooManyRequests {
		return
	}
	values := []any{
		"by", r.by.Name, "account", r.by.Account, "operation", operation, "result", resultOf(status), "status", status,
		"requestID", middleware.RequestID(ctx),
	}
	for _, v := range []struct{ key, value string }{
		{"workspace", r.workspace}, {"article", r.article}, {"digest", r.digest}, {"object", r.object},
	} {
		if v.value != "" {
			values = append(values, v.key, v.value)
		}
	}
	s.Log.Info("operation", values...)
}

func resultOf(status int) string {
	switch {
	case status >= http.StatusInternalServerError:
		return "failed"
	case status >= http.StatusBadRequest:
		return "refused"
	default:
		return "done"
	}
}
