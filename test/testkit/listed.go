package testkit

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// Listed returns what feeds an informer with a list, and with no change after it. The list is made when the informer asks for it, and
// belongs to the informer from then on.
func Listed(list func() runtime.Object) cache.ListerWatcher {
	return cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc:  func(context.Context, metav1.ListOptions) (runtime.Object, error) { return list(), nil },
		WatchFuncWithContext: func(context.Context, metav1.ListOptions) (watch.Interface, error) { return watch.NewFake(), nil },
	}, unstreamed{})
}

// unstreamed says that the first list is not streamed.
type unstreamed struct{}

// IsWatchListSemanticsUnSupported reports that.
func (unstreamed) IsWatchListSemanticsUnSupported() bool { return true }
