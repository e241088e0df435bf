// Package listing lists objects of kube-apiserver page by page.
package listing

import (
	"context"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/pager"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// pageSize bounds one answer of kube-apiserver: an Article that its author wrote may have 256 KiB.
const pageSize = 100

// Each calls do for each object that kube-apiserver lists. list gives the kind. An object is valid until do returns.
func Each[T client.Object](
	ctx context.Context, c client.Reader, list client.ObjectList, do func(T), options ...client.ListOption,
) error {
	pages := pager.New(func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		page, _ := list.DeepCopyObject().(client.ObjectList)
		return page, c.List(ctx, page, slices.Concat(options, []client.ListOption{client.Limit(o.Limit), client.Continue(o.Continue)})...)
	})
	pages.PageSize = pageSize
	return pages.EachListItem(ctx, metav1.ListOptions{}, func(obj runtime.Object) error {
		if o, ok := obj.(T); ok {
			do(o)
		}
		return nil
	})
}
