package index

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/resourceversion"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// NamespaceMetadata is the form in which namespaces are watched: nothing but their metadata is needed.
func NamespaceMetadata() *metav1.PartialObjectMetadata {
	n := &metav1.PartialObjectMetadata{}
	n.SetGroupVersionKind(corev1.SchemeGroupVersion.WithKind("Namespace"))
	return n
}

// source is a kind that the index is fed from.
type source struct {
	object  client.Object
	handler toolscache.ResourceEventHandler
}

func (x *Index) sources() []source {
	return []source{
		{NamespaceMetadata(), x.NamespaceHandler()},
		{&v1alpha1.Site{}, x.SiteHandler()},
		{&v1alpha1.Article{}, x.ArticleHandler()},
	}
}

// Register feeds the index from the informers of a cache. It does not wait for them: HasSynced tells. After an error it
// may be called again, and goes on where it was.
func (x *Index) Register(ctx context.Context, informers cache.Informers) error {
	x.syncedMu.Lock()
	defer x.syncedMu.Unlock()
	for _, source := range x.sources()[len(x.synced):] {
		informer, err := informers.GetInformer(ctx, source.object, cache.BlockUntilSynced(false))
		if err != nil {
			return fmt.Errorf("getting the informer of %T: %w", source.object, err)
		}
		registration, err := informer.AddEventHandler(source.handler)
		if err != nil {
			return fmt.Errorf("listening to the informer of %T: %w", source.object, err)
		}
		x.synced = append(x.synced, registration.HasSynced)
	}
	return nil
}

// HasSynced reports whether the index has taken in everything that there was when it was registered.
func (x *Index) HasSynced() bool {
	x.syncedMu.Lock()
	defer x.syncedMu.Unlock()
	for _, synced := range x.synced {
		if !synced() {
			return false
		}
	}
	return len(x.synced) == len(x.sources())
}

// ArticleHandler takes in the events of an informer for Articles.
func (x *Index) ArticleHandler() toolscache.ResourceEventHandler {
	return handler(x.putArticle, x.removeArticle)
}

// SiteHandler takes in the events of an informer for Sites.
func (x *Index) SiteHandler() toolscache.ResourceEventHandler {
	return handler(x.putSite, x.removeSite)
}

// NamespaceHandler takes in the events of an informer for the metadata of Namespaces.
func (x *Index) NamespaceHandler() toolscache.ResourceEventHandler {
	return handler(x.putNamespace, x.removeNamespace)
}

func handler[T client.Object](put, remove func(T)) toolscache.ResourceEventHandler {
	return toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { with(o, put) },
		UpdateFunc: func(_, o any) { with(o, put) },
		DeleteFunc: func(o any) {
			if unseen, ok := o.(toolscache.DeletedFinalStateUnknown); ok {
				o = unseen.Obj
			}
			with(o, remove)
		},
	}
}

func with[T client.Object](o any, do func(T)) {
	if object, ok := o.(T); ok {
		do(object)
	}
}

// older reports whether a is an earlier state than b. A repeated event is not.
func older(a, b client.Object) bool {
	return olderVersion(a.GetResourceVersion(), b.GetResourceVersion())
}

func olderVersion(a, b string) bool {
	order, err := resourceversion.CompareResourceVersion(a, b)
	// What cannot be compared is taken in the order in which it comes.
	return err == nil && order < 0
}
