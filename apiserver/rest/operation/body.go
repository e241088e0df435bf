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

// prepareBody reads the body of an authenticated request, of so many bytes at most, and replaces it by one that is ready for validation.
// What its size forbids is refused before it is read.
func (s *Core) prepareBody(limit int64) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
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
		body, e := s.readPrepared(ctx, op.RequestBody.Content[problem.ContentType].Schema, limit)
		if e != nil {
			s.refuse(ctx, e)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next(ctx)
	}
}

// readPrepared reads a body with a schema, and returns what jsonbody makes of it.
func (s *Core) readPrepared(ctx huma.Context, schema *huma.Schema, limit int64) ([]byte, *problem.APIError) {
	r := humagin.Unwrap(ctx).Request
	if r.ContentLength > limit {
		return nil, problem.TooLarge(limit)
	}
	// This fails only on a connection that is closed already, or without one as in tests.
	_ = http.NewResponseController(humagin.Unwrap(ctx).Writer).SetReadDeadline(time.Now().Add(s.Limits.BodyTimeout))
	held := s.bodies.Count(CallOf(ctx.Context()).Principal.Account, r.Body)
	defer held.Release()
	body, e := readBody(held, limit)
	if e != nil {
		return nil, e
	}
	return jsonbody.Prepare(s.api.OpenAPI().Components.Schemas, schema, body)
}

// readBody reads a body of so many bytes at most.
func readBody(from io.Reader, limit int64) ([]byte, *problem.APIError) {
	body, err := io.ReadAll(io.LimitReader(from, limit+1))
	switch {
	case errors.Is(err, middleware.ErrUsedUp):
		return nil, problem.TooMany("too many large requests of the account at once", time.Second)
	case err != nil:
		return nil, problem.Invalid(problem.ErrorDetail{Field: "body", Message: "could not be read to its end"})
	case int64(len(body)) > limit:
		return nil, problem.TooLarge(limit)
	}
	return body, nil
}
