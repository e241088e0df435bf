package rest

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/danielgtaylor/huma/v2"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// Idempotent is embedded in the input of operations that make an article.
type Idempotent struct {
	Key IdempotencyKey `header:"Idempotency-Key"`
}

// creation is what a request is to make: always the same for the same Idempotency-Key.
type creation struct {
	// name and uid of the article.
	name string
	// hash of the request; empty without an Idempotency-Key.
	hash string
}

// creation names what an operation makes.
func (in Idempotent) creation(workspace, operation string, request any) (creation, error) {
	if in.Key == "" {
		name, err := identity.NewName()
		return creation{name: name}, err
	}
	data, err := json.Marshal(request)
	if err != nil {
		return creation{}, fmt.Errorf("hashing the request: %w", err)
	}
	sum := sha256.Sum256(data)
	return creation{name: identity.IdempotentName(workspace, operation, string(in.Key)), hash: hex.EncodeToString(sum[:])}, nil
}

// mark notes the request on what it makes.
func (c creation) mark(a *v1alpha1.Article) {
	if c.hash != "" {
		a.Annotations = map[string]string{v1alpha1.RequestHashAnnotation: c.hash}
	}
}

// repeats returns a conflict where an article was made by another request under the same key.
func (c creation) repeats(a *v1alpha1.Article) error {
	if a.Annotations[v1alpha1.RequestHashAnnotation] != c.hash {
		return conflict("the Idempotency-Key was used for another request")
	}
	return nil
}

// emptyKey tells a header that is there and empty, which the framework takes for absent.
func emptyKey(ctx huma.Context) []error {
	var errs []error
	ctx.EachHeader(func(name, value string) {
		if name == "Idempotency-Key" && value == "" {
			errs = append(errs, &huma.ErrorDetail{Location: "header.Idempotency-Key", Message: "must have 1 to 255 characters"})
		}
	})
	return errs
}
