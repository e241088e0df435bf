package rest

import (
	"context"
	"io"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

type (
	// RotateInput is the input of rotate-event-secret.
	RotateInput struct {
		OnSubscription
		Idempotent
		Body *NoRequest
	}
	// SecretOutput is a subscription with its new secret as an answer.
	SecretOutput struct{ Body EventSecretAnswer }
)

// Resolve checks what the schema cannot express.
func (in *RotateInput) Resolve(ctx huma.Context) []error { return emptyKey(ctx) }

// registerSubscriptionSecrets adds the operations that make a signing secret.
func (s *service) registerSubscriptionSecrets() {
	g := s.group(tagEvents, v1alpha1.ScopeWrite)
	op := s.operation(http.MethodPost, subscriptionsPath, "create-event-subscription", creating...)
	op.Summary = "Subscribe to events"
	op.Description = "Has events sent to a URL, signed as Standard Webhooks says. Only this answer shows the signing secret."
	op.DefaultStatus = http.StatusCreated
	handle(g, op, s.subscribe)

	op = s.operation(http.MethodPost, subscriptionsPath+"/{uid}/rotate-secret", "rotate-event-secret", creating...)
	op.Summary = "Rotate a signing secret"
	op.Description = "Makes a new secret, shown in this answer only. " +
		"Until the next rotation requests also carry a signature by the previous one."
	handle(g, op, s.rotateSecret)
}

func secretOutput(e *v1alpha1.EventSubscription, secret signing) *SecretOutput {
	return &SecretOutput{Body: EventSecretAnswer{
		Envelope: succeeded, EventSubscription: presentSubscription(e), Secret: secret.value,
	}}
}

// nameAndSecret makes the name of a subscription and its signing secret of random bytes.
func nameAndSecret(random io.Reader) (name string, secret signing, err error) {
	if name, err = identity.RandomName(random); err == nil {
		secret, err = newSigning(name, random)
	}
	return name, secret, err
}

func (s *service) subscribe(ctx context.Context, c *call, in *SubscribeInput) (*SecretOutput, error) {
	request, err := in.secretRequest(c, c.workspace, c.workspace, "create-event-subscription", in.Body)
	if err != nil {
		return nil, err
	}
	return secretOperation[*SecretOutput]{
		request: request,
		room:    func(ctx context.Context) error { return s.roomForSubscription(ctx, c) },
		object: func(random io.Reader) (string, error) {
			name, _, err := nameAndSecret(random)
			return name, err
		},
		do: func(ctx context.Context, random io.Reader) (*SecretOutput, types.UID, error) {
			return s.createSubscription(ctx, c, in, random)
		},
		again: func(ctx context.Context, random io.Reader) (*SecretOutput, error) {
			name, secret, err := nameAndSecret(random)
			if err != nil {
				return nil, err
			}
			found, err := s.subscriptions().named(ctx, client.ObjectKey{Namespace: c.workspace, Name: name})
			if err != nil {
				return nil, goneProblem(err, subjectSubscription)
			}
			return secretOutput(found, secret), nil
		},
		undo: func(ctx context.Context, out *SecretOutput) error {
			made := &v1alpha1.EventSubscription{}
			made.Namespace, made.Name = c.workspace, out.Body.UID
			return s.subscriptions().remove(ctx, made)
		},
	}.run(ctx, s)
}

func (s *service) createSubscription(
	ctx context.Context, c *call, in *SubscribeInput, random io.Reader,
) (*SecretOutput, types.UID, error) {
	name, secret, err := nameAndSecret(random)
	if err != nil {
		return nil, "", err
	}
	subscription := &v1alpha1.EventSubscription{Spec: v1alpha1.EventSubscriptionSpec{
		URL: in.Body.URL, Events: selectorsOf(in.Body.Events),
	}}
	subscription.Namespace, subscription.Name = c.workspace, name
	mark(subscription, c.principal)
	if err := limitTo(subscription, in.Body.SiteUID != "", in.site); err != nil {
		return nil, "", err
	}
	if subscription, err = s.subscriptions().create(ctx, subscription, secret); err != nil {
		return nil, "", creationProblem(err)
	}
	return secretOutput(subscription, secret), subscription.UID, nil
}

func (s *service) rotateSecret(ctx context.Context, c *call, in *RotateInput) (*SecretOutput, error) {
	request, err := in.secretRequest(c, c.workspace, c.workspace, "rotate-event-secret", in.UID)
	if err != nil {
		return nil, err
	}
	found, err := s.subscriptions().findOwn(ctx, c, in.UID, "rotate the secret of")
	if err != nil {
		return nil, err
	}
	return secretOperation[*SecretOutput]{
		request: request,
		object:  func(io.Reader) (string, error) { return found.Name, nil },
		do: func(ctx context.Context, random io.Reader) (*SecretOutput, types.UID, error) {
			secret, err := newSigning(found.Name, random)
			if err != nil {
				return nil, "", err
			}
			if err := s.subscriptions().rotate(ctx, found, secret); err != nil {
				return nil, "", err
			}
			return secretOutput(found, secret), found.UID, nil
		},
		again: func(_ context.Context, random io.Reader) (*SecretOutput, error) {
			secret, err := newSigning(found.Name, random)
			return secretOutput(found, secret), err
		},
	}.run(ctx, s)
}
