package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/pager"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// pageSize bounds one answer of kube-apiserver: an Article that its author wrote may have 256 KiB.
const pageSize = 100

// each reads the objects of a kind in a namespace, or in all of them if it is empty, page by page.
func (s *session) each(
	ctx context.Context, namespace string, newList func() client.ObjectList, match client.MatchingFields, do func(runtime.Object),
) error {
	pages := pager.New(func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		page := newList()
		return page, s.List(ctx, page, client.InNamespace(namespace), match, client.Limit(o.Limit), client.Continue(o.Continue))
	})
	pages.PageSize = pageSize
	return pages.EachListItem(ctx, metav1.ListOptions{}, func(obj runtime.Object) error {
		do(obj)
		return nil
	})
}
