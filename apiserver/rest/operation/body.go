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

// errTooManyBodies means that the account's share of the memory for bodies is used up.
var errTooManyBodies = errors.New("too many bytes of bodies at once")

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
	held := &heldBody{core: s, account: CallOf(ctx.Context()).Principal.Account}
	defer held.release()
	body, e := held.read(ctx, limit)
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

// heldBody counts the bytes of a body, until its request has been answered, in the account's share of the memory for bodies.
type heldBody struct {
	core    *Core
	account string
	bytes   int64
}

// take counts bytes that have arrived: a client that announces a large body and sends nothing takes no memory.
func (h *heldBody) take(n int64) bool {
	if !h.core.bodies.Take(h.account, n) {
		return false
	}
	h.bytes += n
	return true
}

func (h *heldBody) release() { h.core.bodies.Give(h.account, h.bytes) }

func (h *heldBody) read(ctx huma.Context, limit int64) ([]byte, *problem.APIError) {
	c := humagin.Unwrap(ctx)
	// This fails only on a connection that is closed already, or without one as in tests.
	_ = http.NewResponseController(c.Writer).SetReadDeadline(time.Now().Add(h.core.Limits.BodyTimeout))
	var body bytes.Buffer
	_, err := io.Copy(&body, io.LimitReader(countedReader{c.Request.Body, h.take}, limit+1))
	switch {
	case errors.Is(err, errTooManyBodies):
		return nil, problem.TooManyBodies()
	case err != nil:
		return nil, problem.Invalid(problem.Detail{Field: "body", Message: "could not be read to its end"})
	case int64(body.Len()) > limit:
		return nil, problem.TooLarge(limit)
	}
	return body.Bytes(), nil
}

// countedReader is a reader whose bytes must be taken.
type countedReader struct {
	io.Reader

	take func(int64) bool
}

func (r countedReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if !r.take(int64(n)) {
		return 0, errTooManyBodies
	}
	return n, err
}
