package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Restored reports whether an object is not the one that the controller has seen under its annotation UIDAnnotation: it comes from a
// backup, or was copied.
func Restored(o metav1.Object) bool {
	seen := o.GetAnnotations()[UIDAnnotation]
	return seen != "" && seen != string(o.GetUID())
}
