package base

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

// SecretPoll is how often an object that is complete is looked at again, in case a Secret has been deleted: each look costs a request.
const SecretPoll = 10 * time.Minute

// Secrets reads values of Secrets live. A value that is missing or malformed is polled by one object only, even if many wait for it:
// that object is reconciled again after lifecycle.BlockedPoll, and all are notified when the value exists.
type Secrets struct {
	*blockedSecrets
	// fresh means that values are read even if they are remembered as unusable: for kinds with few objects, which people look at.
	fresh bool
}

// blockedSecrets remembers which values are missing or malformed.
type blockedSecrets struct {
	live  client.Reader
	clock clock.PassiveClock
	// blocked has a blockedSecret for each secretUse.
	blocked *cache.LRUExpireCache

	mu     sync.Mutex
	notify []func(namespace string)
}

// secretUse identifies a value of a Secret and its use.
type secretUse struct {
	secret types.NamespacedName
	key    string
	// address that the value is for.
	address string
	// form that the value must have.
	form secretForm
}

// secretForm is the form that a value must have.
type secretForm int

const (
	_ secretForm = iota
	// signingKey is the signing secret of a subscription.
	signingKey
	// bearerToken can stand in the header Authorization.
	bearerToken
)

type blockedSecret struct {
	why lifecycle.BlockedError
	// until is when the value is read again.
	until time.Time
}

// maxBlockedSecrets bounds how many values are remembered: those that were asked for last. What waits for another one polls it.
const maxBlockedSecrets = 10_000

// NewSecrets returns a reader of Secrets.
func NewSecrets(live client.Reader, clock clock.PassiveClock) Secrets {
	blocked := cache.NewLRUExpireCacheWithClock(maxBlockedSecrets, clock)
	return Secrets{blockedSecrets: &blockedSecrets{live: live, clock: clock, blocked: blocked}}
}

// Fresh returns a reader that reads each time, and shares its results with s.
func (s Secrets) Fresh() Secrets {
	s.fresh = true
	return s
}

// Value returns one value of a Secret, for an address. It returns a *lifecycle.BlockedError if the value is missing, or if the Secret
// says that it is for another address.
func (s Secrets) Value(ctx context.Context, namespace string, ref v1alpha1.SecretKeyReference, address string) ([]byte, error) {
	use := secretUse{secret: types.NamespacedName{Namespace: namespace, Name: ref.Name}, key: ref.Key, address: address}
	return s.read(ctx, use, func(value []byte) ([]byte, error) { return value, nil })
}

// SigningKey returns the signing secret of a subscription. It returns a *lifecycle.BlockedError if it is missing or malformed.
func (s Secrets) SigningKey(ctx context.Context, namespace string, ref v1alpha1.SecretKeyReference) ([]byte, error) {
	use := secretUse{secret: types.NamespacedName{Namespace: namespace, Name: ref.Name}, key: ref.Key, form: signingKey}
	return s.read(ctx, use, func(value []byte) ([]byte, error) { return eventhook.ParseSecret(string(value)) })
}

// Token returns the access token of a subscription, for the URL that it is sent to. It returns a *lifecycle.BlockedError if the token is
// missing or malformed, or if the Secret says that it is for another address.
func (s Secrets) Token(ctx context.Context, namespace string, ref v1alpha1.SecretKeyReference, url string) (string, error) {
	use := secretUse{secret: types.NamespacedName{Namespace: namespace, Name: ref.Name}, key: ref.Key, address: url, form: bearerToken}
	token, err := s.read(ctx, use, func(value []byte) ([]byte, error) {
		token, err := eventhook.ParseToken(string(value))
		return []byte(token), err
	})
	return string(token), err
}

func (s Secrets) read(ctx context.Context, use secretUse, parse func([]byte) ([]byte, error)) ([]byte, error) {
	if blocked := s.remembered(use); blocked != nil && !s.fresh {
		return nil, blocked
	}
	secret := &corev1.Secret{}
	err := s.live.Get(ctx, use.secret, secret)
	if client.IgnoreNotFound(err) != nil {
		return nil, fmt.Errorf("reading Secret %s: %w", use.secret.Name, err)
	}
	value := secret.Data[use.key]
	if apierrors.IsNotFound(err) || len(value) == 0 {
		return nil, s.block(use, v1alpha1.ReasonSecretNotFound,
			fmt.Sprintf("the Secret %q must exist and have a value under the key %q", use.secret.Name, use.key))
	}
	if only, bound := secret.Annotations[v1alpha1.AddressAnnotation]; bound && only != use.address {
		return nil, s.block(use, v1alpha1.ReasonInvalidSecret, fmt.Sprintf("the Secret %q must be for this address, and its annotation %s "+
			"has another: enter the credential again, or name another Secret", use.secret.Name, v1alpha1.AddressAnnotation))
	}
	parsed, err := parse(value)
	if err != nil {
		return nil, s.block(use, v1alpha1.ReasonInvalidSecret, fmt.Sprintf("Secret %q, key %q: %s", use.secret.Name, use.key, err))
	}
	s.found(use)
	return parsed, nil
}

// remembered returns a blocker if a value was found to be unusable within the last lifecycle.BlockedPoll. The object that gets it is
// reconciled when the value exists, or after SecretPoll, in case the object that polls has been deleted.
func (b *blockedSecrets) remembered(use secretUse) *lifecycle.BlockedError {
	value, _ := b.blocked.Get(use)
	blocked, ok := value.(blockedSecret)
	if !ok || !b.clock.Now().Before(blocked.until) {
		return nil
	}
	blocked.why.RetryAfter = SecretPoll
	return &blocked.why
}

// block remembers why a value cannot be used, and returns a blocker. The object that gets it polls the value. All that wait for the value
// look at it again within SecretPoll.
func (b *blockedSecrets) block(use secretUse, reason, message string) *lifecycle.BlockedError {
	why := lifecycle.BlockedError{Reason: reason, Message: message, RetryAfter: lifecycle.BlockedPoll}
	b.blocked.Add(use, blockedSecret{why: why, until: b.clock.Now().Add(lifecycle.BlockedPoll)}, SecretPoll)
	return &why
}

// found forgets that a value could not be used, and notifies the objects that wait for it.
func (b *blockedSecrets) found(use secretUse) {
	if _, waited := b.blocked.Get(use); !waited {
		return
	}
	b.blocked.Remove(use)
	b.mu.Lock()
	notify := b.notify
	b.mu.Unlock()
	for _, f := range notify {
		f(use.secret.Namespace)
	}
}

// onFound sets a function that is called with the namespace of each value that was missing or malformed and exists now.
func (b *blockedSecrets) onFound(f func(namespace string)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notify = append(b.notify, f)
}

// Connect reads the Secrets that an attempt to reach a site needs. It returns a *lifecycle.BlockedError if a required one is missing.
// They are read each time.
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
