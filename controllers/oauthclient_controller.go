package controllers

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// OAuthClientReconciler says whether an app may be used, for people at kubectl; the REST facade decides by itself.
type OAuthClientReconciler struct {
	Base
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=oauthclients,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=oauthclients/status,verbs=patch

// Reconcile keeps the app's condition Ready right.
func (r *OAuthClientReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	app := &v1alpha1.OAuthClient{}
	if err := r.Client.Get(ctx, req.NamespacedName, app); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	ready, err := r.ready(ctx, app)
	if err != nil {
		return ctrl.Result{}, err
	}
	err = r.saveConditions(ctx, app, &app.Status.Conditions, &app.Status.ObservedGeneration, ready)
	return ignoreConflict(ctrl.Result{}, err)
}

func (r *OAuthClientReconciler) ready(ctx context.Context, app *v1alpha1.OAuthClient) (metav1.Condition, error) {
	if app.Spec.AccountRef != nil {
		missing, err := r.accountMissing(ctx, app.Spec.AccountRef.Name)
		if err != nil {
			return metav1.Condition{}, err
		}
		if missing {
			return accountNotFound(app.Spec.AccountRef.Name), nil
		}
	}
	return readyCondition(true, v1alpha1.ReasonValid, "the app may ask for access"), nil
}

// SetupWithManager registers the controller.
func (r *OAuthClientReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("oauthclient").
		For(&v1alpha1.OAuthClient{}).
		Watches(&v1alpha1.Account{}, r.referrers(&v1alpha1.OAuthClientList{}, accountIndex), builder.WithPredicates(comingAndGoing)).
		Complete(r)
}
