package testkit

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Blind is a cache whose informers have seen nothing yet.
type Blind struct{ client.Reader }

// Get finds nothing.
func (Blind) Get(_ context.Context, key client.ObjectKey, _ client.Object, _ ...client.GetOption) error {
	return apierrors.NewNotFound(schema.GroupResource{}, key.Name)
}

// Indexes are the functions that are registered with a cache, for a client that answers look-ups by them without one.
type Indexes map[string]client.IndexerFunc

// IndexField registers a function.
func (i Indexes) IndexField(_ context.Context, _ client.Object, field string, f client.IndexerFunc) error {
	i[field] = f
	return nil
}

// List reads a list. It evaluates the field selectors of indexes with the functions of the indexes.
func (i Indexes) List(ctx context.Context, from client.Reader, list client.ObjectList, opts ...client.ListOption) error {
	var o client.ListOptions
	o.ApplyOptions(opts)
	if o.FieldSelector == nil {
		return from.List(ctx, list, opts...)
	}
	wanted := o.FieldSelector.Requirements()[0]
	index, ok := i[wanted.Field]
	if !ok {
		return fmt.Errorf("nobody has an index of %T by %s", list, wanted.Field)
	}
	if err := from.List(ctx, list, client.InNamespace(o.Namespace)); err != nil {
		return err
	}
	items, err := meta.ExtractList(list)
	if err != nil {
		return err
	}
	return meta.SetList(list, slices.DeleteFunc(items, func(item runtime.Object) bool {
		object, ok := item.(client.Object)
		return !ok || !slices.Contains(index(object), wanted.Value)
	}))
}

// IndexedClient is a client that answers look-ups by Indexes.
type IndexedClient struct {
	client.Client

	Indexes Indexes
}

// List reads a list by Indexes.
func (c IndexedClient) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	return c.Indexes.List(ctx, c.Client, list, opts...)
}
