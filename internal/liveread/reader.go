// Package liveread reads objects from kube-apiserver. Callers that ask for the same object at about the same time share a read,
// and every caller still gets what was stored at the time of its call or of Since, or later.
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

// timeout bounds a shared read. The contexts of its callers do not: it serves several of them.
const timeout = 30 * time.Second

// keep is how long the result of a read is kept for callers with Since.
const keep = time.Second

// Reader shares reads of single objects. As in group commit, an object has at most one read in progress, and one that starts when that
// ends. A caller waits for the second one, because a read in progress may return a state from before the call. A caller with Since takes
// an earlier one if that began late enough.
type Reader struct {
	client.Reader

	mu    sync.Mutex
	reads map[object]*reads
}

// reads holds the reads of one object.
type reads struct {
	// last has ended, without an error. It is nil if there was none for a while.
	last *read
	// current is in progress, and next starts when it ends. They are nil if there is none.
	current, next *read
}

// object identifies the object of a read. Typed and metadata-only reads of an object differ in kind or in Go type.
type object struct {
	goType reflect.Type
	kind   schema.GroupVersionKind
	key    types.NamespacedName
}

// read is one request, and its result once done is closed.
type read struct {
	began time.Time
	done  chan struct{}
	obj   client.Object
	err   error
}

// New returns a Reader over one that does not read from a cache. Lists, and reads with options, are not shared.
func New(live client.Reader) *Reader {
	return &Reader{Reader: live, reads: map[object]*reads{}}
}

// sinceKey is the key of the time of Since in a context.
type sinceKey struct{}

// Since returns a context in which Get returns an object as it is stored at a time or later. That may be before the call, such as the
// time at which the caller decided what to do.
func Since(ctx context.Context, at time.Time) context.Context {
	return context.WithValue(ctx, sinceKey{}, at)
}

// Get reads an object as it is stored at the time of the call or later. It returns when ctx ends, even if the read has not ended.
func (r *Reader) Get(ctx context.Context, key client.ObjectKey, obj client.Object, opts ...client.GetOption) error {
	if len(opts) > 0 {
		return r.Reader.Get(ctx, key, obj, opts...)
	}
	shared := r.nextRead(ctx, key, obj)
	select {
	case <-shared.done:
	case <-ctx.Done():
		return ctx.Err()
	}
	if shared.err != nil {
		return shared.err
	}
	// Each caller gets its own copy. The types match, because a read is identified by the type too.
	reflect.ValueOf(obj).Elem().Set(reflect.ValueOf(shared.obj.DeepCopyObject()).Elem())
	return nil
}

// nextRead returns the next read of the object to start: now, or when the one in progress ends. With Since, it may return one that has
// begun or ended.
func (r *Reader) nextRead(ctx context.Context, key client.ObjectKey, obj client.Object) *read {
	id := object{reflect.TypeOf(obj), obj.GetObjectKind().GroupVersionKind(), key}
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.reads[id]
	if of == nil {
		of = &reads{}
		r.reads[id] = of
	}
	at, since := ctx.Value(sinceKey{}).(time.Time)
	for _, earlier := range []*read{of.last, of.current} {
		if since && earlier != nil && !earlier.began.Before(at) {
			return earlier
		}
	}
	next := of.next
	if next == nil {
		next = newRead(obj)
		of.next = next
	}
	if of.current == nil {
		go r.run(context.WithoutCancel(ctx), id, of.begin())
	}
	return next
}

// begin takes the read that callers wait for as the current one; nil if they wait for none. It is called with the lock held.
func (of *reads) begin() *read {
	of.current, of.next = of.next, nil
	if of.current != nil {
		of.current.began = time.Now()
	}
	return of.current
}

// run makes the reads of an object one after another, until no caller waits for another one.
func (r *Reader) run(ctx context.Context, id object, current *read) {
	for current != nil {
		reading, cancel := context.WithTimeout(ctx, timeout)
		current.err = r.Reader.Get(reading, id.key, current.obj)
		cancel()
		close(current.done)
		current = r.takeNext(id)
	}
}

// takeNext ends the current read, and returns the one that callers wait for, or nil.
func (r *Reader) takeNext(id object) *read {
	r.mu.Lock()
	defer r.mu.Unlock()
	of := r.reads[id]
	of.last = nil
	if of.current.err == nil {
		of.last = of.current
	}
	next := of.begin()
	if next == nil {
		time.AfterFunc(keep, func() { r.forget(id, of) })
	}
	return next
}

// forget drops the result of the last read of an object, if none began meanwhile.
func (r *Reader) forget(id object, of *reads) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if of.current == nil && (of.last == nil || time.Since(of.last.began) >= keep) && r.reads[id] == of {
		delete(r.reads, id)
	}
}

func newRead(like client.Object) *read {
	empty, ok := reflect.TypeAssert[client.Object](reflect.New(reflect.TypeOf(like).Elem()))
	if ok {
		empty.GetObjectKind().SetGroupVersionKind(like.GetObjectKind().GroupVersionKind())
	}
	return &read{done: make(chan struct{}), obj: empty}
}
