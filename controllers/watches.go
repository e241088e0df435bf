package controllers

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

var namespaceKind = schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}

// namespaceMetadata is the object by which namespaces are watched: only their metadata is needed.
func namespaceMetadata() *metav1.PartialObjectMetadata {
	ns := &metav1.PartialObjectMetadata{}
	ns.SetGroupVersionKind(namespaceKind)
	return ns
}

// workspaces returns the namespaces of an account, from the cache.
func (b *Base) workspaces(ctx context.Context, account string) ([]metav1.PartialObjectMetadata, error) {
	var list metav1.PartialObjectMetadataList
	list.SetGroupVersionKind(namespaceKind)
	if err := b.Client.List(ctx, &list, client.MatchingLabels{v1alpha1.AccountLabel: account}); err != nil {
		return nil, fmt.Errorf("listing the workspaces: %w", err)
	}
	return list.Items, nil
}

// secretIndex is the cache's index of articles and event deliveries that wait for a Secret: the value is "true".
const secretIndex = "waitingForSecret"

// The cache's indexes of articles.
const (
	siteIndex    = "siteRef"
	waitingIndex = "waitingForAccount"
)

// IndexArticles makes the indexes that the watches look articles up by.
func IndexArticles(ctx context.Context, indexer client.FieldIndexer) error {
	if err := IndexSlugs(ctx, indexer); err != nil {
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
	if err := indexIf(ctx, indexer, &v1alpha1.Article{}, secretIndex, waitsForSecret); err != nil {
		return err
	}
	return indexIf(ctx, indexer, &v1alpha1.Article{}, waitingIndex, waitsForAccount)
}

// waitsForAccount reports whether a step is blocked by the account or the workspace, or is suspended, as accounts can be.
func waitsForAccount(a *v1alpha1.Article) bool {
	return lifecycle.Awaits(a, lifecycle.NeedAccount) || lifecycle.Awaits(a, lifecycle.NeedResume)
}

// articlesOfSite maps a site to its articles.
func (r *ArticleReconciler) articlesOfSite(ctx context.Context, site client.Object) []ctrl.Request {
	return r.articles(ctx, client.InNamespace(site.GetNamespace()), client.MatchingFields{siteIndex: site.GetName()})
}

// waitingInNamespace maps a namespace to its articles that wait for the account.
func (r *ArticleReconciler) waitingInNamespace(ctx context.Context, ns client.Object) []ctrl.Request {
	return r.articles(ctx, client.InNamespace(ns.GetName()), client.MatchingFields{waitingIndex: "true"})
}

// waitingOfAccount maps an account to its articles that wait for it.
func (r *ArticleReconciler) waitingOfAccount(ctx context.Context, account client.Object) []ctrl.Request {
	workspaces, err := r.workspaces(ctx, account.GetName())
	if err != nil {
		log.FromContext(ctx).Error(err, "listing workspaces")
	}
	var requests []ctrl.Request
	for i := range workspaces {
		requests = append(requests, r.waitingInNamespace(ctx, &workspaces[i])...)
	}
	return requests
}

func (r *ArticleReconciler) articles(ctx context.Context, opts ...client.ListOption) []ctrl.Request {
	return r.requests(ctx, &v1alpha1.ArticleList{}, opts...)
}

// requests returns a request for each object of the list's kind that opts select.
func (b *Base) requests(ctx context.Context, list client.ObjectList, opts ...client.ListOption) []ctrl.Request {
	var requests []ctrl.Request
	err := b.Client.List(ctx, list, append(opts, client.UnsafeDisableDeepCopy)...)
	if err == nil {
		err = meta.EachListItem(list, func(item runtime.Object) error {
			if o, ok := item.(client.Object); ok {
				requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(o)})
			}
			return nil
		})
	}
	if err != nil {
		log.FromContext(ctx).Error(err, "listing the objects that a change concerns", "kind", fmt.Sprintf("%T", list))
	}
	return requests
}

// notifier notifies of objects whose call has ended or that have a slot reserved.
type notifier interface {
	Notify(func(types.NamespacedName))
}

// notifiedPriority puts objects that a tracker notifies of before those of watches, which have 0 or less: they hold a slot that
// others wait for, or a result that is not recorded yet.
const notifiedPriority = 10

// notifications puts the objects that a tracker notifies of into a controller's queue.
func notifications(n notifier) source.Source {
	return source.Func(func(_ context.Context, queue workqueue.TypedRateLimitingInterface[ctrl.Request]) error {
		add := queue.Add
		if q, ok := queue.(priorityqueue.PriorityQueue[ctrl.Request]); ok {
			add = func(r ctrl.Request) { q.AddWithOpts(priorityqueue.AddOpts{Priority: new(notifiedPriority)}, r) }
		}
		n.Notify(func(key types.NamespacedName) { add(ctrl.Request{NamespacedName: key}) })
		return nil
	})
}

// secretsFound puts the objects of the list's kind that wait for a Secret into a controller's queue, when one of their namespace is
// found that was missing or malformed.
func (b *Base) secretsFound(list client.ObjectList) source.Source {
	return source.Func(func(ctx context.Context, queue workqueue.TypedRateLimitingInterface[ctrl.Request]) error {
		b.Secrets.onFound(func(namespace string) {
			found, ok := list.DeepCopyObject().(client.ObjectList)
			if !ok {
				return
			}
			for _, request := range b.requests(ctx, found, client.InNamespace(namespace), client.MatchingFields{secretIndex: "true"}) {
				queue.Add(request)
			}
		})
		return nil
	})
}

// indexIf indexes the objects of a kind for which a condition holds.
func indexIf[T client.Object](ctx context.Context, indexer client.FieldIndexer, kind T, field string, holds func(T) bool) error {
	return indexer.IndexField(ctx, kind, field, func(obj client.Object) []string {
		if o, ok := obj.(T); ok && holds(o) {
			return []string{"true"}
		}
		return nil
	})
}

// waitsForSecret reports whether a run or an attempt to publish waits for a Secret.
func waitsForSecret(a *v1alpha1.Article) bool { return lifecycle.Awaits(a, lifecycle.NeedSecret) }

// eventWaitsForSecret reports whether an attempt to deliver an event waits for a Secret.
func eventWaitsForSecret(d *v1alpha1.EventDelivery) bool {
	return lifecycle.EventAwaits(d, lifecycle.NeedSecret)
}

// siteChanged passes the changes of a site that decide something for its articles: those of its spec, and that it no longer counts
// as restored.
func siteChanged() predicate.Predicate {
	return predicate.Or[client.Object](predicate.GenerationChangedPredicate{}, predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		return v1alpha1.Restored(e.ObjectOld) != v1alpha1.Restored(e.ObjectNew)
	}})
}

// allowsMore passes the changes of an account after which a run that waits for it may start: not every charge.
func allowsMore() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		old, was := e.ObjectOld.(*v1alpha1.Account)
		account, is := e.ObjectNew.(*v1alpha1.Account)
		if !was || !is {
			return true
		}
		return old.Generation != account.Generation || v1alpha1.Restored(old) != v1alpha1.Restored(account) ||
			account.Status.Usage.CreditsUsed < old.Status.Usage.CreditsUsed || account.Status.Usage.Day != old.Status.Usage.Day
	}}
}
