package controllers

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// EventSubscriptionReconciler says whether events are sent, and resumes a suspended subscription that was edited.
type EventSubscriptionReconciler struct {
	Base
	// CheckURL says what is wrong with a URL, before anything is looked up.
	CheckURL func(string) error
}

// Reconcile keeps the subscription's conditions right. Secrets are not watched, so it is looked at again.
func (r *EventSubscriptionReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	s := &v1alpha1.EventSubscription{}
	if err := r.Client.Get(ctx, req.NamespacedName, s); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !s.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	old := s.DeepCopy()
	if edited(s) {
		s.Status.Suspension, s.Status.FailingSince = nil, nil
	}
	ready, err := r.ready(ctx, s)
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := r.saveSubscription(ctx, old, s, ready); err != nil {
		return settled(ctrl.Result{}, err)
	}
	return ctrl.Result{RequeueAfter: r.lookAgain(s.Status.Conditions)}, nil
}

// edited reports whether a suspended subscription is to be resumed.
func edited(s *v1alpha1.EventSubscription) bool {
	p := s.Status.Suspension
	return p != nil && (p.Generation != s.Generation || p.Nonce != lifecycle.Nonce(s, v1alpha1.ResumeAnnotation))
}

// ready decides the condition Ready.
func (r *EventSubscriptionReconciler) ready(ctx context.Context, s *v1alpha1.EventSubscription) (metav1.Condition, error) {
	if p := s.Status.Suspension; p != nil {
		return readyCondition(false, v1alpha1.ReasonSuspended, fmt.Sprintf(
			"suspended at %s, after 5 days of failures: an edit of the spec, or a new %s, resumes it",
			p.At.UTC().Format(time.RFC3339), v1alpha1.ResumeAnnotation)), nil
	}
	if err := r.CheckURL(s.Spec.URL); err != nil {
		return readyCondition(false, v1alpha1.ReasonAddressBlocked, "the URL is "+egress.Describe(err)), nil
	}
	_, obstacle, err := r.signingKey(ctx, s.Namespace, s.Spec.SigningSecretRef)
	if err != nil {
		return metav1.Condition{}, err
	}
	if obstacle.Reason != "" {
		return readyCondition(false, obstacle.Reason, obstacle.Message), nil
	}
	if since := s.Status.FailingSince; since != nil {
		return readyCondition(true, v1alpha1.ReasonValid, fmt.Sprintf(
			"the receiver has failed since %s; after 5 days the subscription is suspended", since.UTC().Format(time.RFC3339))), nil
	}
	return readyCondition(true, v1alpha1.ReasonValid, "events are sent"), nil
}

// saveSubscription writes the status where anything in it has changed.
func (r *EventSubscriptionReconciler) saveSubscription(
	ctx context.Context, old, s *v1alpha1.EventSubscription, ready metav1.Condition,
) error {
	stalled := ready
	stalled.Type, stalled.Status = v1alpha1.ConditionStalled, metav1.ConditionTrue
	r.put(&s.Status.Conditions, s.Generation, ready)
	if ready.Status == metav1.ConditionTrue {
		meta.RemoveStatusCondition(&s.Status.Conditions, v1alpha1.ConditionStalled)
	} else {
		r.put(&s.Status.Conditions, s.Generation, stalled)
	}
	s.Status.ObservedGeneration = s.Generation
	if equality.Semantic.DeepEqual(old.Status, s.Status) {
		return nil
	}
	patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
	if err := r.Client.Status().Patch(ctx, s, patch); err != nil {
		return fmt.Errorf("writing the subscription's status: %w", err)
	}
	return nil
}

// put sets a condition, whose time is the clock's.
func (b *Base) put(conditions *[]metav1.Condition, generation int64, c metav1.Condition) {
	c.ObservedGeneration = generation
	if before := meta.FindStatusCondition(*conditions, c.Type); before == nil || before.Status != c.Status {
		c.LastTransitionTime = metav1.NewTime(b.Clock.Now())
	}
	meta.SetStatusCondition(conditions, c)
}

// SetupWithManager registers the controller.
func (r *EventSubscriptionReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).Named("eventsubscription").For(&v1alpha1.EventSubscription{}).Complete(r)
}
