package controllers

import (
	"context"
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/log"

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
	return settled(ctrl.Result{}, err)
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

// accountMissing reports whether there is no account of this name.
func (b *Base) accountMissing(ctx context.Context, name string) (bool, error) {
	err := b.Client.Get(ctx, types.NamespacedName{Name: name}, &v1alpha1.Account{})
	if apierrors.IsNotFound(err) {
		return true, nil
	}
	if err != nil {
		return false, fmt.Errorf("reading the account: %w", err)
	}
	return false, nil
}

func accountNotFound(name string) metav1.Condition {
	return readyCondition(false, v1alpha1.ReasonAccountNotFound, fmt.Sprintf("the Account %q does not exist", name))
}

// appsOfAccount maps an account to the apps that it has registered.
func (r *OAuthClientReconciler) appsOfAccount(ctx context.Context, account client.Object) []ctrl.Request {
	var list v1alpha1.OAuthClientList
	if err := r.Client.List(ctx, &list); err != nil {
		log.FromContext(ctx).Error(err, "listing OAuth clients")
		return nil
	}
	var requests []ctrl.Request
	for i := range list.Items {
		if ref := list.Items[i].Spec.AccountRef; ref != nil && ref.Name == account.GetName() {
			requests = append(requests, ctrl.Request{NamespacedName: client.ObjectKeyFromObject(&list.Items[i])})
		}
	}
	return requests
}

// SetupWithManager registers the controller. Of accounts only their coming and going matters: their ledgers change with every
// article.
func (r *OAuthClientReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("oauthclient").
		For(&v1alpha1.OAuthClient{}).
		Watches(&v1alpha1.Account{}, handler.EnqueueRequestsFromMapFunc(r.appsOfAccount), builder.WithPredicates(comingAndGoing)).
		Complete(r)
}
