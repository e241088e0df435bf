package controllers

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// unknownOutcome is that of an attempt whose process ended. It may have reached the receiver, so it counts.
func unknownOutcome() publish.Outcome {
	return publish.Outcome{
		Kind: publish.Kind(v1alpha1.AttemptUnknown), Message: "the controller's process ended during the attempt",
	}
}

// closeAttempt writes down what an attempt came to.
func closeAttempt(attempt *v1alpha1.DeliveryAttempt, o publish.Outcome) {
	attempt.Outcome = v1alpha1.AttemptOutcome(o.Kind)
	attempt.HTTPStatus = int32(min(max(o.HTTPStatus, 0), 999))
	attempt.Message = lifecycle.Bounded(o.Message, 500)
	attempt.Milliseconds = o.Duration.Milliseconds()
}

// recordEvent writes down what an attempt came to, and what it says of the subscription's receiver.
func (r *EventDeliveryReconciler) recordEvent(
	ctx context.Context, d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, o publish.Outcome,
) error {
	old := d.DeepCopy()
	c := d.Status.Cycle
	attempt := &c.Attempts[len(c.Attempts)-1]
	closeAttempt(attempt, o)
	accepted := attempt.Outcome == v1alpha1.AttemptAccepted
	switch now := r.now(); {
	case accepted:
		c.State, c.Reason, d.Status.EndedAt = v1alpha1.CycleDelivered, v1alpha1.ReasonDelivered, &now
	case o.Final || len(c.Attempts) >= lifecycle.MaxAttempts:
		c.State, c.Reason, d.Status.EndedAt = v1alpha1.CycleFailed, endReason(c, o.Final), &now
	default:
		wait := lifecycle.DeliveryBackoff(r.RetryDelays, len(c.Attempts), o.RetryAfter, r.Random())
		due := metav1.NewMicroTime(now.Add(wait))
		c.State, c.Reason, c.NextAttemptAt = v1alpha1.CycleRetryScheduled, v1alpha1.ReasonRetryScheduled, &due
	}
	if err := r.saveEvent(ctx, old, d, s, lifecycle.Obstacle{}); err != nil {
		return err
	}
	eventDeliveriesTotal.WithLabelValues(string(attempt.Outcome)).Inc()
	eventDeliverySeconds.Observe(float64(attempt.Milliseconds) / 1000)
	if s == nil || attempt.Outcome == v1alpha1.AttemptUnknown {
		return nil
	}
	return r.noteHealth(ctx, s, accepted)
}

// expire ends a delivery that found no way to its receiver in time.
func (r *EventDeliveryReconciler) expire(ctx context.Context, d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription) error {
	old, now := d.DeepCopy(), r.now()
	if c := d.Status.Cycle; c != nil {
		c.State, c.Reason, c.NextAttemptAt = v1alpha1.CycleFailed, v1alpha1.ReasonExpired, nil
		c.Nonce = d.Annotations[v1alpha1.RedeliverAnnotation]
	}
	d.Status.EndedAt = &now
	return r.saveEvent(ctx, old, d, s, lifecycle.Obstacle{})
}

// noteHealth keeps account of how long a receiver has failed, and suspends its subscription in the end. It writes only when
// that changes. A write that conflicts is left to the next attempt.
func (r *EventDeliveryReconciler) noteHealth(ctx context.Context, s *v1alpha1.EventSubscription, accepted bool) error {
	old, now := s.DeepCopy(), r.now()
	since := s.Status.FailingSince
	suspend := false
	switch {
	case accepted && since == nil:
		return nil
	case accepted:
		s.Status.FailingSince = nil
	case since == nil:
		s.Status.FailingSince = &now
	case s.Status.Suspension == nil && now.Sub(since.Time) >= lifecycle.SuspendAfter:
		suspend = true
		s.Status.Suspension = &v1alpha1.Suspension{
			At: now, Generation: s.Generation, Nonce: s.Annotations[v1alpha1.ResumeAnnotation],
		}
	default:
		return nil
	}
	patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
	if err := r.Client.Status().Patch(ctx, s, patch); err != nil {
		if apierrors.IsConflict(err) || apierrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("writing the subscription's status: %w", err)
	}
	if suspend {
		r.Recorder.Eventf(s, nil, corev1.EventTypeWarning, v1alpha1.ReasonSuspended, "Deliver", "%s",
			"the receiver has failed for 5 days: events wait for an edit")
	}
	return nil
}

// openIndex is the cache's index of deliveries that have not ended, by subscription.
const openIndex = "openOfSubscription"

// IndexEvents makes the index that the watch looks deliveries up by.
func IndexEvents(ctx context.Context, indexer client.FieldIndexer) error {
	return indexer.IndexField(ctx, &v1alpha1.EventDelivery{}, openIndex, func(obj client.Object) []string {
		if d, ok := obj.(*v1alpha1.EventDelivery); ok && d.Status.EndedAt == nil {
			return []string{d.Spec.SubscriptionRef.Name}
		}
		return nil
	})
}

// waitingOfSubscription maps a subscription to its deliveries that have not ended.
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
