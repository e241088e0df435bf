package controllers

import (
	"context"
	"net/http"
	"time"

	"github.com/google/uuid"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// PublicationReconciler delivers approved articles: it writes the attempt ahead, sends apart from the reconcile, and
// records what came back.
type PublicationReconciler struct {
	Base
	// Deliveries is the work that is on the wire.
	Deliveries *inflight.Tracker[publish.Outcome]
	// HTTP reaches public addresses only.
	HTTP *http.Client
	// RetryDelays are the waits before the retries, before jitter.
	RetryDelays []time.Duration
}

// Reconcile does the article's next step where it is this controller's.
func (r *PublicationReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	defer r.Deliveries.ReleaseUnused(req.NamespacedName)
	article, site, err := r.load(ctx, req.NamespacedName)
	if err != nil {
		return ctrl.Result{}, err
	}
	if article == nil {
		r.Deliveries.Drop(req.NamespacedName)
		return ctrl.Result{}, nil
	}
	if p := article.Status.Publication; p != nil {
		forgetEnded(r.Deliveries, p.Attempts)
	}
	decision := lifecycle.Next(article, site, connectors.ModeOf(site), r.Clock.Now())
	switch decision.Step {
	case lifecycle.Wait:
		return r.wait(decision), nil
	case lifecycle.StartCycle, lifecycle.RetryDelivery:
		return settled(r.send(ctx, article, site, decision.Step == lifecycle.StartCycle))
	case lifecycle.FollowDelivery:
		return settled(ctrl.Result{}, r.follow(ctx, article, site))
	default:
		return ctrl.Result{}, nil
	}
}

// send makes the next attempt: everything that it needs is looked up first, the attempt is written ahead, and only then
// is anything sent.
func (r *PublicationReconciler) send(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, fresh bool) (ctrl.Result, error) {
	connector := connectors.For(site)
	connection := connector.Connection(site)
	slot := r.Deliveries.Acquire(client.ObjectKeyFromObject(a), connection.Host)
	if slot == nil {
		return r.waitForPlace(ctx, a, site, connection)
	}
	defer slot.Release()
	target, obstacle, err := r.connect(ctx, r.HTTP, site, connection)
	if err != nil {
		return ctrl.Result{}, err
	}
	if obstacle.Reason != "" {
		return r.obstructed(ctx, a, site, obstacle)
	}
	payload, err := r.payload(ctx, a)
	if err != nil {
		return ctrl.Result{}, err
	}
	old := a.DeepCopy()
	attempt := lifecycle.Sender{ID: uuid.NewString(), Holder: r.Holder}
	lifecycle.BeginDelivery(a, attempt, fresh, r.Clock.Now())
	if err := r.save(ctx, old, a, site, lifecycle.Obstacles{}); err != nil {
		return ctrl.Result{}, err
	}
	ctx, finish := deliverySpan(ctx, a)
	slot.Go(ctx, attempt.ID, func(ctx context.Context) publish.Outcome { return finish(connector.Publish(ctx, target, payload)) })
	return ctrl.Result{}, nil
}

// obstructed says what keeps the attempt from starting, and tries again later.
func (r *PublicationReconciler) obstructed(
	ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, o lifecycle.Obstacle,
) (ctrl.Result, error) {
	return ctrl.Result{RequeueAfter: obstaclePoll}, r.save(ctx, a.DeepCopy(), a, site, lifecycle.Obstacles{Publication: o})
}

// follow looks after an attempt that status says is on the wire.
func (r *PublicationReconciler) follow(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site) error {
	outcome, state := r.Deliveries.Look(lifecycle.AttemptUnderWay(&a.Status.Publication.DeliveryRecord).ID)
	if state == inflight.Running {
		return nil
	}
	ended := ended(outcome)
	if state == inflight.Unknown {
		ended = lifecycle.Interrupted()
	}
	return r.record(ctx, a, site, outcome, ended)
}

// forgetEnded drops the outcomes that status tells of. It does not depend on how the writing of status ended: its answer may
// have been lost.
func forgetEnded(deliveries *inflight.Tracker[publish.Outcome], attempts []v1alpha1.DeliveryAttempt) {
	for i := range attempts {
		if attempts[i].Outcome != v1alpha1.AttemptInProgress {
			deliveries.Forget(attempts[i].ID)
		}
	}
}

// SetupWithManager registers the controller.
func (r *PublicationReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("publication").
		For(&v1alpha1.Article{}).
		Watches(&v1alpha1.Site{}, handler.EnqueueRequestsFromMapFunc(r.articlesOfSite), builder.WithPredicates(newSpec())).
		WatchesRawSource(wakeUps(r.Deliveries)).
		WithOptions(controller.Options{MaxConcurrentReconciles: 8}).
		Complete(r)
}
