package index

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// lastApplied is the annotation in which client-side kubectl apply keeps the whole manifest with its text.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// transformedBy is the manager of the one entry that replaces the managed fields of an article, and marks it as transformed. The
// entry has the time of the last write and no operation. kube-apiserver never returns an entry without an operation, and refuses
// one: the mark cannot be forged, and a transformed article cannot be written back.
const transformedBy = "pressroom-index"

func isTransformed(a *v1alpha1.Article) bool {
	return len(a.ManagedFields) == 1 && a.ManagedFields[0].Manager == transformedBy && a.ManagedFields[0].Operation == ""
}

// UpdatedAt returns when an article was last written, in whole seconds: metadata.managedFields has a time for each manager. It
// holds for transformed articles too.
func UpdatedAt(a *v1alpha1.Article) time.Time {
	updated := a.CreationTimestamp.Time
	for _, m := range a.ManagedFields {
		if m.Time != nil && m.Time.After(updated) {
			updated = m.Time.Time
		}
	}
	return updated
}

// CacheByObject configures a cache for the kinds that the index watches.
func (x *Index) CacheByObject() (map[client.Object]cache.ByObject, error) {
	isWorkspace, err := labels.NewRequirement(v1alpha1.AccountLabel, selection.Exists, nil)
	if err != nil {
		return nil, err
	}
	strip := cache.TransformStripManagedFields()
	return map[client.Object]cache.ByObject{
		&v1alpha1.Article{}: {Transform: x.Transform()},
		&v1alpha1.Site{}:    {Transform: strip},
		&corev1.Namespace{}: {Transform: strip, Label: labels.NewSelector().Add(*isWorkspace)},
	}, nil
}

// Transform returns the function by which a cache removes from Articles what is large and not listed: the author's text, managed
// fields, kubectl's copy of the manifest, and the attempts of deliveries.
//
// A transformed Article differs from the stored one: status.phase is not the stored phase but the one that is derived here,
// from the whole article, since it depends on the author's text. So package lifecycle gives wrong answers for it. Only this
// package reads its status.phase; everybody else uses Article.Phase.
func (x *Index) Transform() toolscache.TransformFunc {
	return func(o any) (any, error) {
		if a, ok := o.(*v1alpha1.Article); ok {
			x.arriving.receive(a, x.clock.Now())
			x.strip(a)
		}
		return o, nil
	}
}

func (x *Index) strip(a *v1alpha1.Article) {
	// A reflector that streams its first list transforms each object twice. The second time the text is missing, so the phase
	// of the first time must stay.
	if isTransformed(a) {
		return
	}
	a.Status.Phase = x.phase(a, x.clock.Now())
	a.ManagedFields = []metav1.ManagedFieldsEntry{{Manager: transformedBy, Time: new(metav1.NewTime(UpdatedAt(a)))}}
	delete(a.Annotations, lastApplied)
	if a.Status.Publication != nil {
		a.Status.Publication.Attempts, a.Status.Publication.LastAnswer = nil, nil
	}
	if a.Spec.Content != nil {
		a.Spec.Content.Markdown = ""
		a.Spec.Content.FAQ = nil
	}
}
