package moneywalk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// store is kube-apiserver in memory: creation, merge patches with optimistic locks, the status subresource, deletion with
// preconditions.
type store struct {
	now     func() metav1.Time
	scheme  *runtime.Scheme
	objects map[string]client.Object
	version int
	// wrote is called for each write, with nil for what is not there.
	wrote func(old, now client.Object)
}

func (s *store) gvk(o runtime.Object) schema.GroupVersionKind {
	gvk, err := apiutil.GVKForObject(o, s.scheme)
	if err != nil {
		panic(err)
	}
	return gvk
}

func resource(kind string) schema.GroupResource {
	return schema.GroupResource{Group: v1alpha1.GroupVersion.Group, Resource: strings.ToLower(kind) + "s"}
}

func (s *store) path(o client.Object, key client.ObjectKey) string {
	return s.gvk(o).Kind + "/" + key.String()
}

func (s *store) find(o client.Object, key client.ObjectKey) (client.Object, error) {
	found, ok := s.objects[s.path(o, key)]
	if !ok {
		return nil, apierrors.NewNotFound(resource(s.gvk(o).Kind), key.Name)
	}
	return found, nil
}

// copyInto sets an object to another one, of the same type or of its metadata.
func copyInto(from, to client.Object) {
	if partial, ok := to.(*metav1.PartialObjectMetadata); ok {
		accessor, err := meta.Accessor(from.DeepCopyObject())
		if err != nil {
			panic(err)
		}
		gvk := partial.GroupVersionKind()
		*partial = *meta.AsPartialObjectMetadata(accessor)
		partial.SetGroupVersionKind(gvk)
		return
	}
	data, err := json.Marshal(from)
	if err == nil {
		data, err = json.Marshal(json.RawMessage(data))
	}
	if err == nil {
		zero(to)
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		panic(err)
	}
}

func zero(o client.Object) {
	switch o := o.(type) {
	case *v1alpha1.Article:
		*o = v1alpha1.Article{}
	case *v1alpha1.Account:
		*o = v1alpha1.Account{}
	case *v1alpha1.Site:
		*o = v1alpha1.Site{}
	case *v1alpha1.ArticleRevision:
		*o = v1alpha1.ArticleRevision{}
	case *v1alpha1.IdempotencyRecord:
		*o = v1alpha1.IdempotencyRecord{}
	}
}

func (s *store) get(key client.ObjectKey, into client.Object) error {
	found, err := s.find(into, key)
	if err != nil {
		return err
	}
	copyInto(found, into)
	return nil
}

func (s *store) create(o client.Object) error {
	path := s.path(o, client.ObjectKeyFromObject(o))
	if _, ok := s.objects[path]; ok {
		return apierrors.NewAlreadyExists(resource(s.gvk(o).Kind), o.GetName())
	}
	s.version++
	o.SetUID(types.UID(fmt.Sprintf("uid-%d", s.version)))
	o.SetResourceVersion(strconv.Itoa(s.version))
	o.SetGeneration(1)
	o.SetCreationTimestamp(s.now())
	stored, _ := o.DeepCopyObject().(client.Object)
	s.objects[path] = stored
	s.wrote(nil, stored)
	return nil
}

// patch applies a merge patch to an object, or to its status alone.
func (s *store) patch(o client.Object, p client.Patch, status bool) error {
	stored, err := s.find(o, client.ObjectKeyFromObject(o))
	if err != nil {
		return err
	}
	data, err := p.Data(o)
	if err != nil || p.Type() != types.MergePatchType {
		return fmt.Errorf("not a merge patch: %s: %w", p.Type(), err)
	}
	var lock struct {
		Metadata struct {
			ResourceVersion string `json:"resourceVersion"`
		} `json:"metadata"`
	}
	if err := json.Unmarshal(data, &lock); err != nil {
		return err
	}
	if v := lock.Metadata.ResourceVersion; v != "" && v != stored.GetResourceVersion() {
		return apierrors.NewConflict(resource(s.gvk(o).Kind), o.GetName(), errors.New("the object has been modified"))
	}
	before, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	after, err := merged(before, data, status)
	if err != nil {
		return err
	}
	changed, _ := stored.DeepCopyObject().(client.Object)
	zero(changed)
	if err := json.Unmarshal(after, changed); err != nil {
		return err
	}
	if !equality.Semantic.DeepEqual(stored, changed) {
		s.version++
		changed.SetResourceVersion(strconv.Itoa(s.version))
		if !status {
			changed.SetGeneration(stored.GetGeneration() + 1)
		}
		s.objects[s.path(o, client.ObjectKeyFromObject(o))] = changed
		s.wrote(stored, changed)
	}
	copyInto(changed, o)
	return nil
}

// merged returns the object after a merge patch (RFC 7396). The patch changes the status, or everything else.
func merged(before, data []byte, status bool) ([]byte, error) {
	var was, patch map[string]any
	if err := errors.Join(json.Unmarshal(before, &was), json.Unmarshal(data, &patch)); err != nil {
		return nil, err
	}
	for name := range patch {
		if (name == "status") != status {
			delete(patch, name)
		}
	}
	return json.Marshal(merge(was, patch))
}

func merge(into any, patch map[string]any) map[string]any {
	out, ok := into.(map[string]any)
	if !ok {
		out = map[string]any{}
	}
	for name, value := range patch {
		switch value := value.(type) {
		case nil:
			delete(out, name)
		case map[string]any:
			out[name] = merge(out[name], value)
		default:
			out[name] = value
		}
	}
	return out
}

func (s *store) delete(o client.Object, options ...client.DeleteOption) error {
	stored, err := s.find(o, client.ObjectKeyFromObject(o))
	if err != nil {
		return err
	}
	var do client.DeleteOptions
	do.ApplyOptions(options)
	if p := do.Preconditions; p != nil && (p.UID != nil && *p.UID != stored.GetUID() || p.ResourceVersion != nil && *p.ResourceVersion != stored.GetResourceVersion()) {
		return apierrors.NewConflict(resource(s.gvk(o).Kind), o.GetName(), errors.New("the precondition failed"))
	}
	delete(s.objects, s.path(o, client.ObjectKeyFromObject(o)))
	s.wrote(stored, nil)
	for path, other := range s.objects {
		if metav1.IsControlledBy(other, stored) {
			delete(s.objects, path)
		}
	}
	return nil
}

func (s *store) list(list client.ObjectList, options ...client.ListOption) error {
	var lo client.ListOptions
	lo.ApplyOptions(options)
	kind := strings.TrimSuffix(s.gvk(list).Kind, "List")
	var items []runtime.Object
	for path, o := range s.objects {
		if strings.HasPrefix(path, kind+"/") && (lo.Namespace == "" || o.GetNamespace() == lo.Namespace) {
			items = append(items, o.DeepCopyObject())
		}
	}
	return meta.SetList(list, items)
}

// articles returns the articles that exist, by name.
func (s *store) articles() []*v1alpha1.Article {
	var found []*v1alpha1.Article
	for _, o := range s.objects {
		if a, ok := o.(*v1alpha1.Article); ok {
			found = append(found, a.DeepCopy())
		}
	}
	return found
}

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
}

// op is a request of a process that waits.
type op struct {
	of   *view
	what string
	let  chan verdict
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
	o := &op{of: v, what: what, let: make(chan verdict, 1)}
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
			return v.w.locked(do)
		}
	case <-ctx.Done():
		v.w.drop(o)
		return ctx.Err()
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

func (v *view) List(_ context.Context, list client.ObjectList, options ...client.ListOption) error {
	return v.w.locked(func() error { return v.w.store.list(list, options...) })
}

func (v *view) Create(ctx context.Context, o client.Object, _ ...client.CreateOption) error {
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
