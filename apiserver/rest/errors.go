package rest

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
)

// How long a client should wait before it tries again.
const (
	startingRetryAfter = time.Second
	awayRetryAfter     = 5 * time.Second
)

func starting() *APIError {
	return unavailable("the service is starting", startingRetryAfter)
}

// refuse ends a request before its operation.
func (s *service) refuse(ctx huma.Context, f *APIError) {
	for name, values := range f.GetHeaders() {
		ctx.SetHeader(name, values[0])
	}
	ctx.SetHeader("Content-Type", jsonType)
	ctx.SetStatus(f.status)
	if err := s.api.Marshal(ctx.BodyWriter(), jsonType, f); err != nil {
		s.Log.V(1).Info("the client went away before the answer", "error", err.Error())
	}
}

func (s *service) authFailure(ctx context.Context, err error) *APIError {
	switch {
	case errors.Is(err, auth.ErrUnauthorized):
		return unauthorized()
	case errors.Is(err, auth.ErrUnavailable):
		return unavailable("the key cannot be checked at the moment", awayRetryAfter)
	}
	s.Log.Error(err, "authenticating failed", "requestID", requestID(ctx))
	return internal(requestID(ctx))
}

// report turns what an operation returned into an APIError. What nobody expected is logged, and told without a word of it.
func (s *service) report(ctx context.Context, op *huma.Operation, err error) *APIError {
	if f, ok := errors.AsType[*APIError](err); ok {
		return f
	}
	if f := fromAPIServer(err); f != nil {
		if f.status >= http.StatusInternalServerError && ctx.Err() == nil {
			s.Log.Info("the API server did not do its part", "operation", op.OperationID,
				"requestID", requestID(ctx), "error", err.Error())
		}
		return f
	}
	s.Log.Error(err, "an operation failed", "operation", op.OperationID, "requestID", requestID(ctx))
	return internal(requestID(ctx))
}

func tooManyRequests(wait time.Duration) *APIError {
	return failure(http.StatusTooManyRequests, CodeRateLimited, "too many requests with this key").after(wait)
}

// jsonOnly refuses bodies of another type than JSON. A body without a type is taken for JSON, and of a type without a body
// nothing is thought.
func (s *service) jsonOnly(ctx huma.Context, next func(huma.Context)) {
	request := humagin.Unwrap(ctx).Request
	header := ctx.Header("Content-Type")
	if request.ContentLength == 0 {
		next(ctx)
		return
	}
	if media, _, err := mime.ParseMediaType(header); header != "" && (err != nil || media != jsonType) {
		s.refuse(ctx, invalid(Detail{Field: "content-type", Message: "must be " + jsonType}))
		return
	}
	// The framework compares the type letter by letter.
	request.Header.Set("Content-Type", jsonType)
	next(ctx)
}
