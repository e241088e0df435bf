package kube

import (
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/util/retry"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/pressroom-dev/pressroom/apiserver/problem"
)

// conflicts bounds how often a change starts again because the object was written at the same time, and how long it waits before.
var conflicts = wait.Backoff{Steps: 8, Duration: 10 * time.Millisecond, Factor: 1, Jitter: 0.5}

// Change changes an object, and returns it as it is then. The function change is called with the object as kube-apiserver has it now, and
// again if somebody writes it meanwhile. If it changes nothing, nothing is written. If it changes a field that a manifest applies, such as
// one of Flux or Argo CD, the answer is a conflict that names the manager. An object that is being deleted is not found.
func Change[T any, O interface {
	*T
	client.Object
}](ctx context.Context, c client.Client, key client.ObjectKey, change func(O) error, opts ...client.PatchOption) (O, error) {
	var changed O
	err := retry.RetryOnConflict(conflicts, func() (err error) {
		changed = new(T)
		if err := c.Get(ctx, key, changed); err != nil {
			return err
		}
		return tryChange(ctx, c, changed, func() error { return change(changed) }, opts)
	})
	if err != nil {
		return nil, err
	}
	return changed, nil
}

// tryChange changes an object as it was read.
func tryChange(ctx context.Context, c client.Client, object client.Object, change func() error, opts []client.PatchOption) error {
	if !object.GetDeletionTimestamp().IsZero() {
		return problem.NotFound(resourceOf(object))
	}
	old, ok := object.DeepCopyObject().(client.Object)
	if !ok {
		return fmt.Errorf("copying a %T", object)
	}
	if err := change(); err != nil {
		return err
	}
	patch, err := difference(old, object)
	if err != nil || len(patch) == 0 {
		return err
	}
	if err := refuseApplied(old.GetManagedFields(), leaves(nil, patch)); err != nil {
		return err
	}
	// A conflict if somebody has written it since it was read.
	if err := unstructured.SetNestedField(patch, old.GetResourceVersion(), "metadata", "resourceVersion"); err != nil {
		return err
	}
	data, err := json.Marshal(patch)
	if err != nil {
		return fmt.Errorf("writing a patch: %w", err)
	}
	return c.Patch(ctx, object, client.RawPatch(types.MergePatchType, data), opts...)
}

// difference returns the merge patch (RFC 7396) that makes one state of an object the other.
func difference(old, changed client.Object) (map[string]any, error) {
	data, err := client.MergeFrom(old).Data(changed)
	if err != nil {
		return nil, fmt.Errorf("comparing two states of an object: %w", err)
	}
	// Whole numbers stay what they are.
	var patch map[string]any
	if err := json.Unmarshal(data, &patch); err != nil {
		return nil, fmt.Errorf("reading the difference of two states of an object: %w", err)
	}
	return patch, nil
}

// leaves returns the fields that a merge patch changes. A list is one field.
func leaves(above fieldpath.Path, patch map[string]any) []fieldpath.Path {
	var found []fieldpath.Path
	for name, value := range patch {
		path := append(above.Copy(), fieldpath.PathElement{FieldName: &name})
		if below, ok := value.(map[string]any); ok && len(below) > 0 {
			found = append(found, leaves(path, below)...)
		} else {
			found = append(found, path)
		}
	}
	return found
}
