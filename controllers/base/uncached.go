package base

import (
	"context"

	"sigs.k8s.io/controller-runtime/pkg/client"
)

// Uncached returns a Base that reads from kube-apiserver, because the cache may not have the latest writes yet.
func (b Base) Uncached() Base {
	b.Client = liveReads{b.Client, b.Live}
	return b
}

// liveReads is a client that does not read from the cache.
type liveReads struct {
	client.Client
	live client.Reader
}

// Get reads from kube-apiserver.
func (c liveReads) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	return c.live.Get(ctx, key, obj, opts...)
}

// List reads from kube-apiserver, except by an index, which only the cache has.
func (c liveReads) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	if o := (&client.ListOptions{}).ApplyOptions(opts); o.FieldSelector != nil {
		return c.Client.List(ctx, list, opts...)
	}
	return c.live.List(ctx, list, opts...)
}
