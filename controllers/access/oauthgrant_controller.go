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

// grantRetention is how long a grant is kept after its end: people can see how it ended, and the form of the consent, which is valid
// for an hour, cannot make another one.
const grantRetention = time.Hour

// OAuthGrantReconciler deletes grants that have ended, revokes those whose giver has lost the right to give them, and writes the
// condition Ready of the others, for people. The facade does not read the condition: it refuses a token as soon as it sees that
// something has ended.
type OAuthGrantReconciler struct {
	base.Base
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=oauthgrants,verbs=list;watch;delete
// +kubebuilder:rbac:groups=pressroom.dev,resources=oauthgrants/status,verbs=update

// Reconcile updates the grant's condition Ready, and deletes the grant some time after its end.
func (r *OAuthGrantReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	grant := &v1alpha1.OAuthGrant{}
	if err := r.Client.Get(ctx, req.NamespacedName, grant); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	// Another client of the same name does not count.
	oauthClient, err := find(ctx, &r.Base, grant.Spec.ClientRef.Name, func(c *v1alpha1.OAuthClient) bool { return grant.GivenTo(c) })
	if err != nil {
		return ctrl.Result{}, err
	}
	end, now := grantEnd(grant), r.Clock.Now()
	if oauthClient == nil || !now.Before(end.Add(grantRetention)) {
		return base.IgnoreConflict(ctrl.Result{}, r.remove(ctx, grant))
	}
	stored := grant.DeepCopy()
	ready, err := r.ready(ctx, grant)
	if err != nil {
		return ctrl.Result{}, err
	}
	end = grantEnd(grant)
	next := end
	if !now.Before(end) {
		next = end.Add(grantRetention)
	}
	err = r.SaveReady(ctx, stored, grant, &grant.Status.Observed, ready)
	return base.IgnoreConflict(ctrl.Result{RequeueAfter: next.Sub(now)}, err)
}

// grantEnd returns when a grant ends or ended: when it was revoked, otherwise with its token, otherwise with its code.
func grantEnd(grant *v1alpha1.OAuthGrant) time.Time {
	switch s := grant.Status; {
	case s.RevocationTime != nil:
		return s.RevocationTime.Time
	case s.TokenExpirationTime != nil:
		return s.TokenExpirationTime.Time
	default:
		return grant.Spec.ExpirationTime.Time
	}
}

// remove deletes a grant, unless it has changed since it was read: its code may just have been exchanged.
func (r *OAuthGrantReconciler) remove(ctx context.Context, grant *v1alpha1.OAuthGrant) error {
	seen := client.Preconditions{UID: &grant.UID, ResourceVersion: &grant.ResourceVersion}
	if err := r.Client.Delete(ctx, grant, seen); err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("deleting the grant: %w", err)
	}
	return nil
}

// ready returns the condition of a grant whose client exists. A grant whose giver has lost the right to give it is revoked, and stays
// so if the giver gets the right again.
func (r *OAuthGrantReconciler) ready(ctx context.Context, g *v1alpha1.OAuthGrant) (metav1.Condition, error) {
	end := grantEnd(g)
	switch {
	case g.Status.RevocationTime != nil:
		return revoked(g), nil
	case !r.Clock.Now().Before(end):
		return conditions.False(v1alpha1.ReasonExpired, "the grant expired at "+end.UTC().Format(time.RFC3339)), nil
	}
	reason, err := r.withdrawn(ctx, g)
	switch {
	case err != nil:
		return metav1.Condition{}, err
	case reason != "":
		g.Status.RevocationTime = new(r.Now())
		return withdrawnCondition(g, reason), nil
	case g.Status.RedemptionTime == nil:
		return conditions.False(v1alpha1.ReasonAwaitingExchange, "the client has not exchanged the code yet"), nil
	default:
		return conditions.True(v1alpha1.ReasonValid, "the token may be used"), nil
	}
}

// SetupWithManager registers the controller.
func (r *OAuthGrantReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return r.NewController(mgr, "oauthgrant", base.Workers).
		For(&v1alpha1.OAuthGrant{}).
		Watches(&v1alpha1.OAuthClient{}, referrers(&r.Base, &v1alpha1.OAuthGrantList{}, clientIndex), base.CreatedOrDeleted).
		Watches(&v1alpha1.APIKey{}, referrers(&r.Base, &v1alpha1.OAuthGrantList{}, keyIndex), base.CreatedOrDeleted).
		// Members are in its spec; its status changes with every article.
		Watches(&v1alpha1.Account{}, referrers(&r.Base, &v1alpha1.OAuthGrantList{}, accountIndex), base.SpecChanged).
		Complete(r)
}
