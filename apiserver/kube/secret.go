package kube

import (
	"context"
	"fmt"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// CreateSecret creates a Secret that is deleted with its owner, which has this kind. The facade may create Secrets, and may not read them.
// The name is random: if there is a Secret of it, this call has created it before a conflict, or an interrupted request with the same
// Idempotency-Key.
func CreateSecret(
	ctx context.Context, c client.Client, owner client.Object, kind, name string, values, annotations map[string]string,
) error {
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: owner.GetNamespace(), Name: name, Annotations: annotations,
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: v1alpha1.GroupVersion.String(), Kind: kind, Name: owner.GetName(), UID: owner.GetUID(),
			}},
		},
		Type: corev1.SecretTypeOpaque,
		Data: map[string][]byte{},
	}
	for key, value := range values {
		secret.Data[key] = []byte(value)
	}
	if err := c.Create(ctx, secret); !apierrors.IsAlreadyExists(err) {
		return err
	}
	return nil
}

// CreateOwner creates an object and then, by a function, the Secret that it owns: whatever ends the call in between, no Secret is left. It
// undoes the creation if the Secret cannot be created.
func CreateOwner(ctx context.Context, c client.Client, owner client.Object, createSecret func() error) error {
	if err := c.Create(ctx, owner); err != nil {
		return err
	}
	err := createSecret()
	if err == nil {
		return nil
	}
	if undo := client.IgnoreNotFound(c.Delete(context.WithoutCancel(ctx), owner)); undo != nil {
		return fmt.Errorf("%w, and the %s is left: %w", err, resourceOf(owner), undo)
	}
	return err
}

// DeleteSecret deletes a Secret that nothing names anymore. One that stays is deleted with its owner.
func DeleteSecret(ctx context.Context, c client.Client, log logr.Logger, namespace, name string) {
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name}}
	if err := client.IgnoreNotFound(c.Delete(context.WithoutCancel(ctx), secret)); err != nil {
		log.Info("a Secret that nothing names is left until its owner is deleted", "secret", name, "error", err.Error())
	}
}
