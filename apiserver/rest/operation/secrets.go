package operation

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Rotation returns the name of a request that rotates the secret of an object; empty without a key.
func (in Idempotent) Rotation(object string) string {
	if in.Key == "" {
		return ""
	}
	return identity.IdempotentName(object, string(in.Key))
}

// CreateSecret creates an object whose secret the answer shows, and which is stored nowhere, if there is room for it. The object remembers
// the Idempotency-Key as long as it exists: its name is a function of the key. If an earlier request with the key has created it, this
// returns repeated. The function find reads it.
func (r Request) CreateSecret(
	ctx context.Context, find func(context.Context) (metav1.Object, error), repeated error, room, create func(context.Context) error,
) error {
	if err := r.refuseRepeat(ctx, find, repeated); err != nil {
		return err
	}
	if err := room(ctx); err != nil {
		return err
	}
	err := create(ctx)
	if apierrors.IsAlreadyExists(err) {
		// Another request with the key was faster.
		if refused := r.refuseRepeat(ctx, find, repeated); refused != nil {
			return refused
		}
	}
	return err
}

// refuseRepeat returns a conflict if the object of the request exists.
func (r Request) refuseRepeat(ctx context.Context, find func(context.Context) (metav1.Object, error), repeated error) error {
	if r.Hash == "" {
		return nil
	}
	existing, err := find(ctx)
	switch {
	case isNotFound(err):
		return nil
	case err != nil:
		return err
	}
	return cmp.Or(r.CheckRepeated(existing), repeated)
}

func isNotFound(err error) bool {
	e, isAnswer := errors.AsType[*problem.APIError](err)
	return apierrors.IsNotFound(err) || (isAnswer && e.GetStatus() == http.StatusNotFound)
}
