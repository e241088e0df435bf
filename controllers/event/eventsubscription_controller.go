package event

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

// SubscriptionStatusReconciler writes the condition Ready of subscriptions, and resumes suspended ones that were edited.
type SubscriptionStatusReconciler struct {
	base.Base
	// CheckURL returns an error if a URL must not be called. It does not look up names.
	CheckURL func(string) error
}

// Reconcile brings the subscription's conditions up to date. Secrets are not watched, so the subscription is reconciled again after
// some time.
func (r *SubscriptionStatusReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	s := &v1alpha1.EventSubscription{}
	if err := r.Client.Get(ctx, req.NamespacedName, s); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !s.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	stored := s.DeepCopy()
	// While nothing is sent on purpose, the receiver does not fail.
	if resumed(s) || s.Spec.Suspend {
		s.Status.Suspension, s.Status.FailingSince = nil, nil
	}
	command.MarkHandled(s, &s.Status.HandledRequests, v1alpha1.ResumeAnnotation)
	r.planTest(s)
	ready, err := r.ready(ctx, s)
	if err != nil {
		return ctrl.Result{}, err
	}
	if err := r.save(ctx, stored, s, ready); err != nil {
		return base.IgnoreConflict(ctrl.Result{}, err)
	}
	stored = s.DeepCopy()
	next, err := r.dispatchTest(ctx, s)
	if err == nil {
		err = r.WriteStatus(ctx, stored, s)
	}
	return base.IgnoreConflict(ctrl.Result{RequeueAfter: cmp.Or(next, r.NextLook(s.Status.Conditions))}, err)
}

// resumed reports whether a suspended subscription was edited, or a new nonce asks to resume it.
func resumed(s *v1alpha1.EventSubscription) bool {
	p := s.Status.Suspension
	return p != nil && (p.Generation != s.Generation || command.Requested(s, s.Status.HandledRequests, v1alpha1.ResumeAnnotation))
}

func (r *SubscriptionStatusReconciler) ready(ctx context.Context, s *v1alpha1.EventSubscription) (metav1.Condition, error) {
	if s.Spec.Suspend {
		return conditions.True(v1alpha1.ReasonSuspended, "spec.suspend is true: events wait, up to 7 days each"), nil
	}
	if p := s.Status.Suspension; p != nil {
		return conditions.False(v1alpha1.ReasonSuspended, fmt.Sprintf(
			"suspended at %s, after 5 days of failures: an edit of the spec, or a new %s, resumes it",
			p.Time.UTC().Format(time.RFC3339), v1alpha1.ResumeAnnotation)), nil
	}
	if err := r.CheckURL(s.Spec.URL); err != nil {
		return conditions.False(v1alpha1.ReasonAddressBlocked, "the URL is "+egress.Describe(err)), nil
	}
	_, err := r.Secrets.SigningKey(ctx, s.Namespace, s.Spec.SigningSecretRef)
	if err == nil {
		_, err = tokenOf(ctx, r.Secrets, s)
	}
	if blocked, ok := errors.AsType[*lifecycle.BlockedError](err); ok {
		return conditions.False(blocked.Reason, blocked.Message), nil
	}
	if err != nil {
		return metav1.Condition{}, err
	}
	if c := meta.FindStatusCondition(s.Status.Conditions, v1alpha1.ConditionDispatching); c != nil {
		return conditions.False(c.Reason, c.Message), nil
	}
	if since := s.Status.FailingSince; since != nil {
		return conditions.True(v1alpha1.ReasonValid, fmt.Sprintf(
			"the receiver has failed since %s; after 5 days the subscription is suspended", since.UTC().Format(time.RFC3339))), nil
	}
	return conditions.True(v1alpha1.ReasonValid, "events are sent"), nil
}

// save writes the subscription's status if anything in it has changed.
func (r *SubscriptionStatusReconciler) save(ctx context.Context, stored, s *v1alpha1.EventSubscription, ready metav1.Condition) error {
	set := conditions.Setter{Conditions: &s.Status.Conditions, Generation: s.Generation, Now: r.Clock.Now()}
	set.SetIf(ready.Status != metav1.ConditionTrue, v1alpha1.ConditionStalled, ready)
	return r.SaveReady(ctx, stored, s, &s.Status.Observed, ready)
}

// SetupWithManager registers the controller.
func (r *SubscriptionStatusReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return r.NewController(mgr, "eventsubscription", base.Workers).
		For(&v1alpha1.EventSubscription{}).
		Complete(r)
}

// planTest records a requested test event in status, with the name of its delivery. The name is written before the delivery is created,
// so that it is created once.
func (r *SubscriptionStatusReconciler) planTest(s *v1alpha1.EventSubscription) {
	if !command.Requested(s, s.Status.HandledRequests, v1alpha1.TestEventAnnotation) {
		return
	}
	now := r.Now()
	command.MarkHandled(s, &s.Status.HandledRequests, v1alpha1.TestEventAnnotation)
	s.Status.Test = &v1alpha1.SubscriptionTest{
		Time: now, Dispatch: v1alpha1.DispatchPending,
		Delivery: identity.EventID(
			string(s.UID), "", string(v1alpha1.EventTest), command.Nonce(s, v1alpha1.TestEventAnnotation), now.Time,
		),
	}
}

// dispatchTest creates the delivery of a test event if that is pending, and changes status in memory. It returns when to try that again; 0
// if it need not be.
func (r *SubscriptionStatusReconciler) dispatchTest(ctx context.Context, s *v1alpha1.EventSubscription) (time.Duration, error) {
	t := s.Status.Test
	if t == nil || t.Dispatch != v1alpha1.DispatchPending {
		return 0, nil
	}
	body, err := eventhook.Encode(s.Spec.Format, eventhook.Test{
		Type: lifecycle.TestEvent, Timestamp: eventhook.Time(t.Time.Time),
		Data: eventhook.TestData{
			SubscriptionUID: identity.UID(identity.KindEventSubscription, s.Namespace, s.Name), WorkspaceID: s.Namespace,
		},
	}, eventhook.Notice{Summary: "A test of Pressroom: messages arrive here"})
	if err != nil {
		return 0, err
	}
	d := newDelivery(s, t.Delivery, v1alpha1.EventDeliverySpec{Type: v1alpha1.EventTest, Time: t.Time, Body: string(body)})
	err = r.Create(ctx, d)
	if refusal := refusalOf(&r.Base, d, err); refusal != nil {
		setDispatching(&r.Base, s, refusal)
		return refusal.RetryAfter, nil
	}
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return 0, fmt.Errorf("making the delivery of a test event: %w", err)
	}
	setDispatching(&r.Base, s, nil)
	t.Dispatch = v1alpha1.DispatchDone
	return 0, nil
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
