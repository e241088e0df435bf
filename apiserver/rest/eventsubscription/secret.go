package eventsubscription

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/kube"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/apiserver/rest/operation"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
	"github.com/pressroom-dev/pressroom/internal/rotation"
)

// SecretOutput is a subscription with its new secret as an answer. It is never cached.
type SecretOutput struct {
	ETag         string `header:"ETag" doc:"Names this state of the subscription, for If-Match."`
	CacheControl string `header:"Cache-Control"`
	Body         EventSecretAnswer
}

// RotateSecretInput is the input of rotate-event-secret.
type RotateSecretInput struct {
	CommandInput
	operation.IfMatch
}

// RotateSecret makes a new signing secret.
var RotateSecret = operation.Operation[RotateSecretInput, SecretOutput]{
	ID: "rotate-event-secret", Method: http.MethodPost, Path: subscriptionPath + "/rotate-secret", Tag: operation.TagEvents,
	Scope: v1alpha1.ScopeWrite, Errors: operation.EditErrors,
}

// rotate gives a subscription a new signing secret; requests carry a signature by the previous one too.
func (s *service) rotate(ctx context.Context, c *operation.Call, in *RotateSecretInput) (*SecretOutput, error) {
	secret, err := newSecret(in.UID)
	if err != nil {
		return nil, err
	}
	var before *v1alpha1.SecretKeyReference
	rotated, err := s.change(ctx, c, in.UID, func(e *v1alpha1.EventSubscription) error {
		request := in.Rotation(e.Name)
		if rotation.Repeated(e, request) {
			return rotation.ErrRepeated
		}
		if err := in.IfMatch.Check(operation.Written(e)); err != nil {
			return err
		}
		before = e.Spec.PreviousSigningSecretRef
		e.Spec.PreviousSigningSecretRef, e.Spec.SigningSecretRef = new(e.Spec.SigningSecretRef), secret.reference()
		rotation.Remember(e, request)
		return s.createSecret(ctx, e, secret)
	})
	if err != nil {
		// While nobody knows whether the subscription names it now, it stays. It is deleted with the subscription at the latest.
		if !problem.IsUnavailable(err) {
			kube.DeleteSecret(ctx, s.Client, s.Log, c.Workspace, secret.name)
		}
		if errors.Is(err, rotation.ErrRepeated) {
			return nil, secretShown(in.UID)
		}
		return nil, err
	}
	s.deleteReplaced(ctx, c.Workspace, signingPrefix, before)
	return secretOutput(rotated, secret)
}

func secretOutput(e *v1alpha1.EventSubscription, secret ownSecret) (*SecretOutput, error) {
	out, err := answer(e)
	if err != nil {
		return nil, err
	}
	body := EventSecretAnswer{EventSubscriptionAnswer: out.Body, Secret: secret.value}
	return &SecretOutput{ETag: out.ETag, CacheControl: "no-store", Body: body}, nil
}

func secretShown(uid string) error { return problem.SecretShown(subject, "uid", uid, "rotate it") }

const (
	// signingPrefix and tokenPrefix begin the names of the Secrets that the facade makes for subscriptions: admission policies demand it.
	signingPrefix = "pressroom-signing-"
	tokenPrefix   = "pressroom-token-"
)

// ownSecret is a value for a subscription, and the name and the key of the Secret that has it.
type ownSecret struct{ name, key, value string }

// newSecret makes a signing secret.
func newSecret(subscription string) (ownSecret, error) {
	value, err := eventhook.NewSecret(rand.Reader)
	return ownSecret{name: newName(signingPrefix, subscription), key: "secret", value: value}, err
}

// newToken takes an access token that was given.
func newToken(subscription, value string) ownSecret {
	return ownSecret{name: newName(tokenPrefix, subscription), key: "token", value: value}
}

// newName names a Secret. No other has the name, so that a value that is in use never changes.
func newName(prefix, subscription string) string {
	const suffixBytes = 5
	suffix := make([]byte, suffixBytes)
	rand.Read(suffix)
	return prefix + subscription + "-" + hex.EncodeToString(suffix)
}

func (s ownSecret) reference() v1alpha1.SecretKeyReference {
	return v1alpha1.SecretKeyReference{Name: s.name, Key: s.key}
}

func (s *service) createSecret(ctx context.Context, owner *v1alpha1.EventSubscription, secret ownSecret) error {
	return s.createOwned(ctx, owner, secret, nil)
}

// createToken creates the Secret of a token, which is for the URL of the subscription alone.
func (s *service) createToken(ctx context.Context, owner *v1alpha1.EventSubscription, token ownSecret) error {
	return s.createOwned(ctx, owner, token, map[string]string{v1alpha1.AddressAnnotation: owner.Spec.URL})
}

func (s *service) createOwned(
	ctx context.Context, owner *v1alpha1.EventSubscription, secret ownSecret, annotations map[string]string,
) error {
	values := map[string]string{secret.key: secret.value}
	return kube.CreateSecret(ctx, s.Client, owner, "EventSubscription", secret.name, values, annotations)
}

// deleteReplaced deletes a Secret that a subscription no longer names, if the facade has made it.
func (s *service) deleteReplaced(ctx context.Context, workspace, prefix string, before *v1alpha1.SecretKeyReference) {
	if before != nil && strings.HasPrefix(before.Name, prefix) {
		kube.DeleteSecret(ctx, s.Client, s.Log, workspace, before.Name)
	}
}
