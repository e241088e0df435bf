package controllers_test

import (
	"context"
	"errors"
	"sync"

	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/access"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/controllers/event"
	"github.com/pressroom-dev/pressroom/internal/testkit"
)

// errCutOff stands for a process that ends instead of making a write.
var errCutOff = errors.New("cut off")

// recordingClient talks to the real kube-apiserver, counts the writes, and answers the look-ups that the manager's cache has
// indexes for.
type recordingClient struct {
	client.WithWatch
	indexes testkit.Indexes

	mu     sync.Mutex
	writes []string
	// before is called ahead of each write; an error stops it.
	before func(write string) error
	// after is called when a write has been made; its error is what the caller gets instead of the answer.
	after func(write string) error
	// stale, if set, is the article as a cache that lags behind shows it.
	stale *v1alpha1.Article
	// staleSubscription is the same of a subscription, staleSite of a site.
	staleSubscription *v1alpha1.EventSubscription
	staleSite         *v1alpha1.Site
}

func newRecordingClient() *recordingClient {
	c := &recordingClient{indexes: testkit.Indexes{}, before: noFault, after: noFault}
	c.WithWatch = interceptor.NewClient(api, interceptor.Funcs{
		Create: func(ctx context.Context, w client.WithWatch, obj client.Object, opts ...client.CreateOption) error {
			return c.write(ctx, "create "+kindOf(obj), func() error { return w.Create(ctx, obj, opts...) })
		},
		Update: func(ctx context.Context, w client.WithWatch, obj client.Object, opts ...client.UpdateOption) error {
			return c.write(ctx, "update "+kindOf(obj), func() error { return w.Update(ctx, obj, opts...) })
		},
		Patch: func(ctx context.Context, w client.WithWatch, obj client.Object, p client.Patch, opts ...client.PatchOption) error {
			return c.write(ctx, "patch "+kindOf(obj), func() error { return w.Patch(ctx, obj, p, opts...) })
		},
		Delete: func(ctx context.Context, w client.WithWatch, obj client.Object, opts ...client.DeleteOption) error {
			return c.write(ctx, "delete "+kindOf(obj), func() error { return w.Delete(ctx, obj, opts...) })
		},
		SubResourceUpdate: func(ctx context.Context, w client.Client, sub string, obj client.Object, opts ...client.SubResourceUpdateOption) error {
			return c.write(ctx, "update "+kindOf(obj)+"/"+sub, func() error { return w.SubResource(sub).Update(ctx, obj, opts...) })
		},
		SubResourcePatch: func(ctx context.Context, w client.Client, sub string, obj client.Object, p client.Patch, opts ...client.SubResourcePatchOption) error {
			return c.write(ctx, "patch "+kindOf(obj)+"/"+sub, func() error { return w.SubResource(sub).Patch(ctx, obj, p, opts...) })
		},
		Get: func(ctx context.Context, w client.WithWatch, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
			if a, ok := obj.(*v1alpha1.Article); ok {
				return c.cached(ctx, w, key, a)
			}
			if s, ok := obj.(*v1alpha1.EventSubscription); ok && c.staleSubscription != nil {
				c.staleSubscription.DeepCopyInto(s)
				return nil
			}
			if s, ok := obj.(*v1alpha1.Site); ok && c.staleSite != nil {
				c.staleSite.DeepCopyInto(s)
				return nil
			}
			return w.Get(ctx, key, obj, opts...)
		},
		List: func(ctx context.Context, w client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			return c.indexes.List(ctx, w, list, opts...)
		},
	})
	Expect(article.Index(context.Background(), c.indexes)).To(Succeed())
	Expect(event.Index(context.Background(), c.indexes)).To(Succeed())
	Expect(access.Index(context.Background(), c.indexes)).To(Succeed())
	return c
}

// cached reads an article as the manager's cache has it.
func (c *recordingClient) cached(ctx context.Context, w client.Reader, key client.ObjectKey, a *v1alpha1.Article) error {
	if c.stale != nil && client.ObjectKeyFromObject(c.stale) == key {
		c.stale.DeepCopyInto(a)
	} else if err := w.Get(ctx, key, a); err != nil {
		return err
	}
	_, err := transformOf(a, nil)(a)
	return err
}

func kindOf(obj client.Object) string {
	gvk, err := api.GroupVersionKindFor(obj)
	Expect(err).NotTo(HaveOccurred())
	return gvk.Kind
}

// write counts what succeeded. The answer is lost if the caller was stopped meanwhile.
func (c *recordingClient) write(ctx context.Context, what string, do func() error) error {
	if err := c.before(what); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	c.mu.Lock()
	c.writes = append(c.writes, what)
	c.mu.Unlock()
	if err := c.after(what); err != nil {
		return err
	}
	return ctx.Err()
}

func noFault(string) error { return nil }

// Writes returns the writes since it was last called.
func (c *recordingClient) Writes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	writes := c.writes
	c.writes = nil
	return writes
}
