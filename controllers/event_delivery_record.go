package controllers

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// ended is how an attempt ended, in the words of status.
func ended(o publish.Outcome) lifecycle.Ended {
	return lifecycle.Ended{AttemptResult: o.AttemptResult, Final: o.Final, RetryAfter: o.RetryAfter, Snippet: o.Snippet}
}

// recordEvent writes down what an attempt says of the subscription's receiver, and then what it came to: until that is written
// the outcome is kept, and both are tried again.
func (r *EventDeliveryReconciler) recordEvent(
	ctx context.Context, d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, e lifecycle.Ended,
) error {
	old := d.DeepCopy()
	lifecycle.EndEvent(d, e, lifecycle.Schedule{Delays: r.RetryDelays, Random: r.Random()}, r.Clock.Now())
	if s != nil {
		if err := r.noteHealth(ctx, d, s); err != nil {
			return err
		}
	}
	if err := r.saveEvent(ctx, old, d, s, lifecycle.Obstacle{}); err != nil {
		return err
	}
	eventDeliveriesTotal.WithLabelValues(string(e.Outcome)).Inc()
	eventDeliverySeconds.Observe(float64(e.Milliseconds) / 1000)
	countEnd(eventDeliveriesEnded, d.Status.Cycle)
	return nil
}

// waitForPlace leaves the delivery to the tracker, which tells when there is a place. Waiting for one is not written: only that
// what status names is no longer in the way.
func (r *EventDeliveryReconciler) waitForPlace(
	ctx context.Context, d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription,
) (ctrl.Result, error) {
	if !lifecycle.EventWaits(d) {
		return ctrl.Result{}, nil
	}
	_, obstacle, err := r.target(ctx, s)
	if err != nil {
		return ctrl.Result{}, err
	}
	if obstacle.Reason != "" {
		return r.obstructed(ctx, d, s, obstacle)
	}
	return ctrl.Result{}, r.saveEvent(ctx, d.DeepCopy(), d, s, lifecycle.Obstacle{})
}

// expire ends a delivery that found no way to its receiver in time.
func (r *EventDeliveryReconciler) expire(ctx context.Context, d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription) error {
	old := d.DeepCopy()
	lifecycle.EndExpired(d, r.Clock.Now())
	if err := r.saveEvent(ctx, old, d, s, lifecycle.Obstacle{}); err != nil {
		return err
	}
	eventDeliveriesEnded.WithLabelValues(v1alpha1.ReasonExpired).Inc()
	return nil
}

// noteHealth keeps account of how long a receiver has failed, and suspends its subscription in the end. It writes only when
// that changes. The subscription is read live, and again where it is changed at the same time: what the cache has of it may
// not know yet that the receiver has failed, and that it has recovered must not get lost.
func (r *EventDeliveryReconciler) noteHealth(ctx context.Context, d *v1alpha1.EventDelivery, cached *v1alpha1.EventSubscription) error {
	err := retry.RetryOnConflict(retry.DefaultRetry, func() error {
		s := &v1alpha1.EventSubscription{}
		if err := r.Live.Get(ctx, client.ObjectKeyFromObject(cached), s); err != nil {
			return err
		}
		old := s.DeepCopy()
		if s.UID != cached.UID || !lifecycle.NoteHealth(s, &d.Status.DeliveryRecord, r.Clock.Now()) {
			return nil
		}
		patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
		if err := r.Client.Status().Patch(ctx, s, patch); err != nil {
			return err
		}
		if old.Status.Suspension == nil && s.Status.Suspension != nil {
			r.Recorder.Eventf(s, nil, corev1.EventTypeWarning, v1alpha1.ReasonSuspended, "Deliver", "%s",
				"the receiver has failed for 5 days: events wait for an edit")
		}
		return nil
	})
	switch {
	case err == nil, apierrors.IsNotFound(err):
		return nil
	case apierrors.IsConflict(err):
		// It is not the delivery that was read stale: it has to be tried again.
		return errors.New("the subscription is being changed all the time: its receiver's health cannot be written")
	default:
		return fmt.Errorf("keeping account of the receiver's health: %w", err)
	}
}

// The cache's indexes of deliveries of which more may be sent.
const (
	// openIndex is by subscription.
	openIndex = "openOfSubscription"
	// unendedIndex is of all.
	unendedIndex = "unended"
)

// IndexEvents makes the indexes that the watch and the metrics look deliveries up by.
func IndexEvents(ctx context.Context, indexer client.FieldIndexer) error {
	if err := indexer.IndexField(ctx, &v1alpha1.EventDelivery{}, unendedIndex, func(obj client.Object) []string {
		if d, ok := obj.(*v1alpha1.EventDelivery); ok && lifecycle.EventOpen(d) {
			return []string{"true"}
		}
		return nil
	}); err != nil {
		return err
	}
	return indexer.IndexField(ctx, &v1alpha1.EventDelivery{}, openIndex, func(obj client.Object) []string {
		if d, ok := obj.(*v1alpha1.EventDelivery); ok && lifecycle.EventOpen(d) {
			return []string{d.Spec.SubscriptionRef.Name}
		}
		return nil
	})
}

// waitingOfSubscription maps a subscription to its deliveries of which more may be sent.
func (r *EventDeliveryReconciler) waitingOfSubscription(ctx context.Context, s client.Object) []ctrl.Request {
	var list v1alpha1.EventDeliveryList
	err := r.Client.List(ctx, &list, client.InNamespace(s.GetNamespace()), client.MatchingFields{openIndex: s.GetName()})
	if err != nil {
		log.FromContext(ctx).Error(err, "listing deliveries")
		return nil
	}
	requests := make([]ctrl.Request, 0, len(list.Items))
	for i := range list.Items {
		requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
	}
	return requests
}

// mayDeliverAgain lets through the changes of a subscription after which a delivery may go on, or must stop.
func mayDeliverAgain() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		old, was := e.ObjectOld.(*v1alpha1.EventSubscription)
		s, is := e.ObjectNew.(*v1alpha1.EventSubscription)
		if !was || !is {
			return true
		}
		return old.Generation != s.Generation || (old.Status.Suspension == nil) != (s.Status.Suspension == nil)
	}}
}
