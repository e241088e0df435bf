package controllertest

import (
	"context"
	"errors"
	"reflect"
	"sync"

	. "github.com/onsi/gomega"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/controllers/access"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/event"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// ErrCutOff stands for a process that ends instead of making a write.
var ErrCutOff = errors.New("cut off")

// RecordingClient talks to the real kube-apiserver, counts the writes, and answers the look-ups that the manager's cache has
// indexes for.
type RecordingClient struct {
	client.WithWatch
	indexes testkit.Indexes

	mu     sync.Mutex
	writes []string
	// Before is called ahead of each write; an error stops it.
	Before func(write string) error
	// After is called when a write has been made; its error is what the caller gets instead of the answer.
	After func(write string) error
	// Stale, if set, is the article as a cache that lags behind shows it.
	Stale *v1alpha1.Article
	// StaleSubscription and StaleSite are the same for a subscription and for a site.
	StaleSubscription *v1alpha1.EventSubscription
	StaleSite         *v1alpha1.Site
}

// NewRecordingClient makes one on a client of kube-apiserver.
func NewRecordingClient(api client.WithWatch) *RecordingClient {
	c := &RecordingClient{indexes: testkit.Indexes{}, Before: NoFault, After: NoFault}
	c.WithWatch = interceptor.NewClient(api, interceptor.Funcs{
		Create: func(ctx context.Context, w client.WithWatch, obj client.Object, opts ...client.CreateOption) error {
			return c.write(ctx, "create "+c.kindOf(obj), func() error { return w.Create(ctx, obj, opts...) })
		},
		Update: func(ctx context.Context, w client.WithWatch, obj client.Object, opts ...client.UpdateOption) error {
			return c.write(ctx, "update "+c.kindOf(obj), func() error { return w.Update(ctx, obj, opts...) })
		},
		Patch: func(ctx context.Context, w client.WithWatch, obj client.Object, p client.Patch, opts ...client.PatchOption) error {
			return c.write(ctx, "patch "+c.kindOf(obj), func() error { return w.Patch(ctx, obj, p, opts...) })
		},
		Delete: func(ctx context.Context, w client.WithWatch, obj client.Object, opts ...client.DeleteOption) error {
			return c.write(ctx, "delete "+c.kindOf(obj), func() error { return w.Delete(ctx, obj, opts...) })
		},
		SubResourceUpdate: func(
			ctx context.Context, w client.Client, sub string, obj client.Object, opts ...client.SubResourceUpdateOption,
		) error {
			return c.write(ctx, "update "+c.kindOf(obj)+"/"+sub, func() error { return w.SubResource(sub).Update(ctx, obj, opts...) })
		},
		SubResourcePatch: func(
			ctx context.Context, w client.Client, sub string, obj client.Object, p client.Patch, opts ...client.SubResourcePatchOption,
		) error {
			return c.write(ctx, "patch "+c.kindOf(obj)+"/"+sub, func() error { return w.SubResource(sub).Patch(ctx, obj, p, opts...) })
		},
		Get: func(ctx context.Context, w client.WithWatch, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
			if a, ok := obj.(*v1alpha1.Article); ok {
				return c.cached(ctx, w, key, a)
			}
			if s, ok := obj.(*v1alpha1.EventSubscription); ok && c.StaleSubscription != nil {
				c.StaleSubscription.DeepCopyInto(s)
				return nil
			}
			if s, ok := obj.(*v1alpha1.Site); ok && c.StaleSite != nil {
				c.StaleSite.DeepCopyInto(s)
				return nil
			}
			if err := w.Get(ctx, key, obj, opts...); err != nil {
				return err
			}
			if d, ok := obj.(*v1alpha1.EventDelivery); ok {
				_, err := Transform(d)(d)
				return err
			}
			return nil
		},
		List: func(ctx context.Context, w client.WithWatch, list client.ObjectList, opts ...client.ListOption) error {
			return c.indexes.List(ctx, w, list, opts...)
		},
	})
	Expect(base.IndexWorkspaces(context.Background(), c.indexes)).To(Succeed())
	Expect(article.Index(context.Background(), c.indexes)).To(Succeed())
	Expect(event.Index(context.Background(), c.indexes)).To(Succeed())
	Expect(access.Index(context.Background(), c.indexes)).To(Succeed())
	return c
}

// cached reads an article as the manager's cache has it.
func (c *RecordingClient) cached(ctx context.Context, w client.Reader, key client.ObjectKey, a *v1alpha1.Article) error {
	if c.Stale != nil && client.ObjectKeyFromObject(c.Stale) == key {
		c.Stale.DeepCopyInto(a)
	} else if err := w.Get(ctx, key, a); err != nil {
		return err
	}
	_, err := Transform(a)(a)
	return err
}

func (c *RecordingClient) kindOf(obj client.Object) string {
	gvk, err := c.GroupVersionKindFor(obj)
	Expect(err).NotTo(HaveOccurred())
	return gvk.Kind
}

// write counts what succeeded. The answer is lost if the caller was stopped meanwhile.
func (c *RecordingClient) write(ctx context.Context, what string, do func() error) error {
	if err := c.Before(what); err != nil {
		return err
	}
	if err := do(); err != nil {
		return err
	}
	c.mu.Lock()
	c.writes = append(c.writes, what)
	c.mu.Unlock()
	if err := c.After(what); err != nil {
		return err
	}
	return ctx.Err()
}

// NoFault is Before or After of a client whose writes succeed.
func NoFault(string) error { return nil }

// Writes returns the writes since it was last called.
func (c *RecordingClient) Writes() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	writes := c.writes
	c.writes = nil
	return writes
}

// Transform returns the transform of a kind in the manager's cache.
func Transform(o client.Object) toolscache.TransformFunc {
	options := controllers.CacheOptions(nil)
	for kind, of := range options.ByObject {
		if reflect.TypeOf(kind) == reflect.TypeOf(o) {
			return of.Transform
		}
	}
	return options.DefaultTransform
}
