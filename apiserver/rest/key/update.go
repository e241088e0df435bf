package key

import (
	"context"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/apiserver/rest/patch"
)

// UpdateKeyRequest changes the members that it names and leaves the others as they are.
type UpdateKeyRequest struct {
	Name      *string                 `json:"name,omitempty" minLength:"1" maxLength:"200" doc:"Who or what uses it." example:"newsletter tool"`
	ExpiresAt patch.Member[time.Time] `json:"expires_at,omitzero" doc:"When it stops working, not after your own credential; null if it should not."`
}

// UpdateKeyInput is the input of update-key.
type UpdateKeyInput struct {
	OnKey
	operation.IfMatch
	Body UpdateKeyRequest
}

// Resolve checks what the schema cannot express: nobody has a key work longer than their own credential.
func (in *UpdateKeyInput) Resolve(ctx huma.Context) []error {
	if end := in.Body.ExpiresAt; end.Given {
		if wrong := checkEnd(operation.CallOf(ctx.Context()), end.Value); wrong != "" {
			return []error{&huma.ErrorDetail{Location: "body.expires_at", Message: wrong}}
		}
	}
	return nil
}

func (s *service) update(ctx context.Context, c *operation.Call, in *UpdateKeyInput) (*KeyOutput, error) {
	found, err := s.find(ctx, c, in.ID)
	if err != nil {
		return nil, err
	}
	key, err := kube.Change(ctx, s.Client, client.ObjectKeyFromObject(found), func(key *v1alpha1.APIKey) error {
		if err := in.IfMatch.Check(operation.Written(key)); err != nil {
			return err
		}
		if in.Body.Name != nil {
			key.Spec.DisplayName = *in.Body.Name
		}
		if end := in.Body.ExpiresAt; end.Given {
			key.Spec.ExpirationTime = endOf(end.Value)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return s.answer(ctx, c, key)
}
