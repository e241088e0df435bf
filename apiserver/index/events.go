package index

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/presence"
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
		Articles: x.articles(), Posts: handler(x, x.applyPost, x.deletePost),
		Subscriptions: handler(x, x.applySubscription, x.deleteSubscription), Briefs: handler(x, x.applyBrief, x.deleteBrief),
	}
}

// articles handles the events of articles. That somebody who has an editor open was seen again is no change.
func (x *Index) articles() toolscache.ResourceEventHandler {
	h := handler(x, x.applyArticle, x.deleteArticle)
	h.UpdateFunc = func(old, o any) {
		before, _ := old.(*v1alpha1.Article)
		if after, ok := o.(*v1alpha1.Article); ok && before != nil && seenAgain(before, after) {
			within(x, after, x.applyArticle)
			return
		}
		with(x, o, x.applyArticle)
	}
	return h
}

// seenAgain reports whether two states of an article in the cache differ only in when people were seen who have its editor open.
func seenAgain(before, after *v1alpha1.Article) bool {
	if maps.Equal(before.Annotations, after.Annotations) || !presence.Same(before.Annotations, after.Annotations) {
		return false
	}
	a, b := *before, *after
	a.Annotations, a.ResourceVersion = b.Annotations, b.ResourceVersion
	return equality.Semantic.DeepEqual(&a, &b)
}

func handler[T client.Object](x *Index, apply, remove func(*namespace, T)) toolscache.ResourceEventHandlerFuncs {
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

// with is within for the object of an event, and signals the change.
func with[T client.Object](x *Index, o any, do func(*namespace, T)) {
	object, ok := o.(T)
	if !ok {
		return
	}
	defer x.watchers.signal(namespaceOf(object))
	within(x, object, do)
}

// within calls a function with an object and the entry of its namespace, while nobody else uses the index.
func within[T client.Object](x *Index, object T, do func(*namespace, T)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	ns := x.namespaceFor(namespaceOf(object))
	do(ns, object)
	x.prune(ns)
}

// namespaceOf is the namespace of an object. A Namespace is in none, and its entry has its name.
func namespaceOf(o client.Object) string { return cmp.Or(o.GetNamespace(), o.GetName()) }

// olderVersion reports whether a is an earlier resource version than b. That of a repeated event is not.
func olderVersion(a, b string) bool {
	order, err := resourceversion.CompareResourceVersion(a, b)
	// Versions that cannot be compared are used in the order of the events.
	return err == nil && order < 0
}
