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
	"github.com/pressroom-dev/pressroom/internal/delivery"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// runTimeout ends an attempt of the generator. Five minutes is a normal length.
const runTimeout = 20 * time.Minute

// Options configure the controllers.
type Options struct {
	// Generator is the default generator.
	Generator generate.Config
	// Egress is the policy of the addresses that may be sent to.
	Egress egress.Policy
	// Encoding of the bodies of new revisions.
	Encoding v1alpha1.BodyEncoding
	// RetryDelays are the waits before the retries of a delivery, before jitter.
	RetryDelays []time.Duration
	// MaxRuns bounds the attempts of the generator that are in progress.
	MaxRuns int
	// MaxDeliveries bounds the deliveries that are in progress, MaxDeliveriesPerHost those to one host.
	MaxDeliveries        int
	MaxDeliveriesPerHost int
	// Clock is injected for tests.
	Clock clock.Clock
}

// reconciler is one controller that Setup registers.
type reconciler interface{ SetupWithManager(ctrl.Manager) error }

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
	uncached, err := client.New(mgr.GetConfig(), client.Options{
		Scheme: mgr.GetScheme(), HTTPClient: mgr.GetHTTPClient(), Mapper: mgr.GetRESTMapper(),
	})
	if err != nil {
		return fmt.Errorf("making a client for the ledger: %w", err)
	}
	p := newProgram(mgr, ledger.NewCharger(uncached, o.Clock), o)
	for _, r := range p.reconcilers() {
		if err := r.SetupWithManager(mgr); err != nil {
			return fmt.Errorf("registering %T: %w", r, err)
		}
	}
	for kind, count := range map[string]func() int{
		kindGeneration: p.generation.Runs.Len, kindPublication: p.publication.Engine.Calls.Len,
		kindEvent: p.events.Engine.Calls.Len, kindConnection: p.sites.Engine.Calls.Len,
	} {
		if err := registerInFlight(kind, count); err != nil {
			return err
		}
	}
	return mgr.Add(&Drainer{
		Articles: p.articles, Events: p.events, Sites: p.sites, Wait: drainWait, Record: drainRecord,
	})
}

// program holds the reconcilers of a process and the parts that they share.
type program struct {
	base        Base
	charger     *ledger.Charger
	checkURL    func(string) error
	generation  *Generation
	publication *Publication
	articles    *ArticleReconciler
	events      *EventDeliveryReconciler
	sites       *SiteReconciler
}

func newProgram(mgr ctrl.Manager, charger *ledger.Charger, o Options) *program {
	p := &program{
		base: Base{
			Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Clock: o.Clock, Recorder: mgr.GetEventRecorder("pressroom"),
			Holder: uuid.NewString(), Random: rand.Float64,
		},
		charger: charger,
		checkURL: func(raw string) error {
			_, err := o.Egress.CheckURL(raw)
			return err
		},
	}
	http, slugs := egress.NewClient(o.Egress, 0), NewSlugs(mgr.GetClient())
	engine := func(m delivery.Metrics) *delivery.Engine {
		limits := inflight.Limits{Total: o.MaxDeliveries, PerHost: o.MaxDeliveriesPerHost}
		return &delivery.Engine{Calls: inflight.New[publish.Outcome](limits), Holder: p.base.Holder, Clock: o.Clock, Metrics: m}
	}
	p.generation = &Generation{
		Base: &p.base, Slugs: slugs, Encoding: o.Encoding, Charger: charger,
		Backends: &SiteBackends{Default: o.Generator, Public: http, Live: mgr.GetAPIReader()},
		Runs:     inflight.New[RunResult](inflight.Limits{Total: o.MaxRuns, PerHost: o.MaxRuns, Timeout: runTimeout}),
	}
	p.publication = &Publication{Base: &p.base, HTTP: http, RetryDelays: o.RetryDelays, Engine: engine(publicationMetrics)}
	p.articles = NewArticleReconciler(p.base, &Content{Base: &p.base, Slugs: slugs, Encoding: o.Encoding}, p.generation, p.publication)
	p.events = &EventDeliveryReconciler{Base: p.base, HTTP: http, RetryDelays: o.RetryDelays, Engine: engine(eventMetrics)}
	p.sites = &SiteReconciler{Base: p.base, HTTP: http, CheckURL: p.checkURL, Engine: engine(testMetrics)}
	return p
}

func (p *program) reconcilers() []reconciler {
	return []reconciler{
		p.articles,
		&AccountReconciler{Base: p.base, Ledger: p.charger},
		p.sites,
		&OutboxReconciler{Base: p.base},
		p.events,
		&EventSubscriptionReconciler{Base: p.base, CheckURL: p.checkURL},
		&APIKeyReconciler{Base: p.base},
		&OAuthClientReconciler{Base: p.base},
		&OAuthGrantReconciler{Base: p.base},
	}
}
