package moneywalk_test

import (
	"context"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var errCutOff = errors.New("the process has ended")

// view is the client of one process. Each of its requests but those that the cache answers waits until the walk lets it go on.
type view struct {
	client.Client
	w    *walk
	dead bool
	// cached views answer reads from a cache that lags.
	seen map[string]client.Object
	// direct reads from kube-apiserver.
	direct bool
	// recorded is what the records of Idempotency-Keys had when a replica got the request that it answers.
	recorded map[string]string
	// form is the one that a replica answers.
	form string
	// frozen is closed once a process that is held up goes on; nil if it is not held up.
	frozen chan struct{}
}

// op is a request of a process that waits.
type op struct {
	of   *view
	what string
	let  chan verdict
	// made means that kube-apiserver has the request if nobody waits for the answer any more.
	made bool
}

type verdict int

const (
	proceed verdict = iota
	endBefore
	endAfter
)

// gate waits until the walk lets a request go on.
func (v *view) gate(ctx context.Context, what string, do func() error) error {
	if v.dead {
		return errCutOff
	}
	o, unmarked := &op{of: v, what: what, let: make(chan verdict, 1)}, do
	do = func() error {
		v.w.writer = v
		defer func() { v.w.writer = nil }()
		return unmarked()
	}
	v.w.add(o)
	select {
	case decided := <-o.let:
		switch decided {
		case endBefore:
			return errCutOff
		case endAfter:
			_ = v.w.locked(do)
			return errCutOff
		default:
			defer v.thaw()
			return v.w.locked(do)
		}
	case <-ctx.Done():
		v.w.drop(o)
		if o.made {
			_ = v.w.locked(do)
		}
		return ctx.Err()
	}
}

// thaw waits until a process that is held up goes on.
func (v *view) thaw() {
	v.w.mu.Lock()
	frozen := v.frozen
	v.w.mu.Unlock()
	if frozen != nil {
		<-frozen
	}
}

func (v *view) Get(ctx context.Context, key client.ObjectKey, o client.Object, _ ...client.GetOption) error {
	if v.direct {
		return v.gate(ctx, "get "+v.w.store.path(o, key), func() error { return v.w.store.get(key, o) })
	}
	return v.w.locked(func() error { return v.lagging(key, o) })
}

// lagging answers from a cache: often as it was when the object was last read.
func (v *view) lagging(key client.ObjectKey, o client.Object) error {
	path := v.w.store.path(o, key)
	_, metadata := o.(*metav1.PartialObjectMetadata)
	if before, ok := v.seen[path]; ok && !metadata && v.w.lags() {
		if before == nil {
			return apierrors.NewNotFound(resource(v.w.store.gvk(o).Kind), key.Name)
		}
		copyInto(before, o)
		return nil
	}
	if v.seen[path] == nil && !metadata && v.w.newsLag && v.w.lags() {
		return apierrors.NewNotFound(resource(v.w.store.gvk(o).Kind), key.Name)
	}
	err := v.w.store.get(key, o)
	if metadata {
		return err
	}
	v.seen[path] = nil
	if err == nil {
		v.seen[path], _ = o.DeepCopyObject().(client.Object)
	}
	return err
}

// catchUp has a cache show an object as it is.
func (v *view) catchUp(key client.ObjectKey, o client.Object) {
	v.seen[v.w.store.path(o, key)] = nil
	if v.w.store.get(key, o) == nil {
		v.seen[v.w.store.path(o, key)] = o
	}
}

func (v *view) List(_ context.Context, list client.ObjectList, options ...client.ListOption) error {
	return v.w.locked(func() error {
		if v.w.listsLag && !v.direct && v.w.lags() {
			return nil // the cache has none of them yet
		}
		return v.w.store.list(list, options...)
	})
}

func (v *view) Create(ctx context.Context, o client.Object, _ ...client.CreateOption) error {
	if _, article := o.(*v1alpha1.Article); article && v.recorded[o.GetName()] != "" {
		v.w.failf("a repeat creates %s, which its record had before the request", o.GetName())
	}
	return v.gate(ctx, "create "+v.w.store.path(o, client.ObjectKeyFromObject(o)), func() error { return v.w.store.create(o) })
}

func (v *view) Patch(ctx context.Context, o client.Object, p client.Patch, _ ...client.PatchOption) error {
	return v.gate(ctx, "patch "+v.w.store.path(o, client.ObjectKeyFromObject(o)), func() error { return v.w.store.patch(o, p, false) })
}

func (v *view) Delete(ctx context.Context, o client.Object, options ...client.DeleteOption) error {
	return v.gate(ctx, "delete "+v.w.store.path(o, client.ObjectKeyFromObject(o)), func() error { return v.w.store.delete(o, options...) })
}

func (v *view) Scheme() *runtime.Scheme { return v.w.store.scheme }

func (v *view) GroupVersionKindFor(o runtime.Object) (schema.GroupVersionKind, error) {
	return apiutil.GVKForObject(o, v.w.store.scheme)
}

func (v *view) Status() client.SubResourceWriter { return statusOf{v: v} }

type statusOf struct {
	client.SubResourceWriter
	v *view
}

func (s statusOf) Patch(ctx context.Context, o client.Object, p client.Patch, _ ...client.SubResourcePatchOption) error {
	return s.v.gate(ctx, "patch status of "+s.v.w.store.path(o, client.ObjectKeyFromObject(o)), func() error { return s.v.w.store.patch(o, p, true) })
}

func (s statusOf) Update(ctx context.Context, o client.Object, _ ...client.SubResourceUpdateOption) error {
	return s.v.gate(ctx, "update status of "+s.v.w.store.path(o, client.ObjectKeyFromObject(o)), func() error { return s.v.w.store.updateStatus(o) })
}
