// Package internalv1alpha1 has the kind of the API group internal.pressroom.dev, IdempotencyRecord. The programs of an installation write
// it and read it, and nobody else does: it may change in any version, without notice.
// +kubebuilder:object:generate=true
// +groupName=internal.pressroom.dev
// +versionName=v1alpha1
package internalv1alpha1

import (
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GroupVersion is the group and version of the kind in this package.
var GroupVersion = schema.GroupVersion{Group: "internal.pressroom.dev", Version: "v1alpha1"}

// SchemeBuilder collects the functions that add this package's kind to a scheme.
var SchemeBuilder = runtime.NewSchemeBuilder(addKnownTypes)

// AddToScheme adds this package's kind to a scheme.
var AddToScheme = SchemeBuilder.AddToScheme

func addKnownTypes(scheme *runtime.Scheme) error {
	scheme.AddKnownTypes(GroupVersion, &IdempotencyRecord{}, &IdempotencyRecordList{})
	metav1.AddToGroupVersion(scheme, GroupVersion)
	return nil
}
