package base

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Object is a pointer to a T that is an object of Kubernetes.
type Object[T any] interface {
	*T
	client.Object
}

// Read returns an object; nil if it does not exist.
func Read[T any, P Object[T]](ctx context.Context, from client.Reader, key client.ObjectKey, opts ...client.GetOption) (P, error) {
	obj := P(new(T))
	err := from.Get(ctx, key, obj, opts...)
	switch {
	case apierrors.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("reading %T %s: %w", obj, key.Name, err)
	default:
		return obj, nil
	}
}

// RequireLatest returns a conflict if the article has been written or deleted since the cache saw it.
func (b *Base) RequireLatest(ctx context.Context, a *v1alpha1.Article) error {
	live, err := Read[v1alpha1.Article](ctx, b.Live, client.ObjectKeyFromObject(a))
	if err == nil && (live == nil || live.ResourceVersion != a.ResourceVersion || live.UID != a.UID) {
		err = CacheBehind("articles", a.Name)
	}
	return err
}

// RequireSpec returns a conflict if an object was deleted, or its spec was changed, since the cache saw it. Watches of different kinds
// have no common order, so the cache may have an object before a change of another one, which it names, that was made earlier. The watch
// of the other one puts the object back into the queue.
func RequireSpec[T any, P Object[T]](ctx context.Context, b *Base, resource string, cached P) error {
	live, err := Read[T, P](ctx, b.Live, client.ObjectKeyFromObject(cached))
	if err == nil && (live == nil || live.GetUID() != cached.GetUID() || live.GetGeneration() != cached.GetGeneration()) {
		err = CacheBehind(resource, cached.GetName())
	}
	return err
}

// CacheBehind returns the conflict for an object that differs from the cached one. The watch reports its newer state.
func CacheBehind(resource, name string) error {
	return stale(apierrors.NewConflict(v1alpha1.GroupVersion.WithResource(resource).GroupResource(), name, errStale))
}

// uncachedKey is the key of Uncached in a context.
type uncachedKey struct{}

// Uncached returns a context in which a Client reads from kube-apiserver, because the cache may not have the latest writes yet.
func Uncached(ctx context.Context) context.Context {
	return context.WithValue(ctx, uncachedKey{}, true)
}

// Client is a client that reads from the cache, except in a context of Uncached. Get returns an object with all writes of this process to
// it, and List the present state of the cache, because it would otherwise wait for the writes of all accounts.
type Client struct {
	client.Client
	Live client.Reader
}

// Get reads an object.
func (c Client) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	if ctx.Value(uncachedKey{}) != nil {
		return c.Live.Get(ctx, key, obj, opts...)
	}
	return c.Client.Get(ctx, key, obj, opts...)
}

// List reads objects. Only the cache has indexes.
func (c Client) List(ctx context.Context, list client.ObjectList, opts ...client.ListOption) error {
	if o := (&client.ListOptions{}).ApplyOptions(opts); ctx.Value(uncachedKey{}) != nil && o.FieldSelector == nil {
		return c.Live.List(ctx, list, opts...)
	}
	return c.Client.List(ctx, list, append(opts, client.DisableReadYourWritesConsistency)...)
}
