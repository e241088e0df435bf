package base

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// ErrDeleted is returned by WriteStatus if the object has been deleted since it was read, and by Create if its workspace has.
var ErrDeleted = errors.New("the object was deleted")

// WriteStatus writes an object's status if it differs from the stored one. It returns a conflict if the object was changed since it was
// read. It sends an update, which costs less than a patch of most of the status. kube-apiserver ignores everything but the status in
// it, so that the fields that the cache strips are not lost.
func (b *Base) WriteStatus(ctx context.Context, stored, obj client.Object) error {
	if equality.Semantic.DeepEqual(stored, obj) {
		return nil
	}
	err := b.Client.Status().Update(ctx, obj)
	if apierrors.IsNotFound(err) {
		err = fmt.Errorf("%w: %w", ErrDeleted, err)
	}
	if err != nil {
		b.eventIfRefused(obj, err)
		return fmt.Errorf("writing the status of %T: %w", obj, stale(err))
	}
	return nil
}

// Create creates an object that belongs to another one in its workspace. If the workspace is being deleted, or does not exist, nothing is
// left to do for either.
func (b *Base) Create(ctx context.Context, obj client.Object, opts ...client.CreateOption) error {
	err := b.Client.Create(ctx, obj, opts...)
	if withoutNamespace(err) || apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) {
		return fmt.Errorf("%w: %w", ErrDeleted, err)
	}
	return err
}

// withoutNamespace reports whether an object was not created because its namespace does not exist. While a CRD is missing, the kind is not
// found, and the creation has to be tried again.
func withoutNamespace(err error) bool {
	refused, ok := errors.AsType[*apierrors.StatusError](err)
	return ok && apierrors.IsNotFound(err) && refused.ErrStatus.Details != nil && refused.ErrStatus.Details.Kind == "namespaces"
}

// eventIfRefused makes an Event about an object whose status is refused, which could say so otherwise.
func (b *Base) eventIfRefused(obj client.Object, err error) {
	switch {
	case strings.Contains(err.Error(), "request is too large"):
		b.Recorder.Eventf(obj, nil, corev1.EventTypeWarning, ReasonTooLarge, "WriteStatus",
			"the object leaves no room for its status, with which it may have about 1.5 MB in JSON: make its text or its metadata smaller")
	case IsRefused(err):
		b.EventOfRefusal(obj, err)
	}
}

// errStale is wrapped by the conflict of an object whose newer state leads to another reconcile.
var errStale = errors.New("the cache is behind")

// stale marks a conflict of the object that is reconciled, or of one whose watch leads to it.
func stale(err error) error {
	if !apierrors.IsConflict(err) {
		return err
	}
	return fmt.Errorf("%w: %w", errStale, err)
}

// conflictWait is when an object is reconciled again after a conflict that no watch reports: of an ArticleRevision, or of the status of a
// quota.
const conflictWait = time.Second

// Finish ends a reconcile. If a step is blocked, writeBlocked writes that, and the step is tried again later.
func Finish(result ctrl.Result, err error, writeBlocked func(*lifecycle.BlockedError) error) (ctrl.Result, error) {
	if blocked, ok := errors.AsType[*lifecycle.BlockedError](err); ok {
		result, err = ctrl.Result{RequeueAfter: blocked.RetryAfter}, writeBlocked(blocked)
	}
	return IgnoreConflict(result, err)
}

// IgnoreConflict ends a reconcile whose steps are never blocked. If the cache lags, the newer state of the object, or its deletion, leads
// to another reconcile.
func IgnoreConflict(result ctrl.Result, err error) (ctrl.Result, error) {
	switch {
	case errors.Is(err, errStale), errors.Is(err, ErrDeleted):
		return ctrl.Result{}, nil
	case apierrors.IsConflict(err):
		return ctrl.Result{RequeueAfter: conflictWait}, nil
	case err != nil:
		return ctrl.Result{}, err
	default:
		return result, nil
	}
}

// SaveReady sets the condition Ready and the observed generation in an object's status, and writes what has changed since it was stored.
// observed points into obj.
func (b *Base) SaveReady(ctx context.Context, stored, obj client.Object, observed *v1alpha1.Observed, ready metav1.Condition) error {
	set := conditions.Setter{Conditions: &observed.Conditions, Generation: obj.GetGeneration(), Now: b.Clock.Now()}
	set.Set(v1alpha1.ConditionReady, ready)
	observed.ObservedGeneration = obj.GetGeneration()
	return b.WriteStatus(ctx, stored, obj)
}

// IsBlocked reports whether an error says that a step is blocked, rather than that it failed.
func IsBlocked(err error) bool {
	_, ok := errors.AsType[*lifecycle.BlockedError](err)
	return ok
}

// Stamp adds the annotation by which an object is recognized as restored later, unless it has one: a manifest in Git may have the
// annotation of another object, and would bring it back. If kube-apiserver refuses it, Stamp makes an Event, and the object goes on.
func (b *Base) Stamp(ctx context.Context, obj client.Object) error {
	if obj.GetAnnotations()[v1alpha1.UIDAnnotation] != "" || !obj.GetDeletionTimestamp().IsZero() {
		return nil
	}
	old, ok := obj.DeepCopyObject().(client.Object)
	if !ok {
		return fmt.Errorf("%T is not an object", obj)
	}
	annotations := map[string]string{}
	maps.Copy(annotations, obj.GetAnnotations())
	annotations[v1alpha1.UIDAnnotation] = string(obj.GetUID())
	obj.SetAnnotations(annotations)
	err := b.Client.Patch(ctx, obj, client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{}))
	if IsRefused(err) {
		obj.SetAnnotations(old.GetAnnotations())
		b.EventOfRefusal(obj, err)
		return nil
	}
	if err != nil {
		return fmt.Errorf("annotating %T: %w", obj, stale(err))
	}
	return nil
}
