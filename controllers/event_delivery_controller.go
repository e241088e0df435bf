package controllers

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/google/uuid"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
)

// EventDeliveryReconciler sends events by the rules of publishing: the attempt is written ahead, sent apart from the
// reconcile, and recorded.
type EventDeliveryReconciler struct {
	Base
	// Deliveries is the work that is on the wire: apart from publishing's, so that neither holds up the other.
	Deliveries *inflight.Tracker[publish.Outcome]
	// HTTP reaches public addresses only.
	HTTP *http.Client
	// RetryDelays are the waits before the retries, before jitter.
	RetryDelays []time.Duration
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=eventdeliveries/status,verbs=patch
// +kubebuilder:rbac:groups=pressroom.dev,resources=eventsubscriptions/status,verbs=patch
// +kubebuilder:rbac:groups="",resources=secrets,verbs=get

// Reconcile does the delivery's next step.
func (r *EventDeliveryReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	defer r.Deliveries.ReleaseUnused(req.NamespacedName)
	d := &v1alpha1.EventDelivery{}
	if err := r.Client.Get(ctx, req.NamespacedName, d); err != nil {
		if apierrors.IsNotFound(err) {
			r.Deliveries.Drop(req.NamespacedName)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	forgetEnded(r.Deliveries, d.Status.Attempts)
	s, err := r.subscription(ctx, d)
	if err != nil {
		return ctrl.Result{}, err
	}
	decision := lifecycle.NextForEvent(d, s, r.Clock.Now())
	switch decision.Step {
	case lifecycle.StartCycle, lifecycle.RetryDelivery:
		return settled(r.send(ctx, d, s, decision.Step == lifecycle.StartCycle))
	case lifecycle.FollowDelivery:
		return settled(ctrl.Result{}, r.follow(ctx, d, s))
	case lifecycle.ExpireEvent:
		return settled(ctrl.Result{}, r.expire(ctx, d, s))
	case lifecycle.RemoveEvent:
		return ctrl.Result{}, client.IgnoreNotFound(r.Client.Delete(ctx, d))
	default:
		return settled(r.wait(decision), r.saveEvent(ctx, d.DeepCopy(), d, s, lifecycle.Obstacle{}))
	}
}

// subscription returns the one that a delivery is for: nil where it does not exist, or is another of the same name.
func (r *EventDeliveryReconciler) subscription(ctx context.Context, d *v1alpha1.EventDelivery) (*v1alpha1.EventSubscription, error) {
	s := &v1alpha1.EventSubscription{}
	err := r.Client.Get(ctx, types.NamespacedName{Namespace: d.Namespace, Name: d.Spec.SubscriptionRef.Name}, s)
	if apierrors.IsNotFound(err) {
		return nil, nil //nolint:nilnil // a subscription that is gone is no error
	}
	if err != nil {
		return nil, fmt.Errorf("reading the subscription: %w", err)
	}
	for _, owner := range d.OwnerReferences {
		if owner.UID == s.UID {
			return s, nil
		}
	}
	return nil, nil //nolint:nilnil // see above
}

// send makes the next attempt: what it needs is looked up, the attempt is written ahead, and only then is anything sent.
func (r *EventDeliveryReconciler) send(
	ctx context.Context, d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, fresh bool,
) (ctrl.Result, error) {
	slot := r.Deliveries.Acquire(client.ObjectKeyFromObject(d), egress.Host(s.Spec.URL))
	if slot == nil {
		return r.waitForPlace(ctx, d, s)
	}
	defer slot.Release()
	target, obstacle, err := r.target(ctx, s)
	if err != nil {
		return ctrl.Result{}, err
	}
	if obstacle.Reason != "" {
		return r.obstructed(ctx, d, s, obstacle)
	}
	old := d.DeepCopy()
	attempt := lifecycle.Sender{ID: uuid.NewString(), Holder: r.Holder}
	lifecycle.BeginEvent(d, attempt, fresh, r.Clock.Now())
	if err := r.saveEvent(ctx, old, d, s, lifecycle.Obstacle{}); err != nil {
		return ctrl.Result{}, err
	}
	message := eventhook.Message{ID: d.Name, Type: lifecycle.EventKindOf(d.Spec.Type).Name, Body: []byte(d.Spec.Body)}
	ctx, finish := eventAttemptSpan(ctx, d)
	slot.Go(ctx, attempt.ID, func(ctx context.Context) publish.Outcome {
		return finish(eventhook.Send(ctx, r.HTTP, r.Clock, target, message))
	})
	return ctrl.Result{}, nil
}

// target reads the subscription's secrets. A previous one that is gone is no obstacle: the rotation is over.
func (r *EventDeliveryReconciler) target(ctx context.Context, s *v1alpha1.EventSubscription) (eventhook.Target, lifecycle.Obstacle, error) {
	target := eventhook.Target{URL: s.Spec.URL}
	key, obstacle, err := r.signingKey(ctx, s.Namespace, s.Spec.SigningSecretRef)
	if err != nil || obstacle.Reason != "" {
		return target, obstacle, err
	}
	target.Keys = [][]byte{key}
	if s.Spec.PreviousSigningSecretRef == nil {
		return target, obstacle, nil
	}
	previous, missing, err := r.signingKey(ctx, s.Namespace, *s.Spec.PreviousSigningSecretRef)
	if err == nil && missing.Reason == "" {
		target.Keys = append(target.Keys, previous)
	}
	return target, obstacle, err
}

// signingKey reads a signing secret, or says what is wrong with it.
func (b *Base) signingKey(ctx context.Context, namespace string, ref v1alpha1.SecretKeyReference) ([]byte, lifecycle.Obstacle, error) {
	secret, obstacle, err := secretValue(ctx, b.Live, namespace, ref)
	if err != nil || obstacle.Reason != "" {
		return nil, obstacle, err
	}
	key, err := eventhook.ParseSecret(string(secret))
	if err != nil {
		return nil, lifecycle.Obstacle{
			Reason: v1alpha1.ReasonInvalidSecret, Message: fmt.Sprintf("Secret %q, key %q: %s", ref.Name, ref.Key, err),
		}, nil
	}
	return key, lifecycle.Obstacle{}, nil
}

// obstructed says what keeps the attempt from starting, and tries again later, but not for ever.
func (r *EventDeliveryReconciler) obstructed(
	ctx context.Context, d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, o lifecycle.Obstacle,
) (ctrl.Result, error) {
	if lifecycle.EventExpired(d, r.Clock.Now()) {
		return ctrl.Result{}, r.expire(ctx, d, s)
	}
	return ctrl.Result{RequeueAfter: obstaclePoll}, r.saveEvent(ctx, d.DeepCopy(), d, s, o)
}

// follow looks after an attempt that status says is on the wire.
func (r *EventDeliveryReconciler) follow(ctx context.Context, d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription) error {
	outcome, state := r.Deliveries.Look(lifecycle.AttemptUnderWay(&d.Status.DeliveryRecord).ID)
	if state == inflight.Running {
		return nil
	}
	ended := ended(outcome)
	if state == inflight.Unknown {
		ended = lifecycle.Interrupted()
	}
	return r.recordEvent(ctx, d, s, ended)
}

// saveEvent writes a delivery's status, with its conditions made anew, where anything in it has changed.
func (r *EventDeliveryReconciler) saveEvent(
	ctx context.Context, old, d *v1alpha1.EventDelivery, s *v1alpha1.EventSubscription, found lifecycle.Obstacle,
) error {
	lifecycle.SummarizeEvent(d, s, r.Clock.Now(), found)
	if equality.Semantic.DeepEqual(old.Status, d.Status) {
		return nil
	}
	patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
	if err := r.Client.Status().Patch(ctx, d, patch); err != nil {
		return fmt.Errorf("writing the delivery's status: %w", err)
	}
	return nil
}

// SetupWithManager registers the controller.
func (r *EventDeliveryReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("eventdelivery").
		For(&v1alpha1.EventDelivery{}).
		Watches(&v1alpha1.EventSubscription{}, handler.EnqueueRequestsFromMapFunc(r.waitingOfSubscription),
			builder.WithPredicates(mayDeliverAgain())).
		WatchesRawSource(wakeUps(r.Deliveries)).
		WithOptions(controller.Options{MaxConcurrentReconciles: 8}).
		Complete(r)
}
