package controllers

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// grantKept is how long a grant is kept after it has ended, so that people can see what became of it. Together with the
// time that a reconcile takes it stays below 15 minutes.
const grantKept = 10 * time.Minute

// OAuthGrantReconciler removes grants that have ended, and says whether the others give access, for people at kubectl. The
// REST facade decides by itself.
type OAuthGrantReconciler struct {
	Base
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=oauthgrants,verbs=get;list;watch;delete
// +kubebuilder:rbac:groups=pressroom.dev,resources=oauthgrants/status,verbs=patch

// Reconcile keeps the grant's condition Ready right, comes back when it ends, and removes it some time after that.
func (r *OAuthGrantReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	grant := &v1alpha1.OAuthGrant{}
	if err := r.Client.Get(ctx, req.NamespacedName, grant); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	orphaned, err := r.orphaned(ctx, grant)
	if err != nil {
		return ctrl.Result{}, err
	}
	end, now := grantEnd(grant), r.Clock.Now()
	if orphaned || !now.Before(end.Add(grantKept)) {
		return ignoreConflict(ctrl.Result{}, r.remove(ctx, grant))
	}
	ready, err := r.ready(ctx, grant)
	if err != nil {
		return ctrl.Result{}, err
	}
	next := end
	if !now.Before(end) {
		next = end.Add(grantKept)
	}
	err = r.saveConditions(ctx, grant, &grant.Status.Conditions, &grant.Status.ObservedGeneration, ready)
	return ignoreConflict(ctrl.Result{RequeueAfter: next.Sub(now)}, err)
}

// grantEnd returns when a grant ends, or has ended: when it is revoked, else with its token, else with its code.
func grantEnd(grant *v1alpha1.OAuthGrant) time.Time {
	switch s := grant.Status; {
	case s.RevokedAt != nil:
		return s.RevokedAt.Time
	case s.TokenExpiresAt != nil:
		return s.TokenExpiresAt.Time
	default:
		return grant.Spec.ExpiresAt.Time
	}
}

// orphaned reports whether the app that the grant was given to is no more, so that another one of its name cannot have it.
// The cache may not have seen an app yet whose grant it has: the API server is asked before anything is removed.
func (r *OAuthGrantReconciler) orphaned(ctx context.Context, grant *v1alpha1.OAuthGrant) (bool, error) {
	key := types.NamespacedName{Namespace: grant.Namespace, Name: grant.Spec.ClientRef.Name}
	for _, from := range []client.Reader{r.Client, r.Live} {
		app := &v1alpha1.OAuthClient{}
		err := from.Get(ctx, key, app)
		if err == nil && grant.GivenTo(app) {
			return false, nil
		}
		if client.IgnoreNotFound(err) != nil {
			return false, fmt.Errorf("reading the app: %w", err)
		}
	}
	return true, nil
}

// remove deletes a grant as it was seen: one whose code was exchanged a moment ago has not ended.
func (r *OAuthGrantReconciler) remove(ctx context.Context, grant *v1alpha1.OAuthGrant) error {
	seen := client.Preconditions{UID: &grant.UID, ResourceVersion: &grant.ResourceVersion}
	if err := r.Client.Delete(ctx, grant, seen); err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("removing the grant: %w", err)
	}
	return nil
}

// ready decides the condition of a grant whose app is there.
func (r *OAuthGrantReconciler) ready(ctx context.Context, grant *v1alpha1.OAuthGrant) (metav1.Condition, error) {
	missing, err := r.accountMissing(ctx, grant.Spec.AccountRef.Name)
	if err != nil {
		return metav1.Condition{}, err
	}
	end := grantEnd(grant)
	switch s := grant.Status; {
	case s.RevokedAt != nil:
		return readyCondition(false, v1alpha1.ReasonRevoked, "the grant was revoked at "+end.UTC().Format(time.RFC3339)), nil
	case !r.Clock.Now().Before(end):
		return readyCondition(false, v1alpha1.ReasonExpired, "the grant expired at "+end.UTC().Format(time.RFC3339)), nil
	case missing:
		return accountNotFound(grant.Spec.AccountRef.Name), nil
	case s.RedeemedAt == nil:
		return readyCondition(false, v1alpha1.ReasonAwaitingExchange, "the app has not exchanged the code yet"), nil
	default:
		return readyCondition(true, v1alpha1.ReasonValid, "the token may be used"), nil
	}
}

// SetupWithManager registers the controller.
func (r *OAuthGrantReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("oauthgrant").
		For(&v1alpha1.OAuthGrant{}).
		Watches(&v1alpha1.OAuthClient{}, r.referrers(&v1alpha1.OAuthGrantList{}, appIndex), builder.WithPredicates(comingAndGoing)).
		Watches(&v1alpha1.Account{}, r.referrers(&v1alpha1.OAuthGrantList{}, accountIndex), builder.WithPredicates(comingAndGoing)).
		Complete(r)
}
