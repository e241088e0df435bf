// Package liveread reads objects from kube-apiserver. Callers that ask for the same object at about the same time share a read,
// and every caller still gets what was stored at the time of its call, or later, unless it accepts an earlier read (see After).
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
// that ends. A caller joins the second: a read that has started already may return a state from before the call. A caller that knows
// that any read is new enough which started after some write is also given an earlier one (see After).
type Reader struct {
	client.Reader
	newest *Newest

	mu    sync.Mutex
	reads map[object]*reads
}

// reads are those of one object.
type reads struct {
	// current is in progress, or has ended and is kept for callers with After. next starts when it ends; nil if nobody waits for it.
	current, next *read
	inProgress    bool
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
	// keep means that a caller with After has it.
	keep bool
	// began is when it started, and newest the version that had been seen by then.
	began  time.Time
	newest string
}

// New returns a Reader over one that does not read from a cache. Lists, and reads with options, are not shared. newest is what After
// compares with; nil if nobody uses it.
func New(live client.Reader, newest *Newest) *Reader {
	return &Reader{Reader: live, newest: newest, reads: map[object]*reads{}}
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

// join returns a read of the object that starts now, or when the one in progress ends, or an earlier one that the caller accepts.
func (r *Reader) join(ctx context.Context, key client.ObjectKey, obj client.Object) *read {
	id := object{reflect.TypeOf(obj), obj.GetObjectKind().GroupVersionKind(), key}
	version := accepted(ctx)
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.reads[id]
	if of == nil {
		of = &reads{}
		r.reads[id] = of
	}
	var joined *read
	switch {
	case of.current.startedAfter(version):
		joined = of.current
	case !of.inProgress:
		of.inProgress, of.current = true, newRead(obj)
		r.start(of.current)
		go r.run(context.WithoutCancel(ctx), id, of.current)
		joined = of.current
	default:
		if of.next == nil {
			of.next = newRead(obj)
		}
		joined = of.next
	}
	joined.keep = joined.keep || version != ""
	return joined
}

// start notes what is known when a read starts.
func (r *Reader) start(of *read) { of.began, of.newest = time.Now(), r.newest.version() }

// run makes the reads of an object, one after the other, until nobody waits for another one.
func (r *Reader) run(ctx context.Context, id object, current *read) {
	for current != nil {
		current.err = r.get(ctx, id.key, current.obj)
		close(current.done)
		current = r.following(id)
	}
}

// following returns the read that somebody waits for, or nil. The last one is forgotten, in a while if it is kept.
func (r *Reader) following(id object) *read {
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.reads[id]
	if of.next != nil {
		of.current, of.next = of.next, nil
		r.start(of.current)
		return of.current
	}
	of.inProgress = false
	last := of.current
	if last.keep && last.err == nil {
		time.AfterFunc(maxAge, func() { r.forget(id, last) })
	} else {
		delete(r.reads, id)
	}
	return nil
}

// forget drops a read that was kept, unless another one has taken its place.
func (r *Reader) forget(id object, last *read) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if of := r.reads[id]; of != nil && of.current == last && !of.inProgress {
		delete(r.reads, id)
	}
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
