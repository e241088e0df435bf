package rest

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

// articleRequest identifies a request for a new article: it is the same for the same Idempotency-Key.
type articleRequest struct {
	// name and uid of the article.
	name string
	// operation, such as generate, and hash of the body, which is empty without an Idempotency-Key.
	operation, hash string
}

// keyed returns the request as its record has it. The record and the article have the same name.
func (r articleRequest) keyed(workspace string) keyedRequest {
	return keyedRequest{namespace: workspace, name: r.name, operation: r.operation, hash: r.hash, object: r.name}
}

// articleRequest returns the identity of a request.
func (in Idempotent) articleRequest(workspace, operation string, body any) (articleRequest, error) {
	if in.Key == "" {
		name, err := identity.NewName()
		return articleRequest{name: name}, err
	}
	data, err := json.Marshal(body)
	if err != nil {
		return articleRequest{}, fmt.Errorf("hashing the request: %w", err)
	}
	sum := sha256.Sum256(data)
	return articleRequest{
		name: identity.IdempotentName(workspace, operation, string(in.Key)), operation: operation, hash: hex.EncodeToString(sum[:]),
	}, nil
}

// mark records the request on its article.
func (r articleRequest) mark(a *v1alpha1.Article) {
	if r.hash != "" {
		a.Annotations = map[string]string{v1alpha1.RequestHashAnnotation: r.hash}
	}
}

// checkRepeated returns a conflict if another request with the same key created the article.
func (r articleRequest) checkRepeated(a *v1alpha1.Article) error {
	if a.Annotations[v1alpha1.RequestHashAnnotation] != r.hash {
		return problem.Conflict("the Idempotency-Key was used for another request")
	}
	return nil
}

// emptyKey reports a header that is present and empty: the framework treats it as absent.
func emptyKey(ctx huma.Context) []error {
	var errs []error
	ctx.EachHeader(func(name, value string) {
		if name == "Idempotency-Key" && value == "" {
			errs = append(errs, &huma.ErrorDetail{Location: "header.Idempotency-Key", Message: "must have 1 to 255 characters"})
		}
	})
	return errs
}
