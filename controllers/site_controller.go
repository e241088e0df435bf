package controllers

import (
	"context"
	"fmt"
	"net/http"

	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// SiteReconciler says whether a site can be published to, and tests its connection where somebody asks.
type SiteReconciler struct {
	Base
	// CheckURL returns what is wrong with the URL of a connection, before any name is looked up.
	CheckURL func(string) error
	// Tests is the work that is on the wire: apart from publishing's, so that a test tells something while deliveries to the
	// same receiver hang.
	Tests *inflight.Tracker[publish.Outcome]
	// HTTP reaches public addresses only.
	HTTP *http.Client
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=sites/status,verbs=patch

// Reconcile keeps the site's conditions right. Secrets are not watched, so a site with one is looked at again.
func (r *SiteReconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	defer r.Tests.ReleaseUnused(req.NamespacedName)
	site := &v1alpha1.Site{}
	if err := r.Client.Get(ctx, req.NamespacedName, site); err != nil {
		if apierrors.IsNotFound(err) {
			r.Tests.Drop(req.NamespacedName)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if t := site.Status.ConnectionTest; t != nil && t.Outcome != v1alpha1.AttemptInProgress {
		r.Tests.Forget(t.ID)
	}
	if err := r.step(ctx, site); err != nil || connectors.ModeOf(site) != lifecycle.Push {
		return settled(ctrl.Result{}, err)
	}
	return ctrl.Result{RequeueAfter: r.lookAgain(site.Status.Conditions)}, nil
}

// step does what is next for the site.
func (r *SiteReconciler) step(ctx context.Context, site *v1alpha1.Site) error {
	old := site.DeepCopy()
	tester := connectors.TesterFor(site)
	switch lifecycle.NextForSite(site, tester != nil).Step {
	case lifecycle.StartTest:
		return r.test(ctx, old, site, tester)
	case lifecycle.FollowTest:
		return r.follow(ctx, old, site)
	default:
		return r.saveSite(ctx, old, site)
	}
}

// saveSite writes a site's status, with its conditions made anew, where anything in it has changed.
func (r *SiteReconciler) saveSite(ctx context.Context, old, site *v1alpha1.Site) error {
	connected, ready, err := r.conditions(ctx, site)
	if err != nil {
		return err
	}
	connected.Type, ready.Type = v1alpha1.ConditionConnected, v1alpha1.ConditionReady
	r.put(&site.Status.Conditions, site.Generation, connected)
	r.put(&site.Status.Conditions, site.Generation, ready)
	site.Status.ObservedGeneration = site.Generation
	if equality.Semantic.DeepEqual(old.Status, site.Status) {
		return nil
	}
	patch := client.MergeFromWithOptions(old, client.MergeFromWithOptimisticLock{})
	if err := r.Client.Status().Patch(ctx, site, patch); err != nil {
		return fmt.Errorf("writing the site's status: %w", err)
	}
	return nil
}

// conditions decides Connected, and Ready: everything is there that publishing needs, whatever a test said.
func (r *SiteReconciler) conditions(ctx context.Context, site *v1alpha1.Site) (connected, ready metav1.Condition, err error) {
	switch connectors.ModeOf(site) {
	case lifecycle.Pull:
		pulled := readyCondition(true, v1alpha1.ReasonPulled, "nothing is sent to the site: it reads its articles from the API")
		return pulled, pulled, nil
	case lifecycle.Push:
		return r.connection(ctx, site, connectors.For(site).Connection(site))
	default:
		unsupported := readyCondition(false, v1alpha1.ReasonNotSupportedYet,
			fmt.Sprintf("publishing to %s is not supported yet", site.Spec.CMS.Type))
		return unsupported, unsupported, nil
	}
}

// connection decides Connected and Ready of a site that articles are sent to.
func (r *SiteReconciler) connection(
	ctx context.Context, site *v1alpha1.Site, c publish.Connection,
) (connected, ready metav1.Condition, err error) {
	if err := r.CheckURL(c.URL); err != nil {
		blocked := readyCondition(false, v1alpha1.ReasonAddressBlocked, fmt.Sprintf("the %s's URL is %s", c.Endpoint, egress.Describe(err)))
		return blocked, blocked, nil
	}
	_, obstacle, err := r.connect(ctx, r.HTTP, site, c)
	if err != nil {
		return connected, ready, err
	}
	if obstacle.Reason != "" {
		missing := readyCondition(false, obstacle.Reason, obstacle.Message)
		return missing, missing, nil
	}
	status, reason, message := lifecycle.Tested(site, c.SettingsHash())
	connected = metav1.Condition{Status: status, Reason: reason, Message: message}
	ready = readyCondition(true, v1alpha1.ReasonConfigured, fmt.Sprintf("the %s and its %s are there", c.Endpoint, c.Credentials))
	return connected, ready, nil
}

// SetupWithManager registers the controller.
func (r *SiteReconciler) SetupWithManager(mgr ctrl.Manager) error {
	return ctrl.NewControllerManagedBy(mgr).
		Named("site").
		For(&v1alpha1.Site{}).
		WatchesRawSource(wakeUps(r.Tests)).
		Complete(r)
}
