package operation

import (
	"context"
	"errors"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humagin"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/pressroom-dev/pressroom/apiserver/auth"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/readthrough"
)

// refuse ends a request before its operation.
func (s *Core) refuse(ctx huma.Context, e *problem.APIError) {
	e.Write(humagin.Unwrap(ctx).Writer, s.Log)
}

// authProblem translates an error of the Authenticator.
func (s *Core) authProblem(ctx context.Context, err error) *problem.APIError {
	switch {
	case errors.Is(err, auth.ErrUnauthorized):
		return problem.Unauthorized()
	case errors.Is(err, auth.ErrUnavailable):
		return problem.Unavailable("the key cannot be checked at the moment", problem.DefaultRetryAfter)
	}
	s.Log.Error(err, "authenticating failed", "requestID", problem.RequestID(ctx))
	return problem.Internal(problem.RequestID(ctx))
}

// Problem translates an error of an operation. An unexpected error is logged, and the client learns nothing of it.
func (s *Core) Problem(ctx context.Context, operation string, err error) *problem.APIError {
	return s.problem(ctx, operation, err).For(problem.RequestID(ctx))
}

func (s *Core) problem(ctx context.Context, operation string, err error) *problem.APIError {
	if e, ok := errors.AsType[*problem.APIError](err); ok {
		return e
	}
	if flood, ok := errors.AsType[*readthrough.FloodError](err); ok {
		return problem.UnknownObjects(int64(flood.AtOnce), flood.Window).Reached("too many requests for what does not exist", flood.Wait)
	}
	if e := problem.FromKubernetes(err); e != nil {
		if e.GetStatus() >= http.StatusInternalServerError && ctx.Err() == nil {
			s.Log.Info("kube-apiserver failed a request", "operation", operation,
				"requestID", problem.RequestID(ctx), "error", err.Error())
		}
		return e
	}
	s.Log.Error(err, "an operation failed", "operation", operation, "requestID", problem.RequestID(ctx))
	return problem.Internal(problem.RequestID(ctx))
}

// CreationProblem translates an error of a creation: only the workspace can be missing.
func CreationProblem(err error) error {
	if apierrors.IsNotFound(err) {
		return problem.NotFound("workspace")
	}
	return err
}
