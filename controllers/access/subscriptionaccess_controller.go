package access

import (
	"context"
	"fmt"
	"slices"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
)

// SubscriptionAccessReconciler deletes event subscriptions of OAuth clients that no longer have access, and those whose API key is gone.
type SubscriptionAccessReconciler struct {
	base.Base
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=eventsubscriptions,verbs=get;list;watch;patch;delete

// Reconcile deletes a subscription whose grant has ended, or hands it over to another grant by which the client has the same access.
func (r *SubscriptionAccessReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	s := &v1alpha1.EventSubscription{}
	if err := r.Client.Get(ctx, req.NamespacedName, s); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if !s.DeletionTimestamp.IsZero() {
		return ctrl.Result{}, nil
	}
	if fallen, err := fall(ctx, &r.Base, s, s.Spec.CreatedByRef.APIKey()); fallen || err != nil || grantOf(s) == "" {
		return ctrl.Result{}, err
	}
	current, err := find(ctx, &r.Base, grantOf(s), func(*v1alpha1.OAuthGrant) bool { return true })
	if err != nil {
		return ctrl.Result{}, err
	}
	if current != nil && r.lasts(current) {
		return ctrl.Result{RequeueAfter: grantEnd(current).Sub(r.Clock.Now())}, nil
	}
	next, err := r.successor(ctx, s, current)
	if err != nil {
		return ctrl.Result{}, err
	}
	if next == "" {
		return ctrl.Result{}, remove(ctx, &r.Base, s)
	}
	old := s.DeepCopy()
	s.Labels[v1alpha1.GrantLabel] = next
	patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
	return base.IgnoreConflict(ctrl.Result{}, r.Client.Patch(ctx, s, patch))
}

// lasts reports whether a grant has not ended.
func (r *SubscriptionAccessReconciler) lasts(g *v1alpha1.OAuthGrant) bool {
	return g.DeletionTimestamp.IsZero() && g.Status.RevocationTime == nil && r.Clock.Now().Before(grantEnd(g))
}

// successor returns the name of a grant that the same person gave to the same client and that allows the same, or "". Without it, a
// client that asks for access again each year would lose its subscriptions with its first token.
func (r *SubscriptionAccessReconciler) successor(
	ctx context.Context, s *v1alpha1.EventSubscription, ended *v1alpha1.OAuthGrant,
) (string, error) {
	if ended == nil {
		return "", nil
	}
	var all v1alpha1.OAuthGrantList
	if err := r.Client.List(ctx, &all, client.MatchingFields{clientIndex: ended.Spec.ClientRef.Name}); err != nil {
		return "", fmt.Errorf("listing the grants of the client: %w", err)
	}
	for i := range all.Items {
		if g := &all.Items[i]; g.Status.RedemptionTime != nil && r.lasts(g) && succeeds(g, ended, s.Namespace) {
			return g.Name, nil
		}
	}
	return "", nil
}

// succeeds reports whether a grant is by the same person, to the same client and in the same account as another, and allows
// subscriptions in a workspace.
func succeeds(g, ended *v1alpha1.OAuthGrant, workspace string) bool {
	same := g.Spec.Person == ended.Spec.Person && g.Spec.KeyUID == ended.Spec.KeyUID &&
		g.Spec.AccountRef == ended.Spec.AccountRef && g.Spec.ClientRef == ended.Spec.ClientRef
	opens := len(g.Spec.Workspaces) == 0 || slices.Contains(g.Spec.Workspaces, workspace)
	return same && opens && slices.Contains(g.Spec.Scopes, v1alpha1.ScopeWrite)
}

// SetupWithManager registers the controller.
func (r *SubscriptionAccessReconciler) SetupWithManager(mgr ctrl.Manager) error {
	depends := base.Only(func(s *v1alpha1.EventSubscription) bool {
		return grantOf(s) != "" || s.Spec.CreatedByRef.APIKey() != ""
	})
	return r.NewController(mgr, "subscriptionaccess", base.Workers).
		For(&v1alpha1.EventSubscription{}, depends).
		Watches(&v1alpha1.OAuthGrant{}, referrers(&r.Base, &v1alpha1.EventSubscriptionList{}, grantIndex)).
		Watches(&v1alpha1.APIKey{}, referrers(&r.Base, &v1alpha1.EventSubscriptionList{}, makerIndex), base.CreatedOrDeleted).
		Complete(r)
}
