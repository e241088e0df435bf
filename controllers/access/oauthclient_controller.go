package access

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
)

// OAuthClientReconciler writes the condition Ready of OAuth clients, for people. The facade does not read it.
type OAuthClientReconciler struct {
	base.Base
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=oauthclients,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=oauthclients/status,verbs=update;patch

// Reconcile updates the client's condition Ready.
func (r *OAuthClientReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	oauthClient := &v1alpha1.OAuthClient{}
	if err := r.Client.Get(ctx, req.NamespacedName, oauthClient); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	stored := oauthClient.DeepCopy()
	ready, err := r.ready(ctx, oauthClient)
	if err != nil {
		return ctrl.Result{}, err
	}
	err = r.SaveChanges(ctx, stored, oauthClient, &oauthClient.Status.Conditions, &oauthClient.Status.ObservedGeneration, ready)
	return base.IgnoreConflict(ctrl.Result{}, err)
}

// ready returns the condition.
func (r *OAuthClientReconciler) ready(ctx context.Context, oauthClient *v1alpha1.OAuthClient) (metav1.Condition, error) {
	if ref := oauthClient.Spec.AccountRef; ref != nil {
		account, err := boundAccount(ctx, r.Client, ref.Name, &oauthClient.Status.AccountUID)
		if err != nil {
			return metav1.Condition{}, err
		}
		if account == nil {
			return accountNotFound(ref.Name), nil
		}
	}
	if oauthClient.Spec.Suspend {
		return base.ReadyCondition(false, v1alpha1.ReasonSuspended, "spec.suspend is true"), nil
	}
	return base.ReadyCondition(true, v1alpha1.ReasonValid, "the client may ask for access"), nil
}

// SetupWithManager registers the controller.
func (r *OAuthClientReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("oauthclient").
		For(&v1alpha1.OAuthClient{}).
		Watches(&v1alpha1.Account{}, referrers(&r.Base, &v1alpha1.OAuthClientList{}, accountIndex),
			builder.WithPredicates(createdOrDeleted)).
		Complete(r)
}
