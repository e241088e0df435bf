package operation

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// MaxBody returns how many bytes the body of an operation may have.
func MaxBody(operation string) int64 {
	switch operation {
	case "create-article", "update-article", "preview-text":
		return jsonbody.MaxContentBytes
	}
	return jsonbody.MaxBytes
}

// prepareBody reads the body of an authenticated request, and replaces it by one that is ready for validation. What its size forbids
// is refused before it is read.
func (s *Core) prepareBody(ctx huma.Context, next func(huma.Context)) {
	r := humagin.Unwrap(ctx).Request
	if r.ContentLength == 0 {
		next(ctx)
		return
	}
	if e := jsonbody.CheckType(r.Method, ctx.Header("Content-Type")); e != nil {
		s.refuse(ctx, e)
		return
	}
	// The framework compares the type letter by letter.
	r.Header.Set("Content-Type", problem.ContentType)
	op := ctx.Operation()
	if op.RequestBody == nil {
		next(ctx)
		return
	}
	limit := MaxBody(op.OperationID)
	if r.ContentLength > limit {
		s.refuse(ctx, problem.TooLarge(limit))
		return
	}
	// This fails only on a connection that is closed already, or without one as in tests.
	_ = http.NewResponseController(humagin.Unwrap(ctx).Writer).SetReadDeadline(time.Now().Add(s.Limits.BodyTimeout))
	held := s.bodies.Count(CallOf(ctx.Context()).Principal.Account, r.Body)
	defer held.Release()
	body, e := readBody(held, limit)
	if e == nil {
		schema := op.RequestBody.Content[problem.ContentType].Schema
		body, e = jsonbody.Prepare(s.api.OpenAPI().Components.Schemas, schema, body)
	}
	if e != nil {
		s.refuse(ctx, e)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	next(ctx)
}

// readBody reads a body of so many bytes at most.
func readBody(from io.Reader, limit int64) ([]byte, *problem.APIError) {
	body, err := io.ReadAll(io.LimitReader(from, limit+1))
	switch {
	case errors.Is(err, middleware.ErrUsedUp):
		return nil, problem.TooMany("too many large requests of the account at once", time.Second)
	case err != nil:
		return nil, problem.Invalid(problem.Detail{Field: "body", Message: "could not be read to its end"})
	case int64(len(body)) > limit:
		return nil, problem.TooLarge(limit)
	}
	return body, nil
}
