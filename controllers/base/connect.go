package base

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// Connect reads the Secrets that an attempt to reach a site needs. It returns a *lifecycle.BlockedError if a required one is missing.
// They are read for each attempt, so that a rotated Secret is used at once.
func (b *Base) Connect(ctx context.Context, http *http.Client, site *v1alpha1.Site, c publish.Connection) (publish.Target, error) {
	target := publish.Target{Site: site, Secrets: publish.Secrets{}, HTTP: http, PlainHTTP: b.PlainHTTP, Clock: b.Clock}
	for _, ref := range c.Secrets {
		if err := b.addSecret(ctx, target.Secrets, site.Namespace, ref, c.Address); err != nil {
			return publish.Target{}, err
		}
	}
	return target, nil
}

// addSecret adds the value that a connection names, or the values that may be used instead, if they are for its address.
func (b *Base) addSecret(ctx context.Context, to publish.Secrets, namespace string, ref publish.SecretRef, address string) error {
	value, err := b.Secrets.Value(ctx, namespace, ref.SecretKeyReference, address)
	if err == nil || !IsBlocked(err) || len(ref.Instead) == 0 {
		to[ref.SecretKeyReference] = value
		return err
	}
	for _, key := range ref.Instead {
		other := v1alpha1.SecretKeyReference{Name: ref.Name, Key: key}
		value, err := b.Secrets.Value(ctx, namespace, other, address)
		if err != nil {
			return withoutAny(err, ref)
		}
		to[other] = value
	}
	return nil
}

// withoutAny names all keys in the message if neither the value nor those that may be used instead exist.
func withoutAny(err error, ref publish.SecretRef) error {
	blocked, ok := errors.AsType[*lifecycle.BlockedError](err)
	if !ok || blocked.Reason != v1alpha1.ReasonSecretNotFound {
		return err
	}
	return &lifecycle.BlockedError{
		Reason: v1alpha1.ReasonSecretNotFound, RetryAfter: blocked.RetryAfter,
		Message: fmt.Sprintf("the Secret %q must exist and have a value under the key %q, or under %s",
			ref.Name, ref.Key, strings.Join(ref.Instead, " and ")),
	}
}
