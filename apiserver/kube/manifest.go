package kube

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// refuseApplied returns a conflict if a manager applies some of these fields from a manifest: it would change them back.
func refuseApplied(managed []metav1.ManagedFieldsEntry, fields []fieldpath.Path) error {
	for _, m := range managed {
		if !applies(m) {
			continue
		}
		owned := fieldsOf(m)
		var applied []string
		for _, f := range fields {
			if touches(owned, f) {
				applied = append(applied, f.String())
			}
		}
		if slices.Sort(applied); len(applied) > 0 {
			return problem.Managed(m.Manager, "change", applied...)
		}
	}
	return nil
}

// RefuseDelete returns a conflict if a manager applies an object from a manifest: it would create it again. Every manifest of the kind has
// the field required, such as .spec.domain, or a part of it.
func RefuseDelete(o client.Object, required string) error {
	for _, m := range o.GetManagedFields() {
		if applies(m) && (hasField(m, required) || hasPart(m, required)) {
			return problem.Managed(m.Manager, "delete")
		}
	}
	return nil
}

// WrittenByOthers reports whether another manager than this one has written a field, such as .spec.suspend.
func WrittenByOthers(o client.Object, field, manager string) bool {
	return slices.ContainsFunc(o.GetManagedFields(), func(m metav1.ManagedFieldsEntry) bool {
		return m.Manager != manager && m.Subresource == "" && hasField(m, field)
	})
}

// applies reports whether an entry is of a manager that applies a manifest, as Flux and Argo CD do. What kubectl edit or the facade has
// written is in no manifest.
func applies(m metav1.ManagedFieldsEntry) bool {
	return m.Operation == metav1.ManagedFieldsOperationApply && m.Subresource == ""
}

// touches reports whether a set has a field, or a part of it, or what it is a part of.
func touches(owned *fieldpath.Set, field fieldpath.Path) bool {
	found := false
	owned.Iterate(func(p fieldpath.Path) {
		n := min(len(p), len(field))
		found = found || p[:n].Equals(field[:n])
	})
	return found
}

// hasField reports whether a manager has written a field.
func hasField(m metav1.ManagedFieldsEntry, field string) bool {
	found := false
	fieldsOf(m).Iterate(func(p fieldpath.Path) { found = found || p.String() == field })
	return found
}

// hasPart reports whether a manager has written a part of a field.
func hasPart(m metav1.ManagedFieldsEntry, field string) bool {
	found := false
	fieldsOf(m).Iterate(func(p fieldpath.Path) { found = found || strings.HasPrefix(p.String(), field+".") })
	return found
}

func fieldsOf(m metav1.ManagedFieldsEntry) *fieldpath.Set {
	set := &fieldpath.Set{}
	if m.FieldsV1 == nil || set.FromJSON(m.FieldsV1.GetRawReader()) != nil {
		return &fieldpath.Set{}
	}
	return set
}
