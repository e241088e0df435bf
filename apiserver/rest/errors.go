package rest

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/middleware"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// refuse ends a request before its operation.
func (s *service) refuse(ctx huma.Context, e *problem.APIError) {
	if err := e.Write(humagin.Unwrap(ctx).Writer); err != nil {
		s.Log.V(1).Info("the client disconnected before the answer", "error", err.Error())
	}
}

// authProblem translates an error of the Authenticator.
func (s *service) authProblem(ctx context.Context, err error) *problem.APIError {
	switch {
	case errors.Is(err, auth.ErrUnauthorized):
		return problem.Unauthorized()
	case errors.Is(err, auth.ErrUnavailable):
		return problem.Unavailable("the key cannot be checked at the moment", problem.DefaultRetryAfter)
	}
	s.Log.Error(err, "authenticating failed", "requestID", middleware.RequestID(ctx))
	return problem.Internal(middleware.RequestID(ctx))
}

// operationProblem translates an error of an operation. An unexpected error is logged, and the client learns nothing of it.
func (s *service) operationProblem(ctx context.Context, op *huma.Operation, err error) *problem.APIError {
	if e, ok := errors.AsType[*problem.APIError](err); ok {
		return e
	}
	if e := problem.FromKubernetes(err); e != nil {
		if e.GetStatus() >= http.StatusInternalServerError && ctx.Err() == nil {
			s.Log.Info("kube-apiserver failed a request", "operation", op.OperationID,
				"requestID", middleware.RequestID(ctx), "error", err.Error())
		}
		return e
	}
	s.Log.Error(err, "an operation failed", "operation", op.OperationID, "requestID", middleware.RequestID(ctx))
	return problem.Internal(middleware.RequestID(ctx))
}
