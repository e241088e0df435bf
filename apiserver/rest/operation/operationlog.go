package operation

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// LogEntry is what the log says of an operation that is not a read: who asked for what, on which text, and how it ended. The
// objects that it changed are in the audit log of kube-apiserver.
type LogEntry struct {
	by auth.Principal
	// workspace that the credential opens; empty for operations on the account.
	workspace string
	// Article is the uid of the article that the operation created or was about, and Digest the text that it was about.
	Article, Digest string
	// Object is the uid of another object than an article, or the id of an API key.
	Object string
}

// logged is an input or output that names what the line of the log is about.
type logged interface{ LogEntry() LogEntry }

// note takes what an input or an output names. An output comes last and knows more.
func (r *LogEntry) note(v any) {
	named, ok := v.(logged)
	if !ok {
		return
	}
	found := named.LogEntry()
	r.Article, r.Digest, r.Object = cmp.Or(found.Article, r.Article), cmp.Or(found.Digest, r.Digest), cmp.Or(found.Object, r.Object)
}

type entryKey struct{}

func entryOf(ctx context.Context) *LogEntry {
	r, _ := ctx.Value(entryKey{}).(*LogEntry)
	return r
}

// logOperation writes a line for an operation that does more than read, whether it was asked for over the REST API or on a page, and
// however it ended. Requests without a valid credential, and those over a limit of requests, would fill the log.
func (s *Core) logOperation(writes bool) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		r, ended := &LogEntry{}, false
		if writes {
			defer func() { s.endEntry(ctx, r, ended) }()
		}
		next(huma.WithValue(ctx, entryKey{}, r))
		ended = true
	}
}

// endEntry writes the line of an operation. One that has not ended has panicked.
func (s *Core) endEntry(ctx huma.Context, r *LogEntry, ended bool) {
	status := humagin.Unwrap(ctx).Writer.Status()
	if !ended {
		status = http.StatusInternalServerError
	}
	op := ctx.Operation()
	if uid := ctx.Param("uid"); identity.IsUID(uid) && strings.HasPrefix(op.Path, "/v1/api/blogs/") {
		r.Article = uid
	} else if identity.IsUID(uid) {
		r.Object = uid
	}
	s.logLine(ctx.Context(), *r, op.OperationID, status)
}

// LogItem writes the line of one article of a request that is about several.
func (s *Core) LogItem(ctx context.Context, operation, article, digest string, status int) {
	r := *entryOf(ctx)
	r.Article, r.Digest = "", digest
	if identity.IsUID(article) {
		r.Article = article
	}
	s.logLine(ctx, r, operation, status)
}

func (s *Core) logLine(ctx context.Context, r LogEntry, operation string, status int) {
	if r.by.ID == "" || status == http.StatusTooManyRequests {
		return
	}
	values := []any{
		"by", r.by.Name, "account", r.by.Account, "operation", operation, "result", resultOf(status), "status", status,
		"requestID", problem.RequestID(ctx),
	}
	via := ""
	if middleware.ViaOf(ctx) == middleware.ViaMCP {
		via = string(middleware.ViaMCP)
	}
	for _, v := range []struct{ key, value string }{
		{"via", via}, {"workspace", r.workspace}, {"article", r.Article}, {"digest", r.Digest}, {"object", r.Object},
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
