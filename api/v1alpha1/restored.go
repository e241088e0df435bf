package v1alpha1

import metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

// Copied reports whether an object is not the one that the controller has seen under its annotation UIDAnnotation: it comes from a
// backup, or was copied.
func Copied(o metav1.Object) bool {
	seen := o.GetAnnotations()[UIDAnnotation]
	return seen != "" && seen != string(o.GetUID())
}

// Confirmed reports whether somebody has confirmed, by the annotation RestoreConfirmedAnnotation, that the object may be used.
func Confirmed(o metav1.Object) bool {
	return o.GetUID() != "" && o.GetAnnotations()[RestoreConfirmedAnnotation] == string(o.GetUID())
}

// Restored reports whether the site comes from a backup, or was copied, and nobody has confirmed yet that it may be used.
func (s *Site) Restored() bool { return Copied(s) && s.Status.ConfirmedUID != string(s.UID) }
