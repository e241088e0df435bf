package site

import (
	"context"

	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/predicate"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// startUnlessSuspended starts a test of the connection. It returns a *lifecycle.BlockedError if a suspension forbids it.
func (r *Reconciler) startUnlessSuspended(ctx context.Context, s *subject) (bool, error) {
	suspension, err := r.Suspension(ctx, s.site)
	if err != nil {
		return false, err
	}
	if suspension != nil {
		return false, suspension
	}
	return r.Engine.Start(ctx, s)
}

// sitesOfAccount maps an account to the sites of its workspaces.
func (r *Reconciler) sitesOfAccount(ctx context.Context, account client.Object) []ctrl.Request {
	workspaces, err := r.Workspaces(ctx, account.GetName())
	if err != nil {
		log.FromContext(ctx).Error(err, "listing workspaces")
		return nil
	}
	requests := make([]ctrl.Request, 0, len(workspaces))
	for i := range workspaces {
		requests = append(requests, r.Requests(ctx, &v1alpha1.SiteList{}, client.InNamespace(workspaces[i].Name))...)
	}
	return requests
}

// suspendChanged passes the beginning and the end of an account's suspension.
func suspendChanged() predicate.Predicate {
	return predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		old, was := e.ObjectOld.(*v1alpha1.Account)
		account, is := e.ObjectNew.(*v1alpha1.Account)
		return !was || !is || old.Spec.Suspend != account.Spec.Suspend
	}}
}
