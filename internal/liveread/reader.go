// Package liveread reads objects from kube-apiserver. Callers that ask for the same object at about the same time share a read,
// and every caller still gets what was stored at the time of its call, or later.
package liveread

import (
	"context"
	"fmt"
	"reflect"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
)

// timeout ends a shared read: it serves several callers, and none of them may end it.
const timeout = 30 * time.Second

// Reader shares reads of single objects. As in group commit, an object has at most one read in progress and one that starts when
// that ends. A caller joins the second: a read that has started already may return a state from before the call.
type Reader struct {
	client.Reader

	mu      sync.Mutex
	flights map[object]*flight
}

// object identifies what is read. Typed and metadata-only reads of an object differ in kind or in Go type.
type object struct {
	goType reflect.Type
	kind   schema.GroupVersionKind
	key    types.NamespacedName
}

// flight has the reads of one object.
type flight struct {
	// next starts when the read in progress ends; nil if nobody waits for it.
	next *read
}

// read is one request, and its result once done is closed.
type read struct {
	done chan struct{}
	obj  client.Object
	err  error
}

// New returns a Reader over one that does not read from a cache. Lists, and reads with options, are not shared.
func New(live client.Reader) *Reader {
	return &Reader{Reader: live, flights: map[object]*flight{}}
}

// Get reads an object as it is stored at the time of the call or later. It returns when ctx ends, even if the read has not ended.
func (r *Reader) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	if len(opts) > 0 {
		return r.Reader.Get(ctx, key, obj, opts...)
	}
	shared := r.join(ctx, key, obj)
	select {
	case <-shared.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if shared.err != nil {
		return shared.err
	}
	return copyInto(obj, shared.obj)
}

// join returns a read of the object that starts now, or when the one in progress ends.
func (r *Reader) join(ctx context.Context, key client.ObjectKey, obj client.Object) *read {
	id := object{reflect.TypeOf(obj), obj.GetObjectKind().GroupVersionKind(), key}
	r.mu.Lock()
	defer r.mu.Unlock()
	if f, busy := r.flights[id]; busy {
		if f.next == nil {
			f.next = newRead(obj)
		}
		return f.next
	}
	f, first := &flight{}, newRead(obj)
	r.flights[id] = f
	go r.run(context.WithoutCancel(ctx), id, f, first)
	return first
}

// run makes the reads of an object, one after the other, until nobody waits for another one.
func (r *Reader) run(ctx context.Context, id object, f *flight, current *read) {
	for current != nil {
		current.err = r.get(ctx, id.key, current.obj)
		close(current.done)
		r.mu.Lock()
		current, f.next = f.next, nil
		if current == nil {
			delete(r.flights, id)
		}
		r.mu.Unlock()
	}
}

func (r *Reader) get(ctx context.Context, key client.ObjectKey, obj client.Object) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return r.Reader.Get(ctx, key, obj)
}

func newRead(like client.Object) *read {
	empty, ok := reflect.New(reflect.TypeOf(like).Elem()).Interface().(client.Object)
	if ok {
		empty.GetObjectKind().SetGroupVersionKind(like.GetObjectKind().GroupVersionKind())
	}
	return &read{done: make(chan struct{}), obj: empty}
}

// copyInto gives a caller an object of its own.
func copyInto(obj, from client.Object) error {
	to, result := reflect.ValueOf(obj), reflect.ValueOf(from.DeepCopyObject())
	if to.Type() != result.Type() {
		return fmt.Errorf("the read returned a %s, not a %s", result.Type(), to.Type())
	}
	to.Elem().Set(result.Elem())
	return nil
}
