package access

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
)

// IdempotencyRecordReconciler deletes the records of Idempotency-Keys after a day.
type IdempotencyRecordReconciler struct {
	base.Base
}

// +kubebuilder:rbac:groups=internal.pressroom.dev,resources=idempotencyrecords,verbs=list;watch;delete

// Reconcile deletes a record that is old enough, or requeues it for then.
func (r *IdempotencyRecordReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	record := &metav1.PartialObjectMetadata{}
	record.SetGroupVersionKind(internalv1alpha1.GroupVersion.WithKind("IdempotencyRecord"))
	if err := r.Client.Get(ctx, req.NamespacedName, record); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if left := base.RecordRetention - r.Clock.Since(record.CreationTimestamp.Time); left > 0 {
		return ctrl.Result{RequeueAfter: left}, nil
	}
	if err := client.IgnoreNotFound(r.Client.Delete(ctx, record, client.Preconditions{UID: &record.UID})); err != nil {
		return ctrl.Result{}, fmt.Errorf("deleting the record: %w", err)
	}
	return ctrl.Result{}, nil
}

// SetupWithManager registers the controller. It keeps only the metadata of records in memory.
func (r *IdempotencyRecordReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("idempotencyrecord").
		For(&internalv1alpha1.IdempotencyRecord{}, builder.OnlyMetadata).
		WithOptions(r.Fair(base.Workers)).
		Complete(r)
}
