package rest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

// subscriptions reads and writes EventSubscriptions, their deliveries and their secrets. That is rare, so no informer holds
// them. Each call is bounded in time.
type subscriptions struct {
	*articles
}

const (
	secretKey = "secret"
	// secretPrefix begins the names of all Secrets that the facade creates: an admission policy demands it.
	secretPrefix = "pressroom-signing-"
)

// list returns the subscriptions of a workspace.
func (s subscriptions) list(ctx context.Context, workspace string) ([]v1alpha1.EventSubscription, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	var list v1alpha1.EventSubscriptionList
	if err := s.client.List(ctx, &list, client.InNamespace(workspace)); err != nil {
		return nil, aboutSubscription(err)
	}
	return slices.DeleteFunc(list.Items, func(one v1alpha1.EventSubscription) bool { return !sees(ctx, &one) }), nil
}

// find returns the subscription with this uid: usually its name, else one whose name kubectl gave.
func (s subscriptions) find(ctx context.Context, workspace, uid string) (*v1alpha1.EventSubscription, error) {
	if !identity.IsUID(uid) {
		return nil, unknownSubscription()
	}
	found, err := s.named(ctx, client.ObjectKey{Namespace: workspace, Name: uid})
	if !apierrors.IsNotFound(err) {
		return found, err
	}
	all, err := s.list(ctx, workspace)
	if err != nil {
		return nil, err
	}
	for i := range all {
		if identity.UID(identity.KindEventSubscription, workspace, all[i].Name) == uid {
			return &all[i], nil
		}
	}
	return nil, unknownSubscription()
}

const (
	subjectSubscription = "event subscription"
	subjectDelivery     = "delivery"
)

func unknownSubscription() *problem.APIError { return problem.NotFound(subjectSubscription) }

func aboutSubscription(err error) error {
	return problem.WithResource(subjectSubscription, problem.MarkUnreachable(err))
}

func aboutDelivery(err error) error {
	return problem.WithResource(subjectDelivery, problem.MarkUnreachable(err))
}

func (s subscriptions) named(ctx context.Context, key client.ObjectKey) (*v1alpha1.EventSubscription, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	found := &v1alpha1.EventSubscription{}
	if err := s.client.Get(ctx, key, found); err != nil {
		return nil, aboutSubscription(err)
	}
	if !sees(ctx, found) {
		return nil, unknownSubscription()
	}
	return found, nil
}

// create makes a subscription and the secret that it names. If the secret cannot be made, the subscription is deleted again.
func (s subscriptions) create(ctx context.Context, subscription *v1alpha1.EventSubscription) (string, error) {
	name, err := secretName(subscription.Name)
	if err != nil {
		return "", err
	}
	subscription.Spec.SigningSecretRef = v1alpha1.SecretKeyReference{Name: name, Key: secretKey}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	if err := s.client.Create(ctx, subscription, client.FieldOwner(managerCreate)); err != nil {
		return "", aboutSubscription(err)
	}
	secret, err := s.createSecret(ctx, subscription, name)
	if err != nil {
		undo := client.IgnoreNotFound(s.client.Delete(ctx, subscription))
		if undo != nil {
			return "", fmt.Errorf("%w, and the subscription is left: %w", err, undo)
		}
		return "", err
	}
	return secret, nil
}

// rotate makes a new secret of a subscription; requests carry a signature by the previous one too.
func (s subscriptions) rotate(ctx context.Context, found *v1alpha1.EventSubscription) (string, error) {
	name, err := secretName(found.Name)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	secret, err := s.createSecret(ctx, found, name)
	if err != nil {
		return "", err
	}
	old := found.DeepCopy()
	found.Spec.PreviousSigningSecretRef = new(found.Spec.SigningSecretRef)
	found.Spec.SigningSecretRef = v1alpha1.SecretKeyReference{Name: name, Key: secretKey}
	patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
	return secret, aboutSubscription(s.client.Patch(ctx, found, patch, client.FieldOwner(managerCommands)))
}

// createSecret creates a Secret that is deleted with its subscription. The facade may create Secrets, and may not read them.
func (s subscriptions) createSecret(ctx context.Context, owner *v1alpha1.EventSubscription, name string) (string, error) {
	value, err := eventhook.NewSecret(rand.Reader)
	if err != nil {
		return "", err
	}
	secret := &corev1.Secret{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: owner.Namespace, Name: name,
			OwnerReferences: []metav1.OwnerReference{{
				APIVersion: v1alpha1.GroupVersion.String(), Kind: "EventSubscription", Name: owner.Name, UID: owner.UID,
			}},
		},
		Type: corev1.SecretTypeOpaque,
		Data: map[string][]byte{secretKey: []byte(value)},
	}
	return value, aboutSubscription(s.client.Create(ctx, secret, client.FieldOwner(managerCreate)))
}

// secretName is new for each secret, so that a rotation never changes a secret that is in use.
func secretName(subscription string) (string, error) {
	const random, maxName = 5, 200 // bytes; characters of the subscription's name
	suffix := make([]byte, random)
	if _, err := rand.Read(suffix); err != nil {
		return "", fmt.Errorf("naming a secret: %w", err)
	}
	subscription = strings.TrimRight(subscription[:min(len(subscription), maxName)], ".-")
	return secretPrefix + subscription + "-" + hex.EncodeToString(suffix), nil
}

func (s subscriptions) remove(ctx context.Context, found *v1alpha1.EventSubscription) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	return aboutSubscription(s.client.Delete(ctx, found, client.PropagationPolicy(metav1.DeletePropagationBackground)))
}

// deliveries returns a page of the deliveries of a subscription, and where the next one begins. Their names begin with the time that
// is left (identity.EventID), so kube-apiserver lists the newest first and reads no more than a page. A cursor that is older than what
// kube-apiserver remembers goes on with the newest state, as kube-apiserver proposes.
func (s subscriptions) deliveries(
	ctx context.Context, of *v1alpha1.EventSubscription, cursor string, limit int,
) (*v1alpha1.EventDeliveryList, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	page := &v1alpha1.EventDeliveryList{}
	list := func(from string) error {
		return s.client.List(ctx, page, client.InNamespace(of.Namespace), client.Limit(int64(limit)), client.Continue(from),
			client.MatchingFields{"spec.subscriptionRef.name": of.Name})
	}
	err := list(cursor)
	if apierrors.IsResourceExpired(err) {
		if status := problem.StatusOf(err); status.Continue != "" {
			err = list(status.Continue)
		}
	}
	return page, aboutDelivery(err)
}

// redeliver requests another cycle of a delivery.
func (s subscriptions) redeliver(ctx context.Context, d *v1alpha1.EventDelivery) error {
	_, err := s.command(ctx, d, v1alpha1.RedeliverAnnotation)
	return aboutDelivery(err)
}

// command gives an annotation of an object a new nonce, which the controller handles once.
func (s subscriptions) command(ctx context.Context, object client.Object, annotation string) (nonce string, err error) {
	if nonce, err = identity.NewName(); err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	old, ok := object.DeepCopyObject().(client.Object)
	if !ok {
		return "", fmt.Errorf("copying a %T", object)
	}
	annotations := maps.Clone(object.GetAnnotations())
	if annotations == nil {
		annotations = map[string]string{}
	}
	annotations[annotation] = nonce
	object.SetAnnotations(annotations)
	return nonce, problem.MarkUnreachable(s.client.Patch(ctx, object, client.MergeFrom(old), client.FieldOwner(managerCommands)))
}

func (s subscriptions) delivery(ctx context.Context, key client.ObjectKey) (*v1alpha1.EventDelivery, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	d := &v1alpha1.EventDelivery{}
	if err := s.client.Get(ctx, key, d); err != nil {
		return nil, aboutDelivery(err)
	}
	return d, nil
}
