package operation

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Idempotent is embedded in the input of operations that create something, and of those that make a new secret.
type Idempotent struct {
	Key string `header:"Idempotency-Key" minLength:"1" maxLength:"255" doc:"For 24 hours, repeats with the same key and body create and change nothing, whatever has become of the object. A repeat of a request that made a secret is a conflict that names what was made." example:"order-4711"`
}

// Request identifies a request that creates something: it is the same for the same Idempotency-Key.
type Request struct {
	// Name of what it creates, which is the uid of an article, and of its record.
	Name string
	// Operation, such as generate, and Hash of the body, which are empty without an Idempotency-Key.
	Operation, Hash string
}

// Request returns the identity of a request in a scope: a workspace or an account. A key is for one request in its scope, whatever the
// operation: its hash has the operation.
func (in Idempotent) Request(scope, operation string, body any) (Request, error) {
	if in.Key == "" {
		return Request{Name: identity.NewName()}, nil
	}
	data, err := json.Marshal(body)
	if err != nil {
		return Request{}, fmt.Errorf("hashing the request: %w", err)
	}
	sum := sha256.Sum256(append([]byte(operation+"\n"), data...))
	return Request{
		Name: identity.IdempotentName(scope, in.Key), Operation: operation, Hash: hex.EncodeToString(sum[:]),
	}, nil
}

// Mark records the request on what it creates.
func (r Request) Mark(o *metav1.ObjectMeta) {
	if r.Hash != "" {
		metav1.SetMetaDataAnnotation(o, v1alpha1.RequestHashAnnotation, r.Hash)
	}
}

// CheckRepeated returns a conflict if another request with the same key created an object.
func (r Request) CheckRepeated(o metav1.Object) error {
	if o.GetAnnotations()[v1alpha1.RequestHashAnnotation] != r.Hash {
		return problem.KeyReused()
	}
	return nil
}

// Rotation returns the name of a request that rotates the secret of an object; empty without a key.
func (in Idempotent) Rotation(object string) string {
	if in.Key == "" {
		return ""
	}
	return identity.IdempotentName(object, in.Key)
}

// CreateSecret creates an object whose secret the answer shows, and which is stored nowhere. The object remembers the Idempotency-Key as
// long as it exists: its name is a function of the key. If an earlier request with the key has created it, this returns repeated. The
// function find reads it.
func (r Request) CreateSecret(
	ctx context.Context, find func(context.Context) (metav1.Object, error), repeated error,
	takeRoom func(context.Context) (Place, error), create func(context.Context) error,
) error {
	if err := r.refuseRepeat(ctx, find, repeated); err != nil {
		return err
	}
	place, err := takeRoom(ctx)
	if err != nil {
		return err
	}
	err = create(ctx)
	CallOf(ctx).Settle(Places{place}, err)
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
