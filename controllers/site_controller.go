package controllers

import (
	"context"
	"errors"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// SiteReconciler says whether a site can be published to, as far as that can be told without sending.
type SiteReconciler struct {
	Base
	// CheckURL says what is wrong with a webhook's URL, before anything is looked up.
	CheckURL func(string) error
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=sites/status,verbs=patch

// Reconcile keeps the site's conditions right. Secrets are not watched, so a site with one is looked at again.
func (r *SiteReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	site := &v1alpha1.Site{}
	if err := r.Client.Get(ctx, req.NamespacedName, site); err != nil {
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	connected, err := r.connected(ctx, site)
	if err != nil {
		return ctrl.Result{}, err
	}
	ready := connected
	ready.Type = v1alpha1.ConditionReady
	err = r.saveConditions(ctx, site, &site.Status.Conditions, &site.Status.ObservedGeneration, connected, ready)
	if site.Spec.CMS.Type != v1alpha1.CMSHeadless {
		return settled(ctrl.Result{}, err)
	}
	return settled(ctrl.Result{RequeueAfter: obstaclePoll}, err)
}

// connected decides the condition Connected.
func (r *SiteReconciler) connected(ctx context.Context, site *v1alpha1.Site) (metav1.Condition, error) {
	switch site.Spec.CMS.Type {
	case v1alpha1.CMSNone:
		return connection(true, v1alpha1.ReasonPulled, "nothing is sent to the site: it reads its articles from the API"), nil
	case v1alpha1.CMSHeadless:
		return r.headless(ctx, site)
	default:
		return connection(false, v1alpha1.ReasonNotSupported,
			fmt.Sprintf("publishing to %s is not supported yet", site.Spec.CMS.Type)), nil
	}
}

func (r *SiteReconciler) headless(ctx context.Context, site *v1alpha1.Site) (metav1.Condition, error) {
	if err := r.CheckURL(site.Spec.CMS.Headless.URL); err != nil {
		return connection(false, v1alpha1.ReasonAddressBlocked, "the webhook's URL cannot be sent to: "+cause(err)), nil
	}
	_, obstacle, err := secretValue(ctx, r.Live, site.Namespace, site.Spec.CMS.Headless.SigningSecretRef)
	if err != nil {
		return metav1.Condition{}, err
	}
	if obstacle.Reason != "" {
		return connection(false, obstacle.Reason, obstacle.Message), nil
	}
	return connection(true, v1alpha1.ReasonConfigured, "the webhook and its signing secret are there"), nil
}

// cause is the innermost error's text.
func cause(err error) string {
	for errors.Unwrap(err) != nil {
		err = errors.Unwrap(err)
	}
	return err.Error()
}

func connection(ok bool, reason, message string) metav1.Condition {
	return condition(v1alpha1.ConditionConnected, ok, reason, message)
}

// SetupWithManager registers the controller.
func (r *SiteReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).Named("site").For(&v1alpha1.Site{}).Complete(r)
}
