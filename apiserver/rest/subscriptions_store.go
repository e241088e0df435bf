package rest

import (
	"context"
	"fmt"
	"maps"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
	"github.com/pressroom-dev/pressroom/internal/identity"
)

// subscriptions reads and writes EventSubscriptions, their deliveries and their secrets. That is rare, so no informer holds
// them. Each call is bounded in time.
type subscriptions struct {
	*articles
}

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

// findOwn is find for a subscription that is to be changed: it returns a conflict if a manifest has it.
func (s subscriptions) findOwn(ctx context.Context, c *call, uid, do string) (*v1alpha1.EventSubscription, error) {
	found, err := s.find(ctx, c.workspace, uid)
	if err != nil {
		return nil, err
	}
	return found, kept(found.ManagedFields, requiredOfSubscription, do)
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

// patch writes a changed subscription.
func (s subscriptions) patch(ctx context.Context, old, changed *v1alpha1.EventSubscription) error {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	return aboutSubscription(s.client.Patch(ctx, changed, client.MergeFrom(old), client.FieldOwner(managerCreate)))
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
