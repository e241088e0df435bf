package access

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// unusedFor is how long a client of a metadata document is kept without a grant. It comes again with the next consent.
const unusedFor = 24 * time.Hour

// OAuthClientReconciler deletes OAuth clients with the key that made them, and those of metadata documents that nobody gives access to any
// more. It writes the condition Ready of the others, for people. The facade does not read it.
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
	if unused, err := r.unused(ctx, oauthClient); unused || err != nil {
		return ctrl.Result{}, err
	}
	stored := oauthClient.DeepCopy()
	ready, left, err := r.ready(ctx, oauthClient)
	if err != nil {
		return ctrl.Result{}, err
	}
	if oauthClient.DocumentURL() != "" {
		left = unusedFor
	}
	err = r.SaveReady(ctx, stored, oauthClient, &oauthClient.Status.Observed, ready)
	return base.IgnoreConflict(ctrl.Result{RequeueAfter: left}, err)
}

// unused deletes a client of a metadata document that nobody has given access to for a day, and reports whether it did. One that somebody
// has suspended stays, or it would come again.
func (r *OAuthClientReconciler) unused(ctx context.Context, oauthClient *v1alpha1.OAuthClient) (bool, error) {
	young := r.Clock.Now().Sub(oauthClient.CreationTimestamp.Time) < unusedFor
	if oauthClient.DocumentURL() == "" || oauthClient.Spec.Suspend || young {
		return false, nil
	}
	var grants v1alpha1.OAuthGrantList
	err := r.Client.List(ctx, &grants, client.UnsafeDisableDeepCopy, client.MatchingFields{clientIndex: oauthClient.Name}, client.Limit(1))
	if err != nil || len(grants.Items) > 0 {
		return false, err
	}
	seen := client.Preconditions{UID: &oauthClient.UID, ResourceVersion: &oauthClient.ResourceVersion}
	err = r.Client.Delete(ctx, oauthClient, seen)
	if err != nil && !apierrors.IsNotFound(err) && !apierrors.IsConflict(err) {
		return false, fmt.Errorf("deleting a client that nobody gives access to: %w", err)
	}
	return true, nil
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
