package article

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/due"
)

// SetupWithManager registers the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return r.NewController(mgr, "article", Workers).
		For(&v1alpha1.Article{}).
		Watches(&v1alpha1.Article{}, base.Created(r.RestoreCooldown)).
		Watches(&v1alpha1.Site{}, handler.EnqueueRequestsFromMapFunc(r.articlesOfSite), base.Changed(siteChanged)).
		Watches(&v1alpha1.Account{}, handler.EnqueueRequestsFromMapFunc(r.waitingOfAccount), base.SpecChanged).
		Watches(&v1alpha1.Account{}, handler.EnqueueRequestsFromMapFunc(r.lackingCredits), base.SpecChanged).
		Watches(&v1alpha1.AccountLedger{}, handler.EnqueueRequestsFromMapFunc(r.waitingOfAccount), base.CreatedOrDeleted).
		Watches(&v1alpha1.AccountLedger{}, handler.EnqueueRequestsFromMapFunc(r.lackingCredits)).
		WatchesMetadata(base.NamespaceMetadata(), handler.EnqueueRequestsFromMapFunc(r.waitingInNamespace)).
		WatchesRawSource(base.DueFirst(r.Client, &v1alpha1.ArticleList{}, dueSince, client.MatchingFields{unfinishedIndex: "true"})).
		WatchesRawSource(base.Notifications(r.Generation.Engine.Calls)).
		WatchesRawSource(base.Notifications(r.Publication.Engine.Calls)).
		WatchesRawSource(base.Notifications(r.content.Images.Engine.Calls)).
		WatchesRawSource(r.SecretsFound(&v1alpha1.ArticleList{})).
		Complete(r)
}

// dueSince returns when the next attempt of an article became due, or becomes so; zero if the article does not say. Of an article with a
// text, that is the attempt to publish it: due.Run would say when the article was created.
func dueSince(a *v1alpha1.Article) time.Time { return cmp.Or(due.Publication(a), due.Run(a)) }

// RestoreCooldown starts the cooldown of a site's host that the status of an article has from an earlier process: the other articles begin
// no attempt before its end. It is called for each article before the first one is reconciled.
func (r *Reconciler) RestoreCooldown(ctx context.Context, e event.CreateEvent) {
	a, ok := e.Object.(*v1alpha1.Article)
	if !ok || a.Status.Publication == nil {
		return
	}
	wait := cycles.Cooldown(&a.Status.Publication.DeliveryRecord, r.Clock.Now())
	if wait == 0 {
		return
	}
	site := &v1alpha1.Site{}
	err := r.Client.Get(ctx, client.ObjectKey{Namespace: a.Namespace, Name: a.Spec.SiteRef.Name}, site)
	if err == nil && connectors.ModeOf(site) == lifecycle.Push {
		var request inflight.SlotRequest
		request, err = r.SlotRequest(ctx, a.Namespace, connectors.For(site).Connection(site).Host)
		r.Publication.Engine.Calls.CoolDown(request, wait)
	}
	if client.IgnoreNotFound(err) != nil {
		log.FromContext(ctx).Error(err, "restoring the cooldown of a host")
	}
}

// articlesOfSite maps a site to its articles.
func (r *Reconciler) articlesOfSite(ctx context.Context, site client.Object) []ctrl.Request {
	return r.Requests(ctx, &v1alpha1.ArticleList{},
		client.InNamespace(site.GetNamespace()), client.MatchingFields{siteIndex: site.GetName()})
}

// waitingInNamespace maps a namespace to its articles that wait for the account.
func (r *Reconciler) waitingInNamespace(ctx context.Context, ns client.Object) []ctrl.Request {
	return r.Requests(ctx, &v1alpha1.ArticleList{}, client.InNamespace(ns.GetName()), client.MatchingFields{waitingIndex: waitingAny})
}

const (
	// creditsAtOnce is how many of the articles that wait for credits are reconciled when there are some. Each run that begins changes the
	// ledger, which leads to the next ones.
	creditsAtOnce = 64
	// creditsLooked is how many of them, in each workspace, are looked at for the oldest.
	creditsLooked = 1000
)

// lackingCredits maps an account, or its ledger, to the oldest of its articles that wait for credits, if it has some now.
func (r *Reconciler) lackingCredits(ctx context.Context, account client.Object) []ctrl.Request {
	left, err := r.Generation.creditsLeft(ctx, account.GetName())
	if err == nil && left == 0 {
		return nil
	}
	workspaces, failed := r.Workspaces(ctx, account.GetName())
	err = errors.Join(err, failed)
	var waiting []*v1alpha1.Article
	for i := range workspaces {
		var list v1alpha1.ArticleList
		err = errors.Join(err, r.Client.List(ctx, &list, client.InNamespace(workspaces[i].Name), client.UnsafeDisableDeepCopy,
			client.MatchingFields{waitingIndex: waitingForCredits}, client.Limit(creditsLooked)))
		for j := range list.Items {
			waiting = append(waiting, &list.Items[j])
		}
	}
	if err != nil {
		log.FromContext(ctx).Error(err, "looking for runs that can begin")
	}
	slices.SortFunc(waiting, func(a, b *v1alpha1.Article) int { return a.CreationTimestamp.Compare(b.CreationTimestamp.Time) })
	var requests []ctrl.Request
	for _, a := range waiting[:min(len(waiting), creditsAtOnce)] {
		requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(a)})
	}
	return requests
}

// waitingOfAccount maps an account, or its ledger, to its articles that wait for it, but for those that wait for credits.
func (r *Reconciler) waitingOfAccount(ctx context.Context, account client.Object) []ctrl.Request {
	return r.RequestsOfAccount(ctx, account.GetName(), &v1alpha1.ArticleList{}, client.MatchingFields{waitingIndex: waitingForOther})
}

// siteChanged reports changes of a site that may decide something for its articles: changes of its spec, and the end of its being restored.
func siteChanged(old, site *v1alpha1.Site) bool {
	return old.Generation != site.Generation || old.Restored() != site.Restored()
}

// The cache's indexes of articles.
const (
	siteIndex       = "siteRef"
	waitingIndex    = "waitingForAccount"
	unfinishedIndex = "unfinished"
)

// Index makes the indexes that the watches use to find articles.
func Index(ctx context.Context, indexer client.FieldIndexer) error {
	return errors.Join(
		post.Index(ctx, indexer),
		base.Index(ctx, indexer, siteIndex, func(a *v1alpha1.Article) []string {
			return []string{a.Spec.SiteRef.Name}
		}),
		base.Index(ctx, indexer, base.SecretIndex, func(a *v1alpha1.Article) []string {
			return base.Flag(lifecycle.Awaits(a, conditions.NeedSecret))
		}),
		base.Index(ctx, indexer, unfinishedIndex, func(a *v1alpha1.Article) []string {
			return base.Flag(lifecycle.Unfinished(a))
		}),
		base.Index(ctx, indexer, waitingIndex, func(a *v1alpha1.Article) []string {
			switch {
			case !waitsForAccount(a):
				return nil
			case lacksCredits(a):
				return []string{waitingAny, waitingForCredits}
			default:
				return []string{waitingAny, waitingForOther}
			}
		}),
	)
}

// The values of waitingIndex: all articles that wait for the account, those that wait for credits, and the others.
const (
	waitingAny        = "any"
	waitingForCredits = "credits"
	waitingForOther   = "other"
)

// waitsForAccount reports whether a step waits for the account or the workspace, or is suspended: accounts can be suspended too.
func waitsForAccount(a *v1alpha1.Article) bool {
	return lifecycle.Awaits(a, conditions.NeedAccount) || lifecycle.Awaits(a, conditions.NeedResume)
}

// lacksCredits reports whether status says that a run waits for credits.
func lacksCredits(a *v1alpha1.Article) bool {
	c := meta.FindStatusCondition(a.Status.Conditions, v1alpha1.ConditionGenerated)
	return c != nil && c.Reason == v1alpha1.ReasonInsufficientCredits
}
