package article

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// The cache's indexes of articles.
const (
	siteIndex    = "siteRef"
	waitingIndex = "waitingForAccount"
)

// Index makes the indexes that the watches use to find articles.
func Index(ctx context.Context, indexer client.FieldIndexer) error {
	if err := post.Index(ctx, indexer); err != nil {
		return err
	}
	if err := indexer.IndexField(ctx, &v1alpha1.Article{}, siteIndex, func(obj client.Object) []string {
		a, ok := obj.(*v1alpha1.Article)
		if !ok {
			return nil
		}
		return []string{a.Spec.SiteRef.Name}
	}); err != nil {
		return err
	}
	if err := base.IndexIf(ctx, indexer, &v1alpha1.Article{}, base.SecretIndex, waitsForSecret); err != nil {
		return err
	}
	return base.IndexIf(ctx, indexer, &v1alpha1.Article{}, waitingIndex, waitsForAccount)
}

// waitsForAccount reports whether a step waits for the account or the workspace, or is suspended: accounts can be suspended too.
func waitsForAccount(a *v1alpha1.Article) bool {
	return lifecycle.Awaits(a, conditions.NeedAccount) || lifecycle.Awaits(a, conditions.NeedResume)
}

// articlesOfSite maps a site to its articles.
func (r *Reconciler) articlesOfSite(ctx context.Context, site client.Object) []ctrl.Request {
	return r.articles(ctx, client.InNamespace(site.GetNamespace()), client.MatchingFields{siteIndex: site.GetName()})
}

// waitingInNamespace maps a namespace to its articles that wait for the account.
func (r *Reconciler) waitingInNamespace(ctx context.Context, ns client.Object) []ctrl.Request {
	return r.articles(ctx, client.InNamespace(ns.GetName()), client.MatchingFields{waitingIndex: "true"})
}

// waitingOfAccount maps an account, or its ledger, to its articles that wait for it.
func (r *Reconciler) waitingOfAccount(ctx context.Context, account client.Object) []ctrl.Request {
	workspaces, err := r.Workspaces(ctx, account.GetName())
	if err != nil {
		log.FromContext(ctx).Error(err, "listing workspaces")
		return nil
	}
	requests := make([]ctrl.Request, 0, len(workspaces))
	for i := range workspaces {
		requests = append(requests, r.waitingInNamespace(ctx, &workspaces[i])...)
	}
	return requests
}

func (r *Reconciler) articles(ctx context.Context, opts ...client.ListOption) []ctrl.Request {
	return r.Requests(ctx, &v1alpha1.ArticleList{}, opts...)
}

// waitsForSecret reports whether a run or an attempt to publish waits for a Secret.
func waitsForSecret(a *v1alpha1.Article) bool { return lifecycle.Awaits(a, conditions.NeedSecret) }

// siteChanged passes changes of a site that may decide something for its articles: changes of its spec, and the end of its being
// restored.
func siteChanged() predicate.Predicate {
	return predicate.Or[client.Object](predicate.GenerationChangedPredicate{}, predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		old, was := e.ObjectOld.(*v1alpha1.Site)
		site, is := e.ObjectNew.(*v1alpha1.Site)
		return !was || !is || old.Restored() != site.Restored()
	}})
}

// allowsMore passes changes of a ledger after which a waiting run may start. Most charges are no such change.
func allowsMore() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		old, was := e.ObjectOld.(*v1alpha1.AccountLedger)
		ledger, is := e.ObjectNew.(*v1alpha1.AccountLedger)
		return !was || !is || ledger.Spec.CreditsUsed < old.Spec.CreditsUsed || ledger.Spec.Day != old.Spec.Day
	}}
}
