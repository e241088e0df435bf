package rest

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// FieldManager owns the fields of what the facade creates.
const FieldManager = "pressroom-apiserver"

// Field managers: one for each concern, so that an apply of one does not remove the fields of another.
const (
	managerCreate   = FieldManager
	managerReview   = "pressroom-apiserver-review"
	managerStage    = "pressroom-apiserver-stage"
	managerContent  = "pressroom-apiserver-content"
	managerCommands = "pressroom-apiserver-commands"
)

// maxAttempts bounds how often an edit starts again because the article was written at the same time.
const maxAttempts = 8

// assignment gives a field its value.
type assignment struct {
	path  []string
	value any
}

// structValue returns a struct of strings and lists, which always has a JSON form, as the value of an assignment.
func structValue(v any) map[string]any {
	value, err := runtime.DefaultUnstructuredConverter.ToUnstructured(v)
	if err != nil {
		return nil
	}
	return value
}

// fieldEdit is an edit of one concern of an article.
type fieldEdit struct {
	// manager of the concern's fields.
	manager string
	// concern lists the fields that the manager may own. Those that it owns are applied again with their values: a field that a
	// manager does not apply again is removed.
	concern [][]string
	// must hold of the article that the edit is made on.
	must precondition
	// decide returns the assignments on the article as it is now, none if nothing changes, or an APIError.
	decide func(a *v1alpha1.Article) ([]assignment, error)
	// drop is a field of the concern that the manager no longer wants.
	drop []string
}

// apply makes an edit by server-side apply on the newest state of the article, and returns the article after it.
func (s *articles) apply(ctx context.Context, key client.ObjectKey, e fieldEdit) (*v1alpha1.Article, error) {
	var last error
	for range maxAttempts {
		a, err := s.get(ctx, key)
		if err != nil {
			return nil, err
		}
		assignments, err := e.decide(a)
		if err != nil {
			return nil, err
		}
		if len(assignments) == 0 {
			return a, nil
		}
		updated, err := s.applyTo(ctx, a, e, assignments)
		if !apierrors.IsConflict(err) {
			return updated, err
		}
		// The article was written meanwhile: decide again on what it is now.
		last = err
	}
	return nil, last
}

// applyTo applies once without force. If another manager owns a field with another value, a manifest's wins: the edit is a
// conflict. A field that no manifest applies is taken over by force.
func (s *articles) applyTo(ctx context.Context, a *v1alpha1.Article, e fieldEdit, assignments []assignment) (*v1alpha1.Article, error) {
	object, err := configuration(a, e, assignments)
	if err != nil {
		return nil, err
	}
	updated, err := s.send(ctx, object, e.manager)
	fields := conflictingFields(err)
	if len(fields) == 0 {
		return updated, err
	}
	if err := keptInManifest(a.ManagedFields, e.manager, fields); err != nil {
		return nil, err
	}
	return s.send(ctx, object, e.manager, client.ForceOwnership)
}

func (s *articles) send(
	ctx context.Context, object *unstructured.Unstructured, manager string, options ...client.ApplyOption,
) (*v1alpha1.Article, error) {
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	object = object.DeepCopy()
	options = append(options, client.FieldOwner(manager))
	if err := s.client.Apply(ctx, client.ApplyConfigurationFromUnstructured(object), options...); err != nil {
		return nil, problem.MarkUnreachable(err)
	}
	a := &v1alpha1.Article{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, a); err != nil {
		return nil, fmt.Errorf("reading the answer to an apply: %w", err)
	}
	return a, nil
}

// configuration is the object that the manager applies. It has the uid and the resourceVersion of the article, so that the apply
// creates nothing and overwrites no change that was not seen.
func configuration(a *v1alpha1.Article, e fieldEdit, assignments []assignment) (*unstructured.Unstructured, error) {
	current, err := runtime.DefaultUnstructuredConverter.ToUnstructured(a)
	if err != nil {
		return nil, fmt.Errorf("reading the article: %w", err)
	}
	out := &unstructured.Unstructured{}
	out.SetGroupVersionKind(v1alpha1.GroupVersion.WithKind("Article"))
	out.SetNamespace(a.Namespace)
	out.SetName(a.Name)
	out.SetUID(a.UID)
	out.SetResourceVersion(a.ResourceVersion)
	for _, path := range e.concern {
		value, found, err := unstructured.NestedFieldCopy(current, path...)
		if err != nil {
			return nil, fmt.Errorf("reading a field of the article: %w", err)
		}
		if found && applied(a, e.manager, path) && !slices.Equal(path, e.drop) {
			assignments = append([]assignment{{path, value}}, assignments...)
		}
	}
	for _, x := range assignments {
		if err := unstructured.SetNestedField(out.Object, x.value, x.path...); err != nil {
			return nil, fmt.Errorf("assigning a field of the article: %w", err)
		}
	}
	return out, nil
}

// applied reports whether a manager has applied a field.
func applied(a *v1alpha1.Article, manager string, path []string) bool {
	elements := make([]any, len(path))
	for i, name := range path {
		elements[i] = name
	}
	field, err := fieldpath.MakePath(elements...)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(a.ManagedFields, func(m metav1.ManagedFieldsEntry) bool {
		return m.Manager == manager && m.Operation == metav1.ManagedFieldsOperationApply && fieldsOf(m).Has(field)
	})
}

// conflictingFields returns the fields that an apply did not change because another manager owns them.
func conflictingFields(err error) []string {
	if !apierrors.IsConflict(err) {
		return nil
	}
	status := problem.StatusOf(err)
	if status == nil || status.Details == nil {
		return nil
	}
	var fields []string
	for _, cause := range status.Details.Causes {
		if cause.Type == metav1.CauseTypeFieldManagerConflict {
			fields = append(fields, cause.Field)
		}
	}
	return fields
}

// applier returns the manager that owns one of these fields by server-side apply, as Flux and Argo CD do, or "". A field that
// kubectl edit or the facade's own create wrote is in no manifest and may be taken over.
func applier(managed []metav1.ManagedFieldsEntry, except string, fields []string) string {
	for _, m := range managed {
		if m.Operation != metav1.ManagedFieldsOperationApply || m.Manager == except || m.Subresource != "" {
			continue
		}
		owned := false
		fieldsOf(m).Iterate(func(p fieldpath.Path) {
			owned = owned || slices.Contains(fields, p.String())
		})
		if owned {
			return m.Manager
		}
	}
	return ""
}

// kept returns a conflict if a manifest that a tool applies has the object: the tool would make it again, or change it back. Such a
// manifest has a field that is required.
func kept(managed []metav1.ManagedFieldsEntry, required, do string) error {
	if owner := applier(managed, "", []string{required}); owner != "" {
		return problem.Conflict(fmt.Sprintf("a manifest that %q applies has this: %s it there", owner, do))
	}
	return nil
}

func fieldsOf(m metav1.ManagedFieldsEntry) *fieldpath.Set {
	set := &fieldpath.Set{}
	if m.FieldsV1 == nil || set.FromJSON(m.FieldsV1.GetRawReader()) != nil {
		return &fieldpath.Set{}
	}
	return set
}
