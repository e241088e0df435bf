// Package access holds the controllers of the objects that give access to the REST API: API keys, OAuth clients and grants. It also has
// those of the event subscriptions of OAuth clients, and of the records of Idempotency-Keys.
package access

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/internalv1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// APIKeyReconciler deletes keys with the key that made them, and writes the condition Ready of the others, for people. The REST API does
// not read it.
type APIKeyReconciler struct {
	base.Base
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=apikeys,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=apikeys/status,verbs=update

// Reconcile updates the key's condition Ready, and requeues it for when the key expires.
func (r *APIKeyReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	key := &v1alpha1.APIKey{}
	if err := r.Client.Get(ctx, req.NamespacedName, key); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if fallen, err := fall(ctx, &r.Base, key, key.Spec.CreatedByRef.APIKey()); fallen || err != nil {
		return ctrl.Result{}, err
	}
	stored := key.DeepCopy()
	ready, left, err := r.ready(ctx, key)
	if err != nil {
		return ctrl.Result{}, err
	}
	err = r.SaveReady(ctx, stored, key, &key.Status.Observed, ready)
	return base.IgnoreConflict(ctrl.Result{RequeueAfter: left}, err)
}

// ready returns the condition and how long it holds; zero means forever.
func (r *APIKeyReconciler) ready(ctx context.Context, key *v1alpha1.APIKey) (metav1.Condition, time.Duration, error) {
	account, err := boundAccount(ctx, &r.Base, key.Spec.AccountRef.Name, &key.Status.AccountUID)
	if err != nil {
		return metav1.Condition{}, 0, err
	}
	if at := key.Spec.ExpirationTime; at != nil && !at.After(r.Clock.Now()) {
		return conditions.False(v1alpha1.ReasonExpired, "the key expired at "+at.UTC().Format(time.RFC3339)), 0, nil
	}
	if account == nil {
		return accountNotFound(key.Spec.AccountRef.Name), 0, nil
	}
	var left time.Duration
	if key.Spec.ExpirationTime != nil {
		left = key.Spec.ExpirationTime.Sub(r.Clock.Now())
	}
	return conditions.True(v1alpha1.ReasonValid, "the key may be used"), left, nil
}

// SetupWithManager registers the controller.
func (r *APIKeyReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return r.NewController(mgr, "apikey", base.Workers).
		For(&v1alpha1.APIKey{}).
		Watches(&v1alpha1.APIKey{}, referrers(&r.Base, &v1alpha1.APIKeyList{}, makerIndex), base.CreatedOrDeleted).
		Watches(&v1alpha1.Account{}, referrers(&r.Base, &v1alpha1.APIKeyList{}, accountIndex), base.CreatedOrDeleted).
		Complete(r)
}

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
	return r.NewController(mgr, "idempotencyrecord", base.Workers).
		For(&internalv1alpha1.IdempotencyRecord{}, builder.OnlyMetadata).
		Complete(r)
}
