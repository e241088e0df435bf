package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// NamespaceMetadata is the object by which namespaces are watched: only their metadata is needed.
func NamespaceMetadata() *metav1.PartialObjectMetadata {
	n := &metav1.PartialObjectMetadata{}
	n.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Namespace"))
	return n
}

// SubscriptionMetadata is the object by which event subscriptions are watched: they are only counted.
func SubscriptionMetadata() *metav1.PartialObjectMetadata {
	s := &metav1.PartialObjectMetadata{}
	s.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("EventSubscription"))
	return s
}

// BriefMetadata is the object by which briefs are watched: they are counted, and found by their uids. Their texts are read live.
func BriefMetadata() *metav1.PartialObjectMetadata {
	b := &metav1.PartialObjectMetadata{}
	b.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Brief"))
	return b
}

// Register feeds the index from the informers of a cache, and does not wait for them: see HasSynced. It may be called again: an event that
// comes twice changes nothing.
func (x *Index) Register(ctx context.Context, informers cache.Informers) error {
	handlers := x.Handlers()
	var synced []toolscache.InformerSynced
	for _, source := range []struct {
		object  client.Object
		handler toolscache.ResourceEventHandler
	}{
		{NamespaceMetadata(), handlers.Namespaces},
		{&v1alpha1.Site{}, handlers.Sites},
		{&v1alpha1.Article{}, handlers.Articles},
		{SubscriptionMetadata(), handlers.Subscriptions},
		{BriefMetadata(), handlers.Briefs},
		{&v1alpha1.Post{}, handlers.Posts},
	} {
		informer, err := informers.GetInformer(ctx, source.object, cache.BlockUntilSynced(false))
		if err != nil {
			return fmt.Errorf("getting the informer of %T: %w", source.object, err)
		}
		registration, err := informer.AddEventHandler(source.handler)
		if err != nil {
			return fmt.Errorf("listening to the informer of %T: %w", source.object, err)
		}
		synced = append(synced, registration.HasSynced)
	}
	x.synced.Store(&synced)
	return nil
}

// HasSynced reports whether the index has every object that existed when it was registered.
func (x *Index) HasSynced() bool {
	all := x.synced.Load()
	return all != nil && !slices.ContainsFunc(*all, func(synced toolscache.InformerSynced) bool { return !synced() })
}

// Handlers handle the events of the informers of each kind: for Namespaces, EventSubscriptions and Briefs, of their metadata.
type Handlers struct {
	Namespaces, Sites, Articles, Subscriptions, Briefs, Posts toolscache.ResourceEventHandler
}

// Handlers returns those that feed the index.
func (x *Index) Handlers() Handlers {
	return Handlers{
		Namespaces: handler(x, x.applyNamespace, x.deleteNamespace), Sites: handler(x, x.applySite, x.deleteSite),
		Articles: handler(x, x.applyArticle, x.deleteArticle), Posts: handler(x, x.applyPost, x.deletePost),
		Subscriptions: handler(x, x.applySubscription, x.deleteSubscription), Briefs: handler(x, x.applyBrief, x.deleteBrief),
	}
}

func handler[T client.Object](x *Index, apply, remove func(*namespace, T)) toolscache.ResourceEventHandler {
	return toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { with(x, o, apply) },
		UpdateFunc: func(_, o any) { with(x, o, apply) },
		DeleteFunc: func(o any) {
			if unseen, ok := o.(toolscache.DeletedFinalStateUnknown); ok {
				o = unseen.Obj
			}
			with(x, o, remove)
		},
	}
}

// with calls a function with an object and the entry of its namespace, while nobody else uses the index, and signals the change.
func with[T client.Object](x *Index, o any, do func(*namespace, T)) {
	object, ok := o.(T)
	if !ok {
		return
	}
	// A Namespace is in none, and its entry has its name.
	name := cmp.Or(object.GetNamespace(), object.GetName())
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.watchers.signal(name)
	ns := x.namespaceFor(name)
	do(ns, object)
	x.prune(ns)
}

// olderVersion reports whether a is an earlier resource version than b. That of a repeated event is not.
func olderVersion(a, b string) bool {
	order, err := resourceversion.CompareResourceVersion(a, b)
	// Versions that cannot be compared are used in the order of the events.
	return err == nil && order < 0
}
