package controllers

import (
	"context"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// ReconcileTimeout bounds each reconcile. One that reads an object which this process has written waits until the cache shows the write,
// which it may never do if a watch is broken.
const ReconcileTimeout = time.Minute

// ClientOptions configure the manager's client: an object that is read shows what this process has written to it before.
func ClientOptions() client.Options {
	return client.Options{Cache: &client.CacheOptions{EnableReadYourWritesConsistency: new(true)}}
}

// cachedClient is the manager's client for objects that this process has written: Get shows the write. Lists show what the cache has by
// now, because they would wait for the writes of all accounts. Revisions are written without waiting for a cache, which would then hold
// all of them with their bodies.
type cachedClient struct{ client.Client }

// List reads from the cache as it is.
func (c cachedClient) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	return c.Client.List(ctx, list, append(opts, client.DisableReadYourWritesConsistency)...)
}

// Create creates an object.
func (c cachedClient) Create(ctx context.Context, obj client.Object, opts ...client.CreateOption) error {
	if isUncached(obj) {
		opts = append(opts, client.DisableReadYourWritesConsistency)
	}
	return c.Client.Create(ctx, obj, opts...)
}

// Patch changes an object.
func (c cachedClient) Patch(ctx context.Context, obj client.Object, patch client.Patch, opts ...client.PatchOption) error {
	if isUncached(obj) {
		opts = append(opts, client.DisableReadYourWritesConsistency)
	}
	return c.Client.Patch(ctx, obj, patch, opts...)
}

// Delete deletes an object.
func (c cachedClient) Delete(ctx context.Context, obj client.Object, opts ...client.DeleteOption) error {
	if isUncached(obj) {
		opts = append(opts, client.DisableReadYourWritesConsistency)
	}
	return c.Client.Delete(ctx, obj, opts...)
}

// isUncached reports whether no informer holds objects of a kind that is written.
func isUncached(obj client.Object) bool {
	_, revision := obj.(*v1alpha1.ArticleRevision)
	return revision
}
