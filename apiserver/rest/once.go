package rest

import (
	"context"
	"errors"
	"io"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// secretOperation is an operation whose answer has a secret. Its functions take the random bytes that names and secrets are made of, and
// make the same ones of the same bytes.
type secretOperation[T any] struct {
	request secretRequest
	// room returns an APIError if the account may not have what is created. It may be nil.
	room func(context.Context) error
	// object returns the name of what is created or changed.
	object func(random io.Reader) (string, error)
	// do creates or changes the object, and returns its uid. It goes on with what an interrupted call with the same bytes has done.
	do func(ctx context.Context, random io.Reader) (T, types.UID, error)
	// again returns the answer of an operation that was done before.
	again func(ctx context.Context, random io.Reader) (T, error)
	// undo deletes what do has created. It may be nil.
	undo func(context.Context, T) error
}

// run does an operation once under its Idempotency-Key, and answers every repeat like the first time.
func (op secretOperation[T]) run(ctx context.Context, s *service) (out T, err error) {
	if op.request.name == "" {
		return op.runUnkeyed(ctx)
	}
	r, err := op.begin(ctx, s)
	if err != nil {
		return out, err
	}
	random, err := op.request.random(r.stored.Spec.Salt)
	if err != nil {
		return out, err
	}
	if r.completed() {
		return op.again(ctx, random)
	}
	out, uid, err := op.do(ctx, random)
	if err != nil {
		s.abandon(ctx, r, err)
		return out, err
	}
	_, err = r.complete(ctx, uid)
	if errors.Is(err, errReplaced) {
		err = problem.Unavailable("another request with the Idempotency-Key is in progress", problem.DefaultRetryAfter)
		if op.undo != nil {
			return out, errors.Join(err, op.undo(ctx, out))
		}
	}
	return out, err
}

func (op secretOperation[T]) runUnkeyed(ctx context.Context) (out T, err error) {
	if op.room != nil {
		if err := op.room(ctx); err != nil {
			return out, err
		}
	}
	random, err := op.request.random("")
	if err != nil {
		return out, err
	}
	out, _, err = op.do(ctx, random)
	return out, err
}

// begin returns the record of the request, which a new request begins if there is room.
func (op secretOperation[T]) begin(ctx context.Context, s *service) (*record, error) {
	r, err := s.records.find(ctx, op.request.keyedRequest)
	if r != nil || err != nil {
		return r, err
	}
	if op.room != nil {
		if err := op.room(ctx); err != nil {
			return nil, err
		}
	}
	keyed := op.request.keyedRequest
	if keyed.salt, err = newSalt(); err != nil {
		return nil, err
	}
	random, err := op.request.random(keyed.salt)
	if err != nil {
		return nil, err
	}
	if keyed.object, err = op.object(random); err != nil {
		return nil, err
	}
	return s.records.begin(ctx, keyed)
}

// goneProblem is the answer to a repeat if what the first request created does not exist anymore.
func goneProblem(err error, what string) error {
	e, isAnswer := errors.AsType[*problem.APIError](err)
	if apierrors.IsNotFound(err) || (isAnswer && e.GetStatus() == http.StatusNotFound) {
		return problem.Conflict("the " + what + " that was created with this Idempotency-Key does not exist anymore")
	}
	return err
}
