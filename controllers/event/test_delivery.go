package event

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

// planTest records a requested test event in status, with the name of its delivery. The name is written before the delivery is created,
// so that it is created once.
func (r *SubscriptionReconciler) planTest(s *v1alpha1.EventSubscription) {
	if !attempts.Asked(s, s.Status.HandledRequests, v1alpha1.TestEventAnnotation) {
		return
	}
	now := r.Now()
	attempts.Handle(s, &s.Status.HandledRequests, v1alpha1.TestEventAnnotation)
	s.Status.Test = &v1alpha1.SubscriptionTest{
		Time: now, Dispatch: v1alpha1.DispatchPending,
		Delivery: identity.EventID(
			string(s.UID), "", string(v1alpha1.EventTest), attempts.Nonce(s, v1alpha1.TestEventAnnotation), now.Time,
		),
	}
}

// dispatchTest creates the delivery of a test event if that is pending, and reports whether status has changed.
func (r *SubscriptionReconciler) dispatchTest(ctx context.Context, s *v1alpha1.EventSubscription) (dispatched bool, err error) {
	t := s.Status.Test
	if t == nil || t.Dispatch != v1alpha1.DispatchPending {
		return false, nil
	}
	body, err := eventhook.Test{
		Type: lifecycle.TestEvent, Timestamp: eventhook.Time(t.Time.Time),
		Data: eventhook.TestData{
			SubscriptionUID: identity.UID(identity.KindEventSubscription, s.Namespace, s.Name), WorkspaceID: s.Namespace,
		},
	}.Encode()
	if err != nil {
		return false, err
	}
	d := newDelivery(s, t.Delivery, v1alpha1.EventDeliverySpec{Type: v1alpha1.EventTest, Time: t.Time, Body: string(body)})
	if err := r.Client.Create(ctx, d); err != nil && !apierrors.IsAlreadyExists(err) {
		return false, fmt.Errorf("making the delivery of a test event: %w", err)
	}
	t.Dispatch = v1alpha1.DispatchDone
	return true, nil
}

// newDelivery returns the delivery of an event to a subscription, which owns it.
func newDelivery(s *v1alpha1.EventSubscription, name string, spec v1alpha1.EventDeliverySpec) *v1alpha1.EventDelivery {
	spec.SubscriptionRef = v1alpha1.LocalReference{Name: s.Name}
	owner := metav1.NewControllerRef(s, v1alpha1.GroupVersion.WithKind("EventSubscription"))
	// Blocking the owner's deletion would need a permission on its finalizers.
	owner.BlockOwnerDeletion = nil
	return &v1alpha1.EventDelivery{
		ObjectMeta: metav1.ObjectMeta{Namespace: s.Namespace, Name: name, OwnerReferences: []metav1.OwnerReference{*owner}}, Spec: spec,
	}
}
