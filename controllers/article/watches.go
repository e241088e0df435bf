package article

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
)

// SetupWithManager registers the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("article").
		For(&v1alpha1.Article{}).
		Watches(&v1alpha1.Article{}, base.Created(r.Rest)).
		Watches(&v1alpha1.Site{}, handler.EnqueueRequestsFromMapFunc(r.articlesOfSite), builder.WithPredicates(siteChanged())).
		Watches(&v1alpha1.Account{}, handler.EnqueueRequestsFromMapFunc(r.waitingOfAccount),
			builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&v1alpha1.Account{}, handler.EnqueueRequestsFromMapFunc(r.roomChanged),
			builder.WithPredicates(predicate.GenerationChangedPredicate{})).
		Watches(&v1alpha1.AccountLedger{}, handler.EnqueueRequestsFromMapFunc(r.waitingOfAccount), builder.WithPredicates(created())).
		Watches(&v1alpha1.AccountLedger{}, handler.EnqueueRequestsFromMapFunc(r.roomChanged)).
		WatchesMetadata(base.NamespaceMetadata(), handler.EnqueueRequestsFromMapFunc(r.waitingInNamespace)).
		WatchesRawSource(base.Notifications(r.Generation.Runs)).
		WatchesRawSource(base.Added(r.Generation.waiting)).
		WatchesRawSource(base.Notifications(r.Publication.Engine.Calls)).
		WatchesRawSource(base.Notifications(r.content.Images.Calls)).
		WatchesRawSource(r.SecretsFound(&v1alpha1.ArticleList{})).
		WithOptions(r.Fair(Workers)).
		Complete(r)
}

// Rest has the host of a site rest, if the status of an article says that it asked an earlier process for that: the others begin no
// attempt before its time. It is called for each article before the first one is reconciled.
func (r *Reconciler) Rest(ctx context.Context, e event.CreateEvent) {
	a, ok := e.Object.(*v1alpha1.Article)
	if !ok || a.Status.Publication == nil {
		return
	}
	wait := attempts.Rest(&a.Status.Publication.DeliveryRecord, r.Clock.Now())
	if wait == 0 {
		return
	}
	site := &v1alpha1.Site{}
	err := r.Client.Get(ctx, client.ObjectKey{Namespace: a.Namespace, Name: a.Spec.SiteRef.Name}, site)
	if err == nil && connectors.ModeOf(site) == lifecycle.Push {
		var request inflight.SlotRequest
		request, err = r.SlotRequest(ctx, a.Namespace, connectors.For(site).Connection(site).Host)
		r.Publication.Engine.Calls.Rest(request, wait)
	}
	if client.IgnoreNotFound(err) != nil {
		log.FromContext(ctx).Error(err, "looking for the host that rests")
	}
}

// articlesOfSite maps a site to its articles.
func (r *Reconciler) articlesOfSite(ctx context.Context, site client.Object) []ctrl.Request {
	return r.articles(ctx, client.InNamespace(site.GetNamespace()), client.MatchingFields{siteIndex: site.GetName()})
}

// waitingInNamespace maps a namespace to its articles that wait for the account.
func (r *Reconciler) waitingInNamespace(ctx context.Context, ns client.Object) []ctrl.Request {
	return r.articles(ctx, client.InNamespace(ns.GetName()), client.MatchingFields{waitingIndex: waitingAny})
}

// roomChanged notifies the articles for which an account, or its ledger, has room now.
func (r *Reconciler) roomChanged(ctx context.Context, account client.Object) []ctrl.Request {
	if err := r.Generation.roomChanged(ctx, account.GetName()); err != nil {
		log.FromContext(ctx).Error(err, "looking for runs that can begin")
	}
	return nil
}

// waitingOfAccount maps an account, or its ledger, to its articles that wait for it and stand in no line.
func (r *Reconciler) waitingOfAccount(ctx context.Context, account client.Object) []ctrl.Request {
	workspaces, err := r.Workspaces(ctx, account.GetName())
	if err != nil {
		log.FromContext(ctx).Error(err, "listing workspaces")
		return nil
	}
	requests := make([]ctrl.Request, 0, len(workspaces))
	for i := range workspaces {
		alone := client.MatchingFields{waitingIndex: waitingAlone}
		requests = append(requests, r.articles(ctx, client.InNamespace(workspaces[i].Name), alone)...)
	}
	return requests
}

func (r *Reconciler) articles(ctx context.Context, opts ...client.ListOption) []ctrl.Request {
	return r.Requests(ctx, &v1alpha1.ArticleList{}, opts...)
}

// siteChanged passes changes of a site that may decide something for its articles: changes of its spec, and the end of its being
// restored.
func siteChanged() predicate.Predicate {
	return predicate.Or[client.Object](predicate.GenerationChangedPredicate{}, predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		old, was := e.ObjectOld.(*v1alpha1.Site)
		site, is := e.ObjectNew.(*v1alpha1.Site)
		return !was || !is || old.Restored() != site.Restored()
	}})
}

// created passes objects that are new.
func created() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(event.UpdateEvent) bool { return false }}
}
