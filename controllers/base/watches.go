package base

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/priorityqueue"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/fairqueue"
)

// SecretIndex is the cache's index of articles and event deliveries that wait for a Secret: the value is "true".
const SecretIndex = "waitingForSecret"

// Requests returns a request for each object of the list's kind that opts select.
func (b *Base) Requests(ctx context.Context, list client.ObjectList, opts ...client.ListOption) []ctrl.Request {
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

// RequestsOfAccount is Requests in all workspaces of an account.
func (b *Base) RequestsOfAccount(ctx context.Context, account string, list client.ObjectList, opts ...client.ListOption) []ctrl.Request {
	workspaces, err := b.Workspaces(ctx, account)
	if err != nil {
		log.FromContext(ctx).Error(err, "listing workspaces")
	}
	requests := make([]ctrl.Request, 0, len(workspaces))
	for i := range workspaces {
		in := append(slices.Clone(opts), client.InNamespace(workspaces[i].Name))
		requests = append(requests, b.Requests(ctx, list, in...)...)
	}
	return requests
}

// notifier notifies of objects whose call has ended or that have a slot reserved.
type notifier interface {
	Notify(func(types.NamespacedName))
}

// urgentPriority is above that of watches, which have 0 or less. It is for objects that a tracker notifies of, which hold a slot that
// others wait for, or a result that is not recorded yet, and for those that come first when a controller starts, which may be late already.
const urgentPriority = 10

// Notifications puts the objects that a tracker notifies of into a controller's queue.
func Notifications(n notifier) source.Source { return added(n, urgentPriority) }

// Added puts the objects that something notifies of into a controller's queue, without that priority.
func Added(n notifier) source.Source { return added(n, 0) }

func added(n notifier, priority int) source.Source {
	return source.Func(func(_ context.Context, queue workqueue.TypedRateLimitingInterface[ctrl.Request]) error {
		n.Notify(func(key types.NamespacedName) { add(queue, priority, key) })
		return nil
	})
}

// add puts an object into a controller's queue with a priority.
func add(queue workqueue.TypedRateLimitingInterface[ctrl.Request], priority int, key types.NamespacedName) {
	request := ctrl.Request{NamespacedName: key}
	if q, ok := queue.(priorityqueue.PriorityQueue[ctrl.Request]); ok {
		q.AddWithOpts(priorityqueue.AddOpts{Priority: &priority}, request)
	} else {
		queue.Add(request)
	}
}

// SecretsFound puts the objects of the list's kind that wait for a Secret into a controller's queue, when a missing or malformed Secret
// of their namespace is found.
func (b *Base) SecretsFound(list client.ObjectList) source.Source {
	return source.Func(func(ctx context.Context, queue workqueue.TypedRateLimitingInterface[ctrl.Request]) error {
		b.Secrets.onFound(func(namespace string) {
			found, ok := list.DeepCopyObject().(client.ObjectList)
			if !ok {
				return
			}
			for _, request := range b.Requests(ctx, found, client.InNamespace(namespace), client.MatchingFields{SecretIndex: "true"}) {
				queue.Add(request)
			}
		})
		return nil
	})
}

// Index indexes the objects of a kind by some values.
func Index[T any, P Object[T]](ctx context.Context, indexer client.FieldIndexer, field string, values func(P) []string) error {
	return indexer.IndexField(ctx, P(new(T)), field, func(obj client.Object) []string {
		if o, ok := obj.(P); ok {
			return values(o)
		}
		return nil
	})
}

// Flag are the values of an index of the objects for which a condition holds.
func Flag(holds bool) []string {
	if holds {
		return []string{"true"}
	}
	return nil
}

// Only passes the objects of a kind for which a condition holds.
func Only[T client.Object](holds func(T) bool) builder.Predicates {
	return builder.WithPredicates(predicate.NewPredicateFuncs(func(obj client.Object) bool {
		o, ok := obj.(T)
		return ok && holds(o)
	}))
}

// Changed passes objects that are new or gone, and those updates of a kind that have changed something.
func Changed[T client.Object](changed func(old, updated T) bool) builder.Predicates {
	return builder.WithPredicates(predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		old, was := e.ObjectOld.(T)
		updated, is := e.ObjectNew.(T)
		return !was || !is || changed(old, updated)
	}})
}

// SuspendChanged reports the beginning and the end of an account's suspension.
func SuspendChanged(old, account *v1alpha1.Account) bool {
	return old.Spec.Suspend != account.Spec.Suspend
}

// CreatedOrDeleted passes objects that are new or gone, and no updates.
var CreatedOrDeleted = builder.WithPredicates(predicate.Funcs{UpdateFunc: func(event.UpdateEvent) bool { return false }})

// SpecChanged passes objects that are new or gone, and those updates that have changed the spec.
var SpecChanged = builder.WithPredicates(predicate.GenerationChangedPredicate{})

// Created calls a function with each object that a process sees for the first time, and puts nothing into the queue. A controller begins to
// work when the function was called with all objects that there are.
func Created(seen func(context.Context, event.CreateEvent)) handler.EventHandler {
	return handler.Funcs{CreateFunc: func(ctx context.Context, e event.CreateEvent, _ workqueue.TypedRateLimitingInterface[ctrl.Request]) {
		seen(ctx, e)
	}}
}

// DueFirst puts the objects of the list's kind that opts select before all others when a controller starts, those first that have been due
// longest. There may be a hundred thousand others, which need nothing.
func DueFirst[T client.Object](c client.Client, list client.ObjectList, due func(T) time.Time, opts ...client.ListOption) source.Source {
	return source.Func(func(ctx context.Context, queue workqueue.TypedRateLimitingInterface[ctrl.Request]) error {
		if err := c.List(ctx, list, append(opts, client.UnsafeDisableDeepCopy)...); err != nil {
			return fmt.Errorf("listing what may be due: %w", err)
		}
		var objects []T
		err := meta.EachListItem(list, func(item runtime.Object) error {
			if o, ok := item.(T); ok {
				objects = append(objects, o)
			}
			return nil
		})
		slices.SortStableFunc(objects, func(a, b T) int { return due(a).Compare(due(b)) })
		for _, o := range objects {
			add(queue, urgentPriority, client.ObjectKeyFromObject(o))
		}
		return err
	})
}

// Workers is how many objects most controllers reconcile at once, so that a request that kube-apiserver does not answer delays few of them.
const Workers = 8

// NewController begins a controller with so many workers, whose queue is fair between accounts.
func (b *Base) NewController(mgr ctrl.Manager, name string, workers int) *builder.Builder {
	return ctrl.NewControllerManagedBy(mgr).Named(name).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers, NewQueue: fairqueue.New(b.QueueAccount)})
}

// DestinationIndex is the cache's index of sites by DestinationOf. Package post makes it.
const DestinationIndex = "destination"

// DestinationOf identifies, within a workspace, where the posts of a site are. A site that cannot be published to has a destination of
// its own.
func DestinationOf(site *v1alpha1.Site) string {
	if d := connectors.Destination(site); d != "" {
		return d
	}
	return "site:" + site.Name
}
