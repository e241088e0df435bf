package operation

import (
	"context"
	"errors"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// SecretRequest is a request whose answer shows a secret, which is stored nowhere. Its Idempotency-Key is remembered by the object itself,
// as long as that exists: what the request creates has a name that is a function of the key, and what it rotates has the request among its
// last ones (package rotation).
type SecretRequest struct {
	// Name is the same for the same scope, operation and key.
	Name string
	// Hash of the body; empty without a key.
	Hash string
}

// SecretRequest returns the identity of a request that creates an object in a scope: a workspace or an account.
func (in Idempotent) SecretRequest(scope, operation string, body any) (SecretRequest, error) {
	r, err := in.Request(scope, operation, body)
	return SecretRequest{Name: r.Name, Hash: r.Hash}, err
}

// Rotation returns the name of a request that rotates the secret of an object; empty without a key.
func (in Idempotent) Rotation(object string) string {
	if in.Key == "" {
		return ""
	}
	return identity.IdempotentName(object, string(in.Key))
}

// Mark records the request on what it creates.
func (r SecretRequest) Mark(object *metav1.ObjectMeta) {
	if r.Hash != "" {
		metav1.SetMetaDataAnnotation(object, v1alpha1.RequestHashAnnotation, r.Hash)
	}
}

// Create creates an object if there is room for it, unless an earlier request with the same key has created it: then it returns what
// repeated makes of that object, which find reads.
func (r SecretRequest) Create(
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
func (r SecretRequest) refuseRepeat(ctx context.Context, find func(context.Context) (metav1.Object, error), repeated error) error {
	if r.Hash == "" {
		return nil
	}
	existing, err := find(ctx)
	switch {
	case isNotFound(err):
		return nil
	case err != nil:
		return err
	case existing.GetAnnotations()[v1alpha1.RequestHashAnnotation] != r.Hash:
		return problem.KeyReused()
	}
	return repeated
}

func isNotFound(err error) bool {
	e, isAnswer := errors.AsType[*problem.APIError](err)
	return apierrors.IsNotFound(err) || (isAnswer && e.GetStatus() == http.StatusNotFound)
}

// GoneProblem is the answer to a repeat if what the first request created does not exist anymore.
func GoneProblem(err error, what string) error {
	if isNotFound(err) {
		return problem.Conflict(problem.ReasonGone, "the "+what+" that was created with this Idempotency-Key does not exist anymore")
	}
	return err
}
