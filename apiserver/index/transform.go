package index

import (
	"strconv"

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

// transformer manages the only managed field of a transformed article. kube-apiserver never returns an entry without an operation,
// and refuses one: the mark cannot be forged, and a transformed article cannot be written back.
const transformer = "pressroom-index"

// transformed replaces the managed fields of an article, and marks it as transformed. textBytes is the size of the author's text
// that was removed.
func transformed(textBytes int64) []metav1.ManagedFieldsEntry {
	if textBytes == 0 {
		return withoutText
	}
	return []metav1.ManagedFieldsEntry{{Manager: transformer, Subresource: strconv.FormatInt(textBytes, 10)}}
}

// withoutText is shared by the articles without a text of their authors.
var withoutText = []metav1.ManagedFieldsEntry{{Manager: transformer}}

func isTransformed(a *v1alpha1.Article) bool {
	return len(a.ManagedFields) == 1 && a.ManagedFields[0].Manager == transformer && a.ManagedFields[0].Operation == ""
}

// textBytes returns the size of the author's text that was removed from a transformed article.
func textBytes(a *v1alpha1.Article) int64 {
	if !isTransformed(a) {
		return 0
	}
	// An empty one is 0.
	n, _ := strconv.ParseInt(a.ManagedFields[0].Subresource, 10, 64)
	return n
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
		// Its metadata are watched, of which only the name is used.
		&v1alpha1.EventSubscription{}: {Transform: strip},
		&corev1.Namespace{}:           {Transform: strip, Label: labels.NewSelector().Add(*isWorkspace)},
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
	a.ManagedFields = transformed(a.Spec.Content.TextBytes())
	delete(a.Annotations, lastApplied)
	if a.Status.Publication != nil {
		a.Status.Publication.Attempts, a.Status.Publication.LastAnswer = nil, nil
	}
	if a.Spec.Content != nil {
		a.Spec.Content.Markdown = ""
		a.Spec.Content.FAQ = nil
	}
}
