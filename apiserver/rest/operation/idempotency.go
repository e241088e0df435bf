package operation

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Idempotent is embedded in the input of operations that create something, and of those that make a new secret.
type Idempotent struct {
	Key IdempotencyKey `header:"Idempotency-Key"`
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
		name, err := identity.NewName()
		return Request{Name: name}, err
	}
	data, err := json.Marshal(body)
	if err != nil {
		return Request{}, fmt.Errorf("hashing the request: %w", err)
	}
	sum := sha256.Sum256(append([]byte(operation+"\n"), data...))
	return Request{
		Name: identity.IdempotentName(scope, string(in.Key)), Operation: operation, Hash: hex.EncodeToString(sum[:]),
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
