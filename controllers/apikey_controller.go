package controllers

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// APIKeyReconciler says whether a key works, for people at kubectl; the REST API decides by itself.
type APIKeyReconciler struct {
	Base
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=apikeys,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=apikeys/status,verbs=patch

// Reconcile keeps the key's condition Ready right, and comes back when the key expires.
func (r *APIKeyReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	key := &v1alpha1.APIKey{}
	if err := r.Client.Get(ctx, req.NamespacedName, key); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ready, left, err := r.ready(ctx, key)
	if err != nil {
		return ctrl.Result{}, err
	}
	err = r.saveConditions(ctx, key, &key.Status.Conditions, &key.Status.ObservedGeneration, ready)
	return settled(ctrl.Result{RequeueAfter: left}, err)
}

// ready decides the condition, and how long it holds; zero is for good.
func (r *APIKeyReconciler) ready(ctx context.Context, key *v1alpha1.APIKey) (metav1.Condition, time.Duration, error) {
	if at := key.Spec.ExpiresAt; at != nil && !at.After(r.Clock.Now()) {
		return readyCondition(false, v1alpha1.ReasonExpired, "the key expired at "+at.UTC().Format(time.RFC3339)), 0, nil
	}
	account := &v1alpha1.Account{}
	err := r.Client.Get(ctx, types.NamespacedName{Name: key.Spec.AccountRef.Name}, account)
	if apierrors.IsNotFound(err) {
		return readyCondition(false, v1alpha1.ReasonAccountNotFound,
			fmt.Sprintf("the Account %q does not exist", key.Spec.AccountRef.Name)), 0, nil
	}
	if err != nil {
		return metav1.Condition{}, 0, fmt.Errorf("reading the account: %w", err)
	}
	var left time.Duration
	if key.Spec.ExpiresAt != nil {
		left = key.Spec.ExpiresAt.Sub(r.Clock.Now())
	}
	return readyCondition(true, v1alpha1.ReasonValid, "the key may be used"), left, nil
}

// keysOfAccount maps an account to its keys.
func (r *APIKeyReconciler) keysOfAccount(ctx context.Context, account client.Object) []ctrl.Request {
	var list v1alpha1.APIKeyList
	if err := r.Client.List(ctx, &list); err != nil {
		log.FromContext(ctx).Error(err, "listing API keys")
		return nil
	}
	var requests []ctrl.Request
	for i := range list.Items {
		if list.Items[i].Spec.AccountRef.Name == account.GetName() {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return requests
}

// SetupWithManager registers the controller.
func (r *APIKeyReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("apikey").
		For(&v1alpha1.APIKey{}).
		Watches(&v1alpha1.Account{}, handler.EnqueueRequestsFromMapFunc(r.keysOfAccount)).
		Complete(r)
}
