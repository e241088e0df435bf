package controllers

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

// secretValue reads one value of a Secret. It returns a *lifecycle.BlockedError if the value is missing.
func secretValue(ctx context.Context, live client.Reader, namespace string, ref v1alpha1.SecretKeyReference) ([]byte, error) {
	secret := &corev1.Secret{}
	err := live.Get(ctx, types.NamespacedName{Namespace: namespace, Name: ref.Name}, secret)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading Secret %s: %w", ref.Name, err)
	}
	if apierrors.IsNotFound(err) || len(secret.Data[ref.Key]) == 0 {
		return nil, &lifecycle.BlockedError{
			Reason:     v1alpha1.ReasonSecretNotFound,
			Message:    fmt.Sprintf("the Secret %q must exist and have a value under the key %q", ref.Name, ref.Key),
			RetryAfter: blockedPoll,
		}
	}
	return secret.Data[ref.Key], nil
}

// signingKey reads the signing secret of a subscription. It returns a *lifecycle.BlockedError if it is missing or malformed.
func (b *Base) signingKey(ctx context.Context, namespace string, ref v1alpha1.SecretKeyReference) ([]byte, error) {
	secret, err := secretValue(ctx, b.Live, namespace, ref)
	if err != nil {
		return nil, err
	}
	key, err := eventhook.ParseSecret(string(secret))
	if err != nil {
		return nil, &lifecycle.BlockedError{
			Reason:     v1alpha1.ReasonInvalidSecret,
			Message:    fmt.Sprintf("Secret %q, key %q: %s", ref.Name, ref.Key, err),
			RetryAfter: blockedPoll,
		}
	}
	return key, nil
}

// connect reads the Secrets that an attempt to reach a site needs. It returns a *lifecycle.BlockedError if a required one is missing.
// They are read at each attempt, so that a rotated one counts at once.
func (b *Base) connect(ctx context.Context, http *http.Client, site *v1alpha1.Site, c publish.Connection) (publish.Target, error) {
	target := publish.Target{Site: site, Secrets: publish.Secrets{}, HTTP: http, PlainHTTP: b.PlainHTTP, Clock: b.Clock}
	for _, ref := range c.Secrets {
		if err := b.addSecret(ctx, target.Secrets, site.Namespace, ref); err != nil {
			return publish.Target{}, err
		}
	}
	return target, nil
}

// addSecret adds the value that a connection names, or those that stand in for it.
func (b *Base) addSecret(ctx context.Context, to publish.Secrets, namespace string, ref publish.SecretRef) error {
	value, err := secretValue(ctx, b.Live, namespace, ref.SecretKeyReference)
	if err == nil || !isBlocked(err) || len(ref.Instead) == 0 {
		to[ref.SecretKeyReference] = value
		return err
	}
	for _, key := range ref.Instead {
		other := v1alpha1.SecretKeyReference{Name: ref.Name, Key: key}
		value, err := secretValue(ctx, b.Live, namespace, other)
		if err != nil {
			return withoutAny(err, ref)
		}
		to[other] = value
	}
	return nil
}

// withoutAny names all keys in the message about a value that nothing stands in for.
func withoutAny(err error, ref publish.SecretRef) error {
	if !isBlocked(err) {
		return err
	}
	return &lifecycle.BlockedError{
		Reason: v1alpha1.ReasonSecretNotFound, RetryAfter: blockedPoll,
		Message: fmt.Sprintf("the Secret %q must exist and have a value under the key %q, or under %s",
			ref.Name, ref.Key, strings.Join(ref.Instead, " and ")),
	}
}
