package operation

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Idempotent is embedded in the input of operations that create something, and of those that make a new secret.
type Idempotent struct {
	Key IdempotencyKey `header:"Idempotency-Key"`
}

// Request identifies a request for a new article: it is the same for the same Idempotency-Key.
type Request struct {
	// Name and uid of the article.
	Name string
	// Operation, such as generate, and Hash of the body, which is empty without an Idempotency-Key.
	Operation, Hash string
}

// Recorded returns the request as its record has it. The record and the article have the same name.
func (r Request) Recorded(workspace string) RecordedRequest {
	return RecordedRequest{namespace: workspace, name: r.Name, operation: r.Operation, hash: r.Hash, object: r.Name}
}

// Request returns the identity of a request. A key is for one request in its workspace, whatever the operation: its hash has the operation.
func (in Idempotent) Request(workspace, operation string, body any) (Request, error) {
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
		Name: identity.IdempotentName(workspace, string(in.Key)), Operation: operation, Hash: hex.EncodeToString(sum[:]),
	}, nil
}

// Mark records the request on its article.
func (r Request) Mark(a *v1alpha1.Article) {
	if r.Hash != "" {
		a.Annotations = map[string]string{v1alpha1.RequestHashAnnotation: r.Hash}
	}
}

// CheckRepeated returns a conflict if another request with the same key created the article.
func (r Request) CheckRepeated(a *v1alpha1.Article) error {
	if a.Annotations[v1alpha1.RequestHashAnnotation] != r.Hash {
		return problem.KeyReused()
	}
	return nil
}

// EmptyKey reports a header that is present and empty: the framework treats it as absent.
func EmptyKey(ctx huma.Context) []error {
	var errs []error
	ctx.EachHeader(func(name, value string) {
		if name == "Idempotency-Key" && value == "" {
			errs = append(errs, &huma.ErrorDetail{Location: "header.Idempotency-Key", Message: "must have 1 to 255 characters"})
		}
	})
	return errs
}
