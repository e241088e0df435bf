// Package site holds the controller of Sites: their conditions, and the tests of their connections.
package site

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/handler"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/connectiontest"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// Reconciler writes the conditions Ready and Connected of sites, and tests a connection if a nonce asks for it, or if the settings of
// the connection to a CMS have changed.
type Reconciler struct {
	base.Base
	// CheckURL returns an error if the URL of a connection must not be called. It does not look up names.
	CheckURL func(string) error
	// Engine makes the tests. Its slots are not those of publishing, so that a test ends even while deliveries to the same
	// receiver hang.
	Engine *attempt.Engine[publish.Outcome]
	// HTTP reaches public addresses only.
	HTTP *http.Client
}

// +kubebuilder:rbac:groups=pressroom.dev,resources=sites,verbs=patch
// +kubebuilder:rbac:groups=pressroom.dev,resources=sites/status,verbs=update

// Reconcile brings the site's conditions up to date. Secrets are not watched, so a site with one is reconciled again after some time.
func (r *Reconciler) Reconcile(ctx context.Context, req ctrl.Request) (ctrl.Result, error) {
	defer r.Engine.Calls.Begin(req.NamespacedName)()
	site := &v1alpha1.Site{}
	if err := r.Client.Get(ctx, req.NamespacedName, site); err != nil {
		if apierrors.IsNotFound(err) {
			r.Engine.Calls.Drop(req.NamespacedName)
			r.Health.Forget(req.NamespacedName)
		}
		return ctrl.Result{}, client.IgnoreNotFound(err)
	}
	if err := r.Stamp(ctx, site); err != nil {
		return base.IgnoreConflict(ctrl.Result{}, err)
	}
	if t := site.Status.ConnectionTest; t != nil && t.Outcome != v1alpha1.AttemptInProgress {
		r.Engine.Calls.Forget(t.ID)
	}
	r.Engine.Calls.DropOthers(req.NamespacedName, site.UID)
	stored := site.DeepCopy()
	if v1alpha1.Confirmed(site) {
		site.Status.ConfirmedUID = string(site.UID)
	}
	err := r.do(ctx, &subject{reconciler: r, site: site, stored: stored})
	if connectors.ModeOf(site) != lifecycle.Push {
		return base.IgnoreConflict(ctrl.Result{}, err)
	}
	after := r.NextLook(site.Status.Conditions)
	if _, _, next := r.Health.Report(req.NamespacedName, r.Clock.Now()); next > 0 {
		after = next
	}
	return base.IgnoreConflict(ctrl.Result{RequeueAfter: after}, err)
}

// do does the site's next step, and brings its conditions up to date.
func (r *Reconciler) do(ctx context.Context, s *subject) error {
	written, err := false, error(nil)
	switch connectiontest.Next(s.site, testingOf(s.site)).Step {
	case connectiontest.Start:
		written, err = r.startUnlessSuspended(ctx, s)
	case connectiontest.Follow:
		written, _, err = r.Engine.Follow(ctx, s)
	}
	// If something is missing, a test that somebody requested ends at once. Another test waits, and the conditions say what is missing.
	blocked, missing := errors.AsType[*lifecycle.BlockedError](err)
	switch {
	case missing && connectiontest.Requested(s.site):
		return s.endBlocked(ctx, blocked)
	case !missing && (err != nil || written):
		return err
	default:
		return s.save(ctx)
	}
}

func testingOf(site *v1alpha1.Site) connectiontest.Testing {
	if connectors.TesterFor(site) == nil {
		return connectiontest.Testing{}
	}
	c := connectors.For(site).Connection(site)
	return connectiontest.Testing{Possible: true, Hash: c.SettingsHash(), OnChange: c.TestOnChange}
}

// conditions decides Connected and Ready. Ready means that everything that publishing needs exists; it does not depend on tests.
func (r *Reconciler) conditions(ctx context.Context, site *v1alpha1.Site) (connected, ready metav1.Condition, err error) {
	switch connectors.ModeOf(site) {
	case lifecycle.Pull:
		pulled := conditions.True(v1alpha1.ReasonPulled, "nothing is sent to the site: it reads its articles from the REST API")
		return pulled, pulled, nil
	case lifecycle.Push:
		return r.pushConditions(ctx, site, connectors.For(site).Connection(site))
	default:
		unsupported := conditions.False(v1alpha1.ReasonNotSupportedYet,
			fmt.Sprintf("publishing to %s is not supported yet", site.Spec.CMS.Type))
		return unsupported, unsupported, nil
	}
}

// pushConditions decides Connected and Ready of a site that articles are sent to.
func (r *Reconciler) pushConditions(
	ctx context.Context, site *v1alpha1.Site, c publish.Connection,
) (connected, ready metav1.Condition, err error) {
	if err := r.CheckURL(c.URL); err != nil {
		forbidden := conditions.False(v1alpha1.ReasonAddressBlocked,
			fmt.Sprintf("the %s's URL is %s", c.Endpoint, egress.Describe(err)))
		return forbidden, forbidden, nil
	}
	_, err = r.Connect(ctx, r.HTTP, site, c)
	if blocked, ok := errors.AsType[*lifecycle.BlockedError](err); ok {
		missing := conditions.False(blocked.Reason, blocked.Message)
		return missing, missing, nil
	}
	if err != nil {
		return connected, ready, err
	}
	status, reason, message := connectiontest.Connected(site, c.SettingsHash())
	connected = metav1.Condition{Status: status, Reason: reason, Message: message}
	ready = conditions.True(v1alpha1.ReasonConfigured, fmt.Sprintf("the %s and its %s are there", c.Endpoint, c.Credentials))
	return connected, ready, nil
}

// SetupWithManager registers the controller.
func (r *Reconciler) SetupWithManager(mgr ctrl.Manager) error {
	return r.NewController(mgr, "site", base.Workers).
		For(&v1alpha1.Site{}).
		Watches(&v1alpha1.Site{}, handler.EnqueueRequestsFromMapFunc(r.sitesSharing), base.SpecChanged).
		Watches(&v1alpha1.Account{}, handler.EnqueueRequestsFromMapFunc(r.sitesOfAccount), base.Changed(base.SuspendChanged)).
		WatchesRawSource(base.Notifications(r.Engine.Calls)).
		WatchesRawSource(base.Added(r.Health)).
		Complete(r)
}

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
	return r.RequestsOfAccount(ctx, account.GetName(), &v1alpha1.SiteList{})
}

// TestMetrics are the metrics of the engine for connection tests.
var TestMetrics = attempt.Metrics{
	Attempts: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "pressroom_connection_tests_total", Help: "Tests of a site's connection that have ended, by outcome.",
	}, []string{"outcome"}),
	Seconds: base.RequestSeconds(prometheus.HistogramOpts{
		Name: "pressroom_connection_test_duration_seconds", Help: "How long tests of a site's connection took.",
	}),
	Lateness: base.AttemptLateness.WithLabelValues(base.KindConnection),
}

// Collectors returns the metrics of sites.
func Collectors() []prometheus.Collector {
	return []prometheus.Collector{TestMetrics.Attempts, TestMetrics.Seconds}
}
