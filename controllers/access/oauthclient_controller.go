package access

import (
	"context"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// OAuthClientReconciler deletes OAuth clients with the key that made them, and writes the condition Ready of the others, for people. The
// facade does not read it.
type OAuthClientReconciler struct {
	base.Base
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=oauthclients,verbs=get;list;watch
// +kubebuilder:rbac:groups=pressroom.dev,resources=oauthclients/status,verbs=update

// Reconcile updates the client's condition Ready, and requeues the client for when its last secret expires.
func (r *OAuthClientReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	oauthClient := &v1alpha1.OAuthClient{}
	if err := r.Client.Get(ctx, req.NamespacedName, oauthClient); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if fallen, err := fall(ctx, &r.Base, oauthClient, oauthClient.Spec.CreatedByRef.APIKey()); fallen || err != nil {
		return ctrl.Result{}, err
	}
	stored := oauthClient.DeepCopy()
	ready, left, err := r.ready(ctx, oauthClient)
	if err != nil {
		return ctrl.Result{}, err
	}
	err = r.SaveReady(ctx, stored, oauthClient, &oauthClient.Status.Observed, ready)
	return base.IgnoreConflict(ctrl.Result{RequeueAfter: left}, err)
}

// ready returns the condition and how long it holds; zero means forever.
func (r *OAuthClientReconciler) ready(ctx context.Context, oauthClient *v1alpha1.OAuthClient) (metav1.Condition, time.Duration, error) {
	if ref := oauthClient.Spec.AccountRef; ref != nil {
		account, err := boundAccount(ctx, &r.Base, ref.Name, &oauthClient.Status.AccountUID)
		if err != nil {
			return metav1.Condition{}, 0, err
		}
		if account == nil {
			return accountNotFound(ref.Name), 0, nil
		}
	}
	if oauthClient.Spec.Suspend {
		return conditions.False(v1alpha1.ReasonSuspended, "spec.suspend is true"), 0, nil
	}
	left, expires := r.secretsLeft(oauthClient)
	if expires && left <= 0 {
		return conditions.False(v1alpha1.ReasonExpired, "all secrets of the client have expired: rotate them"), 0, nil
	}
	return conditions.True(v1alpha1.ReasonValid, "the client may ask for access"), left, nil
}

// secretsLeft returns how long a secret of the client works, and true; or false if one works forever, or the client has none.
func (r *OAuthClientReconciler) secretsLeft(oauthClient *v1alpha1.OAuthClient) (left time.Duration, expires bool) {
	for _, s := range oauthClient.Spec.Secrets {
		if s.ExpirationTime == nil {
			return 0, false
		}
		left, expires = max(left, s.ExpirationTime.Sub(r.Clock.Now())), true
	}
	return left, expires
}

// SetupWithManager registers the controller.
func (r *OAuthClientReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return r.NewController(mgr, "oauthclient", base.Workers).
		For(&v1alpha1.OAuthClient{}).
		Watches(&v1alpha1.APIKey{}, referrers(&r.Base, &v1alpha1.OAuthClientList{}, makerIndex), base.CreatedOrDeleted).
		Watches(&v1alpha1.Account{}, referrers(&r.Base, &v1alpha1.OAuthClientList{}, accountIndex), base.CreatedOrDeleted).
		Complete(r)
}
