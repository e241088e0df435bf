package controllers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// runTimeout ends an attempt of the generator. Five minutes is a normal length.
const runTimeout = 20 * time.Minute

// Options configure the controllers.
type Options struct {
	// Generator is the default generator.
	Generator generate.Config
	// Egress says which addresses may be sent to.
	Egress egress.Policy
	// Encoding of the bodies of new revisions.
	Encoding v1alpha1.BodyEncoding
	// RetryDelays are the waits before the retries of a delivery, before jitter.
	RetryDelays []time.Duration
	// MaxRuns bounds the runs of the generator that are under way.
	MaxRuns int
	// MaxDeliveries bounds the deliveries that are on the wire, MaxDeliveriesPerHost those to one host.
	MaxDeliveries        int
	MaxDeliveriesPerHost int
	// Clock is the time.
	Clock clock.Clock
}

// Setup registers all controllers with the manager.
func Setup(ctx context.Context, mgr ctrl.Manager, o Options) error {
	if err := registerMetrics(); err != nil {
		return err
	}
	for _, index := range []func(context.Context, client.FieldIndexer) error{IndexArticles, IndexEvents, IndexReferences} {
		if err := index(ctx, mgr.GetFieldIndexer()); err != nil {
			return fmt.Errorf("making the cache's indexes: %w", err)
		}
	}
	base := Base{
		Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Clock: o.Clock, Recorder: mgr.GetEventRecorder("pressroom"),
		Holder: uuid.NewString(), Random: rand.Float64,
	}
	public := egress.NewClient(o.Egress, 0)
	slugs := NewSlugs(mgr.GetClient())
	uncached, err := client.New(mgr.GetConfig(), client.Options{
		Scheme: mgr.GetScheme(), HTTPClient: mgr.GetHTTPClient(), Mapper: mgr.GetRESTMapper(),
	})
	if err != nil {
		return fmt.Errorf("making a client for the ledger: %w", err)
	}
	charger := ledger.NewCharger(uncached, o.Clock)
	generation := &GenerationReconciler{
		Base: base, Slugs: slugs, Encoding: o.Encoding, Charger: charger,
		Backends: &SiteBackends{Default: o.Generator, Public: public, Live: mgr.GetAPIReader()},
		Runs:     inflight.New[RunResult](inflight.Limits{Total: o.MaxRuns, PerHost: o.MaxRuns, Timeout: runTimeout}),
	}
	publication := &PublicationReconciler{
		Base: base, HTTP: public, RetryDelays: o.RetryDelays,
		Deliveries: inflight.New[publish.Outcome](inflight.Limits{Total: o.MaxDeliveries, PerHost: o.MaxDeliveriesPerHost}),
	}
	events := &EventDeliveryReconciler{
		Base: base, HTTP: public, RetryDelays: o.RetryDelays,
		Deliveries: inflight.New[publish.Outcome](inflight.Limits{Total: o.MaxDeliveries, PerHost: o.MaxDeliveriesPerHost}),
	}
	checkURL := func(raw string) error {
		_, err := o.Egress.CheckURL(raw)
		return err
	}
	sites := &SiteReconciler{
		Base: base, HTTP: public, CheckURL: checkURL,
		Tests: inflight.New[publish.Outcome](inflight.Limits{Total: o.MaxDeliveries, PerHost: o.MaxDeliveriesPerHost}),
	}
	for _, r := range []interface{ SetupWithManager(ctrl.Manager) error }{
		&ArticleReconciler{Base: base, Slugs: slugs, Encoding: o.Encoding},
		generation,
		publication,
		&AccountReconciler{Base: base, Ledger: charger},
		sites,
		&OutboxReconciler{Base: base},
		events,
		&EventSubscriptionReconciler{Base: base, CheckURL: checkURL},
		&APIKeyReconciler{Base: base},
		&OAuthClientReconciler{Base: base},
		&OAuthGrantReconciler{Base: base},
	} {
		if err := r.SetupWithManager(mgr); err != nil {
			return fmt.Errorf("registering %T: %w", r, err)
		}
	}
	if err := mgr.Add(&WorkMetrics{Cache: mgr.GetClient(), Clock: o.Clock, InFlight: map[lifecycle.Work]func() int{
		lifecycle.WorkGeneration:  generation.Runs.Len,
		lifecycle.WorkPublication: publication.Deliveries.Len,
		lifecycle.WorkEvent:       events.Deliveries.Len,
		lifecycle.WorkConnection:  sites.Tests.Len,
	}}); err != nil {
		return err
	}
	return mgr.Add(&Drainer{
		Generation: generation, Publication: publication, Events: events, Sites: sites, Wait: drainWait, Record: drainRecord,
	})
}
