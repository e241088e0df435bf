package rest

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

const (
	secretKey = "secret"
	// secretPrefix begins the names of all Secrets that the facade creates and deletes: an admission policy demands it.
	secretPrefix = "pressroom-signing-"
)

// signing is a signing secret, and the name of the Secret that holds it.
type signing struct{ name, value string }

// newSigning makes a signing secret of random bytes. Its Secret has a name of its own, so that a rotation never changes a secret that is
// in use.
func newSigning(subscription string, random io.Reader) (signing, error) {
	const suffixBytes, maxName = 5, 200 // bytes; characters of the subscription's name
	suffix := make([]byte, suffixBytes)
	if _, err := io.ReadFull(random, suffix); err != nil {
		return signing{}, fmt.Errorf("naming a secret: %w", err)
	}
	value, err := eventhook.NewSecret(random)
	if err != nil {
		return signing{}, err
	}
	subscription = strings.TrimRight(subscription[:min(len(subscription), maxName)], ".-")
	return signing{name: secretPrefix + subscription + "-" + hex.EncodeToString(suffix), value: value}, nil
}

func (s signing) reference() v1alpha1.SecretKeyReference {
	return v1alpha1.SecretKeyReference{Name: s.name, Key: secretKey}
}

// create makes a subscription with its signing secret, and returns it. What an interrupted call with the same secret has made stays. If
// the secret cannot be made, the subscription is deleted again.
func (s subscriptions) create(
	ctx context.Context, subscription *v1alpha1.EventSubscription, secret signing,
) (*v1alpha1.EventSubscription, error) {
	subscription.Spec.SigningSecretRef = secret.reference()
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	err := s.client.Create(ctx, subscription, client.FieldOwner(managerCreate))
	if apierrors.IsAlreadyExists(err) {
		subscription, err = s.named(ctx, client.ObjectKeyFromObject(subscription))
	}
	if err != nil {
		return nil, aboutSubscription(err)
	}
	if err := s.createSecret(ctx, subscription, secret); err != nil {
		undo := client.IgnoreNotFound(s.client.Delete(ctx, subscription))
		if undo != nil {
			return nil, fmt.Errorf("%w, and the subscription is left: %w", err, undo)
		}
		return nil, err
	}
	return subscription, nil
}

// rotate gives a subscription a new signing secret; requests carry a signature by the previous one too. If the subscription is changed at
// the same time, such as by another rotation, it is read again.
func (s subscriptions) rotate(ctx context.Context, found *v1alpha1.EventSubscription, secret signing) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	again := false
	err := retry.RetryOnConflict(retry.DefaultBackoff, func() error {
		if again {
			fresh, err := s.named(ctx, client.ObjectKeyFromObject(found))
			if err != nil {
				return err
			}
			fresh.DeepCopyInto(found)
		}
		again = true
		return s.tryRotate(ctx, found, secret)
	})
	return aboutSubscription(err)
}

// tryRotate is rotate for a subscription as it was read. The secret before the previous one is deleted first, so that none is left over if
// the call is interrupted: a previous secret that is gone blocks nothing.
func (s subscriptions) tryRotate(ctx context.Context, found *v1alpha1.EventSubscription, secret signing) error {
	current, previous := found.Spec.SigningSecretRef, found.Spec.PreviousSigningSecretRef
	if current == secret.reference() || (previous != nil && *previous == secret.reference()) {
		return nil
	}
	if previous != nil {
		if err := s.deleteSecret(ctx, found.Namespace, previous.Name); err != nil {
			return err
		}
	}
	if err := s.createSecret(ctx, found, secret); err != nil {
		return err
	}
	old := found.DeepCopy()
	found.Spec.PreviousSigningSecretRef, found.Spec.SigningSecretRef = &current, secret.reference()
	patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
	return s.client.Patch(ctx, found, patch, client.FieldOwner(managerCommands))
}

// createSecret creates a Secret that is deleted with its subscription. The facade may create Secrets, and may not read them.
func (s subscriptions) createSecret(ctx context.Context, owner *v1alpha1.EventSubscription, secret signing) error {
	object := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: owner.Namespace, Name: secret.name,
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: v1alpha1.GroupVersion.String(), Kind: "EventSubscription", Name: owner.Name, UID: owner.UID,
			}},
		},
		Type: corev1.SecretTypeOpaque,
		Data: map[string][]byte{secretKey: []byte(secret.value)},
	}
	err := s.client.Create(ctx, object, client.FieldOwner(managerCreate))
	if apierrors.IsAlreadyExists(err) {
		// The name is as random as the secret: an interrupted call with the same Idempotency-Key has created it.
		return nil
	}
	return aboutSubscription(err)
}

// deleteSecret deletes a Secret that the facade has created. Those of others stay.
func (s subscriptions) deleteSecret(ctx context.Context, namespace, name string) error {
	if !strings.HasPrefix(name, secretPrefix) {
		return nil
	}
	object := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	return aboutSubscription(client.IgnoreNotFound(s.client.Delete(ctx, object)))
}
