// Package liveread reads objects from kube-apiserver. Callers that ask for the same object at about the same time share a read,
// and every caller still gets what was stored at the time of its call, or later.
package liveread

import (
	"context"
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

	mu    sync.Mutex
	reads map[object]*reads
}

// reads are those of one object while one is in progress.
type reads struct {
	// next starts when the one in progress ends; nil if nobody waits for it.
	next *read
}

// object identifies what is read. Typed and metadata-only reads of an object differ in kind or in Go type.
type object struct {
	goType reflect.Type
	kind   schema.GroupVersionKind
	key    types.NamespacedName
}

// read is one request, and its result once done is closed.
type read struct {
	done chan struct{}
	obj  client.Object
	err  error
}

// New returns a Reader over one that does not read from a cache. Lists, and reads with options, are not shared.
func New(live client.Reader) *Reader {
	return &Reader{Reader: live, reads: map[object]*reads{}}
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
	// Each caller gets an object of its own. The types are the same: they are a part of what identifies a read.
	reflect.ValueOf(obj).Elem().Set(reflect.ValueOf(shared.obj.DeepCopyObject()).Elem())
	return nil
}

// join returns a read of the object that starts now, or when the one in progress ends.
func (r *Reader) join(ctx context.Context, key client.ObjectKey, obj client.Object) *read {
	id := object{reflect.TypeOf(obj), obj.GetObjectKind().GroupVersionKind(), key}
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.reads[id]
	if of == nil {
		r.reads[id] = &reads{}
		first := newRead(obj)
		go r.run(context.WithoutCancel(ctx), id, first)
		return first
	}
	if of.next == nil {
		of.next = newRead(obj)
	}
	return of.next
}

// run makes the reads of an object, one after the other, until nobody waits for another one.
func (r *Reader) run(ctx context.Context, id object, current *read) {
	for current != nil {
		current.err = r.get(ctx, id.key, current.obj)
		close(current.done)
		current = r.following(id)
	}
}

// following returns the read that somebody waits for, or nil.
func (r *Reader) following(id object) *read {
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.reads[id]
	next := of.next
	of.next = nil
	if next == nil {
		delete(r.reads, id)
	}
	return next
}

func (r *Reader) get(ctx context.Context, key client.ObjectKey, obj client.Object) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return r.Reader.Get(ctx, key, obj)
}

func newRead(like client.Object) *read {
	empty, ok := reflect.TypeAssert[client.Object](reflect.New(reflect.TypeOf(like).Elem()))
	if ok {
		empty.GetObjectKind().SetGroupVersionKind(like.GetObjectKind().GroupVersionKind())
	}
	return &read{done: make(chan struct{}), obj: empty}
}
