package operation

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	jsonv2 "github.com/go-json-experiment/json"

	"github.com/pressroom-dev/pressroom/apiserver/jsonbody"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// prepareBody reads and validates the body of an authenticated request, of so many bytes at most, and replaces it by what validation has
// seen, which the framework decodes into the input. What its size forbids is refused before it is read.
func (s *Core) prepareBody(limit int64) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		r := humagin.Unwrap(ctx).Request
		if r.ContentLength == 0 {
			next(ctx)
			return
		}
		s.limitReading(ctx)
		// What comes in chunks may be empty, and has no type then.
		typeless := r.ContentLength < 0 && len(r.Header.Values("Content-Type")) == 0
		if e := jsonbody.CheckType(r.Method, r.Header); e != nil && (!typeless || !isEmpty(r)) {
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
		body, found, e := s.readValidated(ctx, op.RequestBody.Content[problem.ContentType].Schema, limit)
		if e != nil {
			s.refuse(ctx, e)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next(huma.WithContext(ctx, problem.WithBodyErrors(ctx.Context(), found)))
	}
}

// limitReading bounds the time in which the body must arrive.
func (s *Core) limitReading(ctx huma.Context) {
	// This fails only on a connection that is closed already, or without one as in tests.
	_ = http.NewResponseController(humagin.Unwrap(ctx).Writer).SetReadDeadline(time.Now().Add(s.Limits.BodyTimeout))
}

// isEmpty reports whether a body has no byte.
func isEmpty(r *http.Request) bool {
	body := bufio.NewReader(r.Body)
	_, err := body.Peek(1)
	r.Body = struct {
		io.Reader
		io.Closer
	}{body, r.Body}
	return errors.Is(err, io.EOF)
}

// readValidated reads a body with a schema, and returns what validation has seen of it, as JSON, and what it has found wrong with that.
func (s *Core) readValidated(ctx huma.Context, schema *huma.Schema, limit int64) ([]byte, []error, *problem.APIError) {
	r := humagin.Unwrap(ctx).Request
	if r.ContentLength > limit {
		return nil, nil, problem.TooLarge(limit)
	}
	held := s.bodies.Count(middleware.Holder{Account: CallOf(ctx.Context()).Principal.Account}, r.Body)
	defer held.Release()
	body, e := readBody(held, limit, s.Limits.AccountBodyBytes)
	if e != nil || len(body) == 0 {
		return nil, nil, e
	}
	schemas := s.api.OpenAPI().Components.Schemas
	value, e := jsonbody.Read(schemas, schema, body)
	if e != nil {
		return nil, nil, e
	}
	var found huma.ValidateResult
	field := huma.NewPathBuffer([]byte(problem.FieldBody), len(problem.FieldBody))
	huma.Validate(schemas, schema, field, huma.ModeWriteToServer, value, &found)
	prepared, err := jsonv2.Marshal(value)
	if err != nil {
		return nil, nil, problem.Invalid(problem.ErrorDetail{Field: problem.FieldBody, Message: "must be valid JSON in UTF-8"})
	}
	return prepared, found.Errors, nil
}

// readBody reads a body of so many bytes at most. All those of the account that are in progress have most bytes.
func readBody(from io.Reader, limit, most int64) ([]byte, *problem.APIError) {
	body, err := io.ReadAll(io.LimitReader(from, limit+1))
	switch {
	case errors.Is(err, middleware.ErrUsedUp):
		return nil, problem.Bodies(most).Reached("too many large requests of the account at once", time.Second)
	case err != nil:
		return nil, problem.Incomplete()
	case int64(len(body)) > limit:
		return nil, problem.TooLarge(limit)
	}
	return body, nil
}
