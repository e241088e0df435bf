package moneywalk_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/labels"
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
	// admit refuses objects that are to be created; nil refuses none.
	admit func(client.Object) error
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
	reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from.DeepCopyObject()).Elem())
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
	if s.admit != nil {
		if err := s.admit(o); err != nil {
			return err
		}
	}
	s.version++
	o.SetUID(types.UID(fmt.Sprintf("%08d-uid", s.version)))
	o.SetResourceVersion(strconv.Itoa(s.version))
	o.SetGeneration(1)
	o.SetCreationTimestamp(s.now())
	setDefaults(o)
	stored, _ := o.DeepCopyObject().(client.Object)
	s.objects[path] = stored
	s.wrote(nil, stored)
	return nil
}

// setDefaults sets the defaults of status that the schema has.
func setDefaults(o client.Object) {
	switch o := o.(type) {
	case *v1alpha1.Account:
		o.Status.ObservedGeneration = -1
	case *v1alpha1.Article:
		o.Status.ObservedGeneration = -1
	}
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
	before, err := json.Marshal(stored)
	if err != nil {
		return err
	}
	after, err := merged(before, data, status)
	if err != nil {
		return err
	}
	changed, err := decoded(after, stored)
	if err != nil {
		return err
	}
	return s.replace(o, stored, changed, lock.Metadata.ResourceVersion, status)
}

// updateStatus replaces the status alone, as kube-apiserver does for a PUT of the subresource.
func (s *store) updateStatus(o client.Object) error {
	stored, err := s.find(o, client.ObjectKeyFromObject(o))
	if err != nil {
		return err
	}
	sent, err := received(o)
	if err != nil {
		return err
	}
	changed, _ := stored.DeepCopyObject().(client.Object)
	statusField(changed).Set(statusField(sent))
	return s.replace(o, stored, changed, o.GetResourceVersion(), true)
}

// update replaces everything but the status, as kube-apiserver does for a PUT.
func (s *store) update(o client.Object) error {
	stored, err := s.find(o, client.ObjectKeyFromObject(o))
	if err != nil {
		return err
	}
	changed, err := received(o)
	if err != nil {
		return err
	}
	kept, _ := stored.DeepCopyObject().(client.Object)
	statusField(changed).Set(statusField(kept))
	return s.replace(o, stored, changed, o.GetResourceVersion(), false)
}

// decoded returns an object of the same type as another one.
func decoded(data []byte, like client.Object) (client.Object, error) {
	o, _ := reflect.TypeAssert[client.Object](reflect.New(reflect.TypeOf(like).Elem()))
	return o, json.Unmarshal(data, o)
}

// received returns an object as kube-apiserver receives it.
func received(o client.Object) (client.Object, error) {
	data, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	return decoded(data, o)
}

func statusField(o client.Object) reflect.Value {
	return reflect.ValueOf(o).Elem().FieldByName("Status")
}

// replace writes an object in place of the stored one, if that has the version that the caller has read. No version means any.
func (s *store) replace(o, stored, changed client.Object, version string, status bool) error {
	if version != "" && version != stored.GetResourceVersion() {
		return apierrors.NewConflict(resource(s.gvk(o).Kind), o.GetName(), errors.New("the object has been modified"))
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
	return nil
}

// collect deletes what belongs to an owner that is gone, as the garbage collector does.
func (s *store) collect() {
	uids := map[types.UID]bool{}
	for _, o := range s.objects {
		uids[o.GetUID()] = true
	}
	maps.DeleteFunc(s.objects, func(_ string, o client.Object) bool {
		owner := metav1.GetControllerOf(o)
		return owner != nil && !uids[owner.UID]
	})
}

// list answers with the objects in the order of their names, as etcd has them.
func (s *store) list(list client.ObjectList, options ...client.ListOption) error {
	var lo client.ListOptions
	lo.ApplyOptions(options)
	kind := strings.TrimSuffix(s.gvk(list).Kind, "List")
	var items []runtime.Object
	for _, path := range slices.Sorted(maps.Keys(s.objects)) {
		o := s.objects[path]
		if !strings.HasPrefix(path, kind+"/") || lo.Namespace != "" && o.GetNamespace() != lo.Namespace || !selected(o, lo) {
			continue
		}
		if _, partial := list.(*metav1.PartialObjectMetadataList); partial {
			item := &metav1.PartialObjectMetadata{}
			copyInto(o, item)
			items = append(items, item)
			continue
		}
		items = append(items, o.DeepCopyObject())
	}
	return meta.SetList(list, items)
}

// selected reports whether an object has the labels and the fields that a list asks for.
func selected(o client.Object, lo client.ListOptions) bool {
	if lo.LabelSelector != nil && !lo.LabelSelector.Matches(labels.Set(o.GetLabels())) {
		return false
	}
	if lo.FieldSelector == nil {
		return true
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		panic(err)
	}
	return !slices.ContainsFunc(lo.FieldSelector.Requirements(), func(wanted fields.Requirement) bool {
		value, _, _ := unstructured.NestedString(content, strings.Split(wanted.Field, ".")...)
		return value != wanted.Value
	})
}

// articles returns the articles that exist, by name.
func (s *store) articles() []*v1alpha1.Article {
	var found []*v1alpha1.Article
	for _, path := range slices.Sorted(maps.Keys(s.objects)) {
		if a, ok := s.objects[path].(*v1alpha1.Article); ok {
			found = append(found, a.DeepCopy())
		}
	}
	return found
}
