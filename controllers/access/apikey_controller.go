package access

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
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
	if fallen, err := fall(ctx, &r.Base, key); fallen || err != nil {
		return ctrl.Result{}, err
	}
	stored := key.DeepCopy()
	ready, left, err := r.ready(ctx, key)
	if err != nil {
		return ctrl.Result{}, err
	}
	err = r.SaveChanges(ctx, stored, key, &key.Status.Conditions, &key.Status.ObservedGeneration, ready)
	return base.IgnoreConflict(ctrl.Result{RequeueAfter: left}, err)
}

// ready returns the condition and how long it holds; zero means forever.
func (r *APIKeyReconciler) ready(ctx context.Context, key *v1alpha1.APIKey) (metav1.Condition, time.Duration, error) {
	account, err := boundAccount(ctx, r.Client, key.Spec.AccountRef.Name, &key.Status.AccountUID)
	if err != nil {
		return metav1.Condition{}, 0, err
	}
	if at := key.Spec.ExpirationTime; at != nil && !at.After(r.Clock.Now()) {
		return base.ReadyCondition(false, v1alpha1.ReasonExpired, "the key expired at "+at.UTC().Format(time.RFC3339)), 0, nil
	}
	if account == nil {
		return accountNotFound(key.Spec.AccountRef.Name), 0, nil
	}
	var left time.Duration
	if key.Spec.ExpirationTime != nil {
		left = key.Spec.ExpirationTime.Sub(r.Clock.Now())
	}
	return base.ReadyCondition(true, v1alpha1.ReasonValid, "the key may be used"), left, nil
}

// SetupWithManager registers the controller.
func (r *APIKeyReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("apikey").
		For(&v1alpha1.APIKey{}).
		Watches(&v1alpha1.APIKey{}, madeWith(&r.Base, &v1alpha1.APIKeyList{}), builder.WithPredicates(createdOrDeleted)).
		Watches(&v1alpha1.Account{}, referrers(&r.Base, &v1alpha1.APIKeyList{}, accountIndex), builder.WithPredicates(createdOrDeleted)).
		WithOptions(r.Fair(base.Workers)).
		Complete(r)
}
