package operationtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/apiutil"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
)

func newFakeObjects() *fakeObjects {
	return &fakeObjects{
		Articles: map[client.ObjectKey]*v1alpha1.Article{}, Records: map[client.ObjectKey]*internalv1alpha1.IdempotencyRecord{},
		others: others{},
	}
}

var scheme = func() *runtime.Scheme {
	s := runtime.NewScheme()
	utilruntime.Must(v1alpha1.AddToScheme(s))
	utilruntime.Must(internalv1alpha1.AddToScheme(s))
	return s
}()

// fakeObjects is a kube-apiserver that creates and gets. Edits are tested on a real one.
type fakeObjects struct {
	client.Client
	mu  sync.Mutex
	Err error
	// ArticleErr is that of creating an article.
	ArticleErr error
	// KeyErr is that of creating an API key.
	KeyErr error
	// OnPatch is called after an article has changed. It may be nil.
	OnPatch func()
	// DeleteErr is that of deleting an article.
	DeleteErr error
	// OnDelete is called before an article is deleted.
	OnDelete func(name string)
	// BeforeArticle is called before an article is created.
	BeforeArticle func(client.ObjectKey)
	Articles      map[client.ObjectKey]*v1alpha1.Article
	Revisions     map[client.ObjectKey]*v1alpha1.ArticleRevision
	Records       map[client.ObjectKey]*internalv1alpha1.IdempotencyRecord
	Reads         int
	Ledger        *v1alpha1.AccountLedger
	// Made counts the articles that were created, and RecordsBegun the requests to create a record.
	Made, RecordsBegun int
	others             others
}

func (o *fakeObjects) Get(_ context.Context, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.Reads++
	if o.Err != nil {
		return o.Err
	}
	switch into := into.(type) {
	case *v1alpha1.Article:
		if a, ok := o.Articles[key]; ok {
			a.DeepCopyInto(into)
			return nil
		}
	case *v1alpha1.AccountLedger:
		if o.Ledger != nil {
			o.Ledger.DeepCopyInto(into)
			return nil
		}
	case *internalv1alpha1.IdempotencyRecord:
		return o.getRecord(key, into)
	case *v1alpha1.ArticleRevision:
		if r, ok := o.Revisions[key]; ok {
			r.DeepCopyInto(into)
			return nil
		}
	default:
		if found, ok := o.others[nameOf(into, key)]; ok {
			reflect.ValueOf(into).Elem().Set(reflect.ValueOf(found.DeepCopyObject()).Elem())
			return nil
		}
	}
	return apierrors.NewNotFound(schema.GroupResource{Resource: "articles"}, key.Name)
}

// GroupVersionKindFor is asked for the names of resources in errors.
func (o *fakeObjects) GroupVersionKindFor(object runtime.Object) (schema.GroupVersionKind, error) {
	return apiutil.GVKForObject(object, scheme)
}

func (o *fakeObjects) getRecord(key client.ObjectKey, into *internalv1alpha1.IdempotencyRecord) error {
	r, ok := o.Records[key]
	if !ok {
		return apierrors.NewNotFound(schema.GroupResource{Resource: "idempotencyrecords"}, key.Name)
	}
	r.DeepCopyInto(into)
	return nil
}

// keep stores an object of another kind as it is.
func (o *fakeObjects) keep(object client.Object) error {
	if o.Err == nil {
		kept, _ := object.DeepCopyObject().(client.Object)
		o.others[nameOf(object, client.ObjectKeyFromObject(object))] = kept
	}
	return o.Err
}

// Patch stores the object that the caller has made of an earlier one.
func (o *fakeObjects) Patch(_ context.Context, object client.Object, _ client.Patch, _ ...client.PatchOption) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if a, ok := object.(*v1alpha1.Article); ok {
		o.Articles[client.ObjectKeyFromObject(a)] = a.DeepCopy()
		if o.OnPatch != nil {
			o.OnPatch()
		}
		return o.Err
	}
	r, ok := object.(*internalv1alpha1.IdempotencyRecord)
	if !ok {
		return o.keep(object)
	}
	key := client.ObjectKeyFromObject(r)
	switch stored, ok := o.Records[key]; {
	case o.Err != nil:
		return o.Err
	case !ok:
		return apierrors.NewNotFound(schema.GroupResource{Resource: "idempotencyrecords"}, key.Name)
	case stored.ResourceVersion != r.ResourceVersion:
		return apierrors.NewConflict(schema.GroupResource{Resource: "idempotencyrecords"}, key.Name, errors.New("it has been modified"))
	}
	r.ResourceVersion += "1"
	o.Records[key] = r.DeepCopy()
	return nil
}

// Delete deletes an object without a look at preconditions.
func (o *fakeObjects) Delete(_ context.Context, object client.Object, _ ...client.DeleteOption) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if _, ok := object.(*internalv1alpha1.IdempotencyRecord); ok {
		delete(o.Records, client.ObjectKeyFromObject(object))
		return nil
	}
	if _, ok := object.(*v1alpha1.Article); !ok {
		delete(o.others, nameOf(object, client.ObjectKeyFromObject(object)))
		return o.Err
	}
	if o.OnDelete != nil {
		o.OnDelete(object.GetName())
	}
	if o.DeleteErr != nil {
		return o.DeleteErr
	}
	delete(o.Articles, client.ObjectKeyFromObject(object))
	return nil
}

func (o *fakeObjects) Create(_ context.Context, object client.Object, _ ...client.CreateOption) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.Err != nil {
		return o.Err
	}
	key := client.ObjectKeyFromObject(object)
	if r, ok := object.(*internalv1alpha1.IdempotencyRecord); ok {
		o.RecordsBegun++
		if _, ok := o.Records[key]; ok {
			return apierrors.NewAlreadyExists(schema.GroupResource{Resource: "idempotencyrecords"}, key.Name)
		}
		r.UID, r.ResourceVersion = "r", "1"
		o.Records[key] = r.DeepCopy()
		return nil
	}
	if _, ok := object.(*v1alpha1.APIKey); ok && o.KeyErr != nil {
		return o.KeyErr
	}
	if _, ok := object.(*v1alpha1.Brief); ok && o.others[nameOf(object, key)] != nil {
		return apierrors.NewAlreadyExists(schema.GroupResource{Resource: "briefs"}, key.Name)
	}
	a, ok := object.(*v1alpha1.Article)
	if !ok {
		object.SetUID("o")
		return o.keep(object)
	}
	if o.ArticleErr != nil {
		return o.ArticleErr
	}
	if o.BeforeArticle != nil {
		o.BeforeArticle(key)
	}
	if _, ok := o.Articles[key]; ok {
		return apierrors.NewAlreadyExists(schema.GroupResource{Resource: "articles"}, key.Name)
	}
	o.Made++
	a.UID, a.CreationTimestamp = types.UID(strconv.Itoa(o.Made)), metav1.NewTime(Began)
	o.Articles[key] = a.DeepCopy()
	return nil
}

// Invalid is how kube-apiserver refuses an article because of a field.
func Invalid(field, message string) error {
	e := apierrors.NewInvalid(schema.GroupKind{Group: "pressroom.dev", Kind: "Article"}, "x", nil)
	e.ErrStatus.Details.Causes = []metav1.StatusCause{{Type: metav1.CauseTypeFieldValueInvalid, Field: field, Message: message}}
	return e
}

// others are objects of kinds that no test of an operation counts.
type others map[string]client.Object

// Add has kube-apiserver hold an object of another kind.
func (o *fakeObjects) Add(objects ...client.Object) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, object := range objects {
		o.others[nameOf(object, client.ObjectKeyFromObject(object))] = object
	}
}

// nameOf is the kind of an object with a key.
func nameOf(object runtime.Object, key client.ObjectKey) string {
	return strings.TrimSuffix(fmt.Sprintf("%T", object), "List") + " " + key.String()
}

// List returns objects that were added, in the order of their names.
func (o *fakeObjects) List(_ context.Context, list client.ObjectList, options ...client.ListOption) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.Err != nil {
		return o.Err
	}
	var selected client.ListOptions
	selected.ApplyOptions(options)
	var found []runtime.Object
	for _, name := range slices.Sorted(maps.Keys(o.others)) {
		object := o.others[name]
		kind, _, _ := strings.Cut(nameOf(list, client.ObjectKey{}), " ")
		if strings.HasPrefix(name, kind+" ") && matches(selected, object) {
			found = append(found, object.DeepCopyObject())
		}
	}
	return meta.SetList(list, found)
}

func matches(o client.ListOptions, object client.Object) bool {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	utilruntime.Must(err)
	if o.FieldSelector != nil {
		for _, r := range o.FieldSelector.Requirements() {
			if value, _, _ := unstructured.NestedString(content, strings.Split(r.Field, ".")...); value != r.Value {
				return false
			}
		}
	}
	return (o.Namespace == "" || o.Namespace == object.GetNamespace()) &&
		(o.LabelSelector == nil || o.LabelSelector.Matches(labels.Set(object.GetLabels())))
}
