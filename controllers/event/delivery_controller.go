package event

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/eventdelivery"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// DeliveryReconciler has the delivery engine send events to their subscriptions, and removes deliveries that ended long ago.
type DeliveryReconciler struct {
	base.Base
	// Engine makes the attempts. Its slots are not those of publishing, so that neither delays the other.
	Engine *attempt.Engine[publish.Outcome]
	// HTTP reaches public addresses only.
	HTTP *http.Client
	// RetryDelays are the waits before the retries, before jitter.
	RetryDelays []time.Duration
	// Eviction bounds how many deliveries an account has.
	Eviction *Eviction
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=eventdeliveries/status,verbs=update
// +kubebuilder:rbac:groups=pressroom.dev,resources=eventsubscriptions/status,verbs=update
// +kubebuilder:rbac:groups="",resources=secrets,verbs=get

// Reconcile does the delivery's next step.
func (r *DeliveryReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	defer r.Engine.Calls.Begin(req.NamespacedName)()
	d := &v1alpha1.EventDelivery{}
	if err := r.Client.Get(ctx, req.NamespacedName, d); err != nil {
		if apierrors.IsNotFound(err) {
			r.Engine.Calls.Drop(req.NamespacedName)
			r.Eviction.forget(req.NamespacedName)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	r.Engine.Calls.DropOthers(req.NamespacedName, d.UID)
	r.Engine.Calls.Forget(cycles.Ended(&d.Status.DeliveryRecord)...)
	subscription, err := r.subscription(ctx, d)
	if err != nil {
		return ctrl.Result{}, err
	}
	s := &subject{reconciler: r, delivery: d, stored: d.DeepCopy(), subscription: subscription}
	if err := r.bound(ctx, d); err != nil {
		return ctrl.Result{}, err
	}
	result, err := r.do(ctx, s)
	return base.Finish(result, err, func(b *lifecycle.BlockedError) error { return s.saveBlocked(ctx, b) })
}

// bound removes deliveries of the account if it has too many.
func (r *DeliveryReconciler) bound(ctx context.Context, d *v1alpha1.EventDelivery) error {
	name, err := r.Account(ctx, d.Namespace)
	if err != nil {
		return err
	}
	account := &v1alpha1.Account{}
	if name != "" {
		err := r.Client.Get(ctx, types.NamespacedName{Name: name}, account, client.UnsafeDisableDeepCopy)
		if client.IgnoreNotFound(err) != nil {
			return fmt.Errorf("reading the account: %w", err)
		}
	}
	for _, key := range r.Eviction.add(cmp.Or(name, d.Namespace), int(account.Spec.Limits.MostEventDeliveries()), d) {
		over := &v1alpha1.EventDelivery{ObjectMeta: metav1.ObjectMeta{Namespace: key.Namespace, Name: key.Name}}
		err := client.IgnoreNotFound(r.Client.Delete(ctx, over))
		if err != nil && !base.IsRefused(err) {
			return fmt.Errorf("removing a delivery of an account that has too many: %w", err)
		}
		if err != nil { // The deliveries of other workspaces of the account go on.
			log.FromContext(ctx).Info("a delivery of an account that has too many stays", "delivery", key, "error", err.Error())
		}
	}
	return nil
}

// do does the delivery's next step.
func (r *DeliveryReconciler) do(ctx context.Context, s *subject) (ctrl.Result, error) {
	decision := eventdelivery.Next(s.delivery, s.subscription, r.Clock.Now())
	if err := r.unlessSuspended(ctx, s.delivery, decision.Step); err != nil {
		return ctrl.Result{}, err
	}
	switch decision.Step {
	case lifecycle.BeginCycle, lifecycle.RetryCycle:
		s.fresh = decision.Step == lifecycle.BeginCycle
		_, err := r.Engine.Start(ctx, s)
		return ctrl.Result{}, err
	case lifecycle.FollowCycle:
		_, _, err := r.Engine.Follow(ctx, s)
		return ctrl.Result{}, err
	case eventdelivery.Expire:
		return ctrl.Result{}, s.expire(ctx)
	case eventdelivery.Remove:
		return ctrl.Result{}, client.IgnoreNotFound(r.Client.Delete(ctx, s.delivery))
	default:
		return r.Until(decision), s.save(ctx)
	}
}

// subscription returns the subscription of a delivery; nil if it does not exist, or is another one of the same name.
func (r *DeliveryReconciler) subscription(ctx context.Context, d *v1alpha1.EventDelivery) (*v1alpha1.EventSubscription, error) {
	key := types.NamespacedName{Namespace: d.Namespace, Name: d.Spec.SubscriptionRef.Name}
	s, err := base.Read[v1alpha1.EventSubscription](ctx, r.Client, key)
	if s != nil && !slices.ContainsFunc(d.OwnerReferences, func(owner metav1.OwnerReference) bool { return owner.UID == s.UID }) {
		return nil, nil
	}
	return s, err
}

// RestoreCooldown starts the cooldown of a subscription's host that the status of a delivery has from an earlier process. It is called for
// each delivery before the first one is reconciled.
func (r *DeliveryReconciler) RestoreCooldown(ctx context.Context, e event.CreateEvent) {
	d, ok := e.Object.(*v1alpha1.EventDelivery)
	if !ok {
		return
	}
	wait := cycles.Cooldown(&d.Status.DeliveryRecord, r.Clock.Now())
	if wait == 0 {
		return
	}
	s, err := r.subscription(ctx, d)
	if err == nil && s != nil {
		var request inflight.SlotRequest
		request, err = r.SlotRequest(ctx, d.Namespace, egress.Host(s.Spec.URL))
		r.Engine.Calls.CoolDown(request, wait)
	}
	if err != nil {
		log.FromContext(ctx).Error(err, "restoring the cooldown of a host")
	}
}

// The cache's indexes of the deliveries that may have more attempts: by subscription, and by site. anySite has all of a workspace.
const (
	activeIndex     = "activeOfSubscription"
	activeSiteIndex = "activeOfSite"
	anySite         = "*"
)

// Index makes the indexes that the watches use to find deliveries.
func Index(ctx context.Context, indexer client.FieldIndexer) error {
	return errors.Join(
		base.Index(ctx, indexer, base.SecretIndex, func(d *v1alpha1.EventDelivery) []string {
			return base.Flag(eventdelivery.Awaits(d, conditions.NeedSecret))
		}),
		base.Index(ctx, indexer, activeIndex, func(d *v1alpha1.EventDelivery) []string {
			if eventdelivery.Unfinished(d) {
				return []string{d.Spec.SubscriptionRef.Name}
			}
			return nil
		}),
		base.Index(ctx, indexer, activeSiteIndex, func(d *v1alpha1.EventDelivery) []string {
			if eventdelivery.Unfinished(d) {
				return []string{anySite, d.Spec.SiteRef.Name}
			}
			return nil
		}),
	)
}

// activeOfSubscription maps a subscription to its deliveries that may have more attempts.
func (r *DeliveryReconciler) activeOfSubscription(ctx context.Context, s client.Object) []ctrl.Request {
	return r.Requests(ctx, &v1alpha1.EventDeliveryList{},
		client.InNamespace(s.GetNamespace()), client.MatchingFields{activeIndex: s.GetName()})
}

// activeOfSite maps a site to the deliveries of its events that may have more attempts.
func (r *DeliveryReconciler) activeOfSite(ctx context.Context, site client.Object) []ctrl.Request {
	return r.Requests(ctx, &v1alpha1.EventDeliveryList{},
		client.InNamespace(site.GetNamespace()), client.MatchingFields{activeSiteIndex: site.GetName()})
}

// activeOfAccount maps an account to the deliveries in its workspaces that may have more attempts.
func (r *DeliveryReconciler) activeOfAccount(ctx context.Context, account client.Object) []ctrl.Request {
	return r.RequestsOfAccount(ctx, account.GetName(), &v1alpha1.EventDeliveryList{}, client.MatchingFields{activeSiteIndex: anySite})
}

// activeInNamespace maps a namespace to its deliveries that may have more attempts.
func (r *DeliveryReconciler) activeInNamespace(ctx context.Context, ns client.Object) []ctrl.Request {
	return r.Requests(ctx, &v1alpha1.EventDeliveryList{},
		client.InNamespace(ns.GetName()), client.MatchingFields{activeSiteIndex: anySite})
}

// sendingChanged reports whether a delivery may go on, or must stop, after a change of its subscription.
func sendingChanged(old, s *v1alpha1.EventSubscription) bool {
	return old.Generation != s.Generation || old.Suspended() != s.Suspended()
}

// siteSuspensionChanged reports the beginning and the end of a site's suspension.
func siteSuspensionChanged(old, site *v1alpha1.Site) bool {
	return old.Spec.Suspend != site.Spec.Suspend || old.Restored() != site.Restored()
}

// accountChanged reports that a namespace belongs to another account.
func accountChanged(old, ns *metav1.PartialObjectMetadata) bool {
	return old.Labels[v1alpha1.AccountLabel] != ns.Labels[v1alpha1.AccountLabel]
}

// SetupWithManager registers the controller.
func (r *DeliveryReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return r.NewController(mgr, "eventdelivery", base.Workers).
		For(&v1alpha1.EventDelivery{}).
		Watches(&v1alpha1.EventDelivery{}, base.Created(r.RestoreCooldown)).
		Watches(&v1alpha1.EventSubscription{}, handler.EnqueueRequestsFromMapFunc(r.activeOfSubscription), base.Changed(sendingChanged)).
		Watches(&v1alpha1.Site{}, handler.EnqueueRequestsFromMapFunc(r.activeOfSite), base.Changed(siteSuspensionChanged)).
		Watches(&v1alpha1.Account{}, handler.EnqueueRequestsFromMapFunc(r.activeOfAccount), base.Changed(base.SuspendChanged)).
		WatchesMetadata(base.NamespaceMetadata(), handler.EnqueueRequestsFromMapFunc(r.activeInNamespace), base.Changed(accountChanged)).
		WatchesRawSource(base.DueFirst(
			r.Client, &v1alpha1.EventDeliveryList{}, eventdelivery.DueAt, client.MatchingFields{activeSiteIndex: anySite})).
		WatchesRawSource(base.Notifications(r.Engine.Calls)).
		WatchesRawSource(r.SecretsFound(&v1alpha1.EventDeliveryList{})).
		Complete(r)
}

// DeliveryMetrics are the metrics of the engine for events.
var DeliveryMetrics = attempt.Metrics{
	Attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_event_delivery_attempts_total",
		Help: "Attempts to deliver an event to a subscription that have ended, by outcome.",
	}, []string{"outcome"}),
	Seconds: base.RequestSeconds(prometheus.HistogramOpts{
		Name: "pressroom_event_delivery_attempt_duration_seconds", Help: "How long attempts to deliver an event took.",
	}),
	Lateness: base.AttemptLateness.WithLabelValues(base.KindEvent),
}

var eventDeliveriesEnded = base.StartAtZero(prometheus.NewCounterVec(prometheus.CounterOpts{
	Name: "pressroom_event_deliveries_total",
	Help: "Deliveries of an event to a subscription that have ended, after all their retries, by outcome.",
}, []string{"outcome"}), v1alpha1.ReasonExpired)

// Collectors returns the metrics of events.
func Collectors() []prometheus.Collector {
	return []prometheus.Collector{DeliveryMetrics.Attempts, DeliveryMetrics.Seconds, eventDeliveriesEnded}
}
