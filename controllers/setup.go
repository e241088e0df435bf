// Package controllers sets up the controllers of a process: their options, the manager's cache and client, metrics, and the end of the
// calls in progress when the manager stops.
//
// There is a package for each kind of object, or family of kinds: article, post, event, site, account and access. They import package
// base and not each other, except that article claims slugs with package post. A reconciler reads an object, asks internal/lifecycle
// for the next step, does it and writes status once. Calls of external endpoints run outside of reconciles, in internal/inflight, so
// that a slow endpoint never delays a worker.
package controllers

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/pressroom-dev/pressroom/controllers/access"
	"github.com/pressroom-dev/pressroom/controllers/account"
	"github.com/pressroom-dev/pressroom/controllers/article"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/event"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/controllers/site"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/fence"
	"github.com/pressroom-dev/pressroom/internal/generate"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/ledger"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/related"
	"github.com/pressroom-dev/pressroom/internal/sitegenerator"
)

// Options configure the controllers.
type Options struct {
	// Generator is the default generator.
	Generator generate.Config
	// Egress limits the addresses that requests are sent to.
	Egress egress.Policy
	// RetryDelays are the waits before the retries of a delivery, before jitter.
	RetryDelays []time.Duration
	// Runs bounds the attempts of the generator that are in progress. Its Timeout is set by New.
	Runs inflight.Limits
	// Deliveries bounds the deliveries of articles that are in progress. Events and connection tests have slots of their own, with the
	// same bounds.
	Deliveries inflight.Limits
	// AppURL is the address of the dashboard, which messages in chats link to.
	AppURL string
	// Suspend stops generating and sending.
	Suspend bool
	// Texts is filled by the manager's cache (see CacheOptions). Without it, all texts are read live.
	Texts *article.Texts
	// Renewed returns when this process renewed its lease last; nil without leader election.
	Renewed func() time.Time
	// Clock is injected for tests.
	Clock clock.Clock
}

type reconciler interface{ SetupWithManager(ctrl.Manager) error }

// Setup registers all controllers with the manager.
func Setup(ctx context.Context, mgr ctrl.Manager, o Options) error {
	indexes := []func(context.Context, client.FieldIndexer) error{base.IndexWorkspaces, article.Index, event.Index, access.Index}
	for _, index := range indexes {
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
	b := base.Base{
		Client: mgr.GetClient(), Live: mgr.GetAPIReader(), Clock: o.Clock, Recorder: mgr.GetEventRecorder("pressroom"),
		Holder: uuid.NewString(), Random: rand.Float64,
	}
	c := New(b, ledger.NewCharger(uncached, o.Clock), o)
	for _, r := range c.all() {
		if err := r.SetupWithManager(mgr); err != nil {
			return fmt.Errorf("registering %T: %w", r, err)
		}
	}
	for _, m := range slices.Concat(base.Collectors(), article.Collectors(), event.Collectors(), site.Collectors(), gauges(c, o.Clock)) {
		// An earlier manager in the same process has its own.
		metrics.Registry.Unregister(m)
		if err := metrics.Registry.Register(m); err != nil {
			return fmt.Errorf("registering metrics: %w", err)
		}
	}
	return mgr.Add(&Drainer{
		Articles: c.Articles, Events: c.EventDeliveries, Sites: c.Sites, Accounts: c.Accounts, Wait: drainWait, Record: drainRecord,
	})
}

// Controllers are the reconcilers of a process. They share slugs, and the articles' reconciler has Generation, Publication and
// Images.
type Controllers struct {
	Articles           *article.Reconciler
	Generation         *article.Generation
	Publication        *article.Publication
	Images             *article.Images
	Posts              *post.Reconciler
	Accounts           *account.Reconciler
	Sites              *site.Reconciler
	Outbox             *event.OutboxReconciler
	SiteEvents         *event.SiteReconciler
	EventDeliveries    *event.DeliveryReconciler
	EventSubscriptions *event.SubscriptionStatusReconciler
	APIKeys            *access.APIKeyReconciler
	OAuthClients       *access.OAuthClientReconciler
	OAuthGrants        *access.OAuthGrantReconciler
	SubscriptionAccess *access.SubscriptionAccessReconciler
	Records            *access.IdempotencyRecordReconciler
}

// New makes the reconcilers of a process. It sets those fields of b that depend on the options.
func New(b base.Base, charger *ledger.Charger, o Options) *Controllers {
	b.Suspend = o.Suspend
	b.Health = &base.Health{}
	b.Client = base.Client{Client: b.Client, Live: b.Live}
	b.Secrets = base.NewSecrets(b.Live, b.Clock)
	b.PlainHTTP = len(o.Egress.AllowCIDRs) > 0
	fresh := b
	fresh.Secrets = b.Secrets.Fresh()
	fenced := func(c *http.Client) *http.Client {
		return egress.NewThrough(c, func(next http.RoundTripper) http.RoundTripper {
			return &fence.Transport{Next: next, Renewed: o.Renewed, Clock: b.Clock}
		})
	}
	if o.Generator.HTTPClient != nil {
		o.Generator.HTTPClient = fenced(o.Generator.HTTPClient)
	}
	public, tokens := fenced(egress.NewClient(o.Egress, 0)), ledger.NewTokenBook()
	index := related.NewIndex()
	engine := func(kind string, m attempt.Metrics) *attempt.Engine[publish.Outcome] {
		return attempt.NewEngine(o.Deliveries, base.DeliveryResults(kind), b.Holder, b.Clock, m)
	}
	o.Runs.Timeout, o.Runs.Clock, o.Deliveries.Clock = generate.MaxDeadline, b.Clock, b.Clock
	briefs := article.NewBriefs(&b)
	generation := &article.Generation{
		Base: &b, Related: index, Briefs: briefs, Charger: charger, Tokens: tokens,
		Backends: &sitegenerator.Sites{Default: o.Generator, Public: public, Secrets: b.Secrets},
		Engine:   attempt.NewEngine(o.Runs, article.RunResults(), b.Holder, b.Clock, article.GenerationMetrics),
	}
	publication := &article.Publication{
		Base: &b, HTTP: public, RetryDelays: o.RetryDelays, Engine: engine(base.KindPublication, article.PublicationMetrics),
	}
	images := &article.Images{
		Base: &b, HTTP: public,
		Engine: attempt.NewEngine(o.Deliveries, article.ImageResults(b.Clock), b.Holder, b.Clock, attempt.Metrics{}),
	}
	content := &article.Content{Base: &b, Related: index, Texts: o.Texts, Images: images, Briefs: briefs}
	posts, outbox := post.Store{Base: &b}, &event.OutboxReconciler{Base: b, AppURL: o.AppURL}
	return &Controllers{
		Articles: article.NewReconciler(b, content, generation, publication, &posts), Generation: generation, Publication: publication,
		Images: images, Posts: &post.Reconciler{Store: posts},
		Accounts: &account.Reconciler{Base: b, Ledger: charger, Tokens: tokens},
		Sites: &site.Reconciler{
			Base: fresh, HTTP: public, CheckURL: o.Egress.CheckURL, Engine: engine(base.KindConnection, site.TestMetrics),
		},
		Outbox: outbox, SiteEvents: &event.SiteReconciler{OutboxReconciler: outbox},
		EventDeliveries: &event.DeliveryReconciler{
			Base: b, HTTP: public, RetryDelays: o.RetryDelays, Engine: engine(base.KindEvent, event.DeliveryMetrics),
			Eviction: event.NewEviction(),
		},
		EventSubscriptions: &event.SubscriptionStatusReconciler{Base: fresh, CheckURL: o.Egress.CheckURL},
		APIKeys:            &access.APIKeyReconciler{Base: b},
		OAuthClients:       &access.OAuthClientReconciler{Base: b},
		OAuthGrants:        &access.OAuthGrantReconciler{Base: b},
		SubscriptionAccess: &access.SubscriptionAccessReconciler{Base: b},
		Records:            &access.IdempotencyRecordReconciler{Base: b},
	}
}

func (c *Controllers) all() []reconciler {
	return []reconciler{
		c.Articles, c.Posts, c.Accounts, c.Sites, c.Outbox, c.SiteEvents, c.EventDeliveries, c.EventSubscriptions, c.APIKeys,
		c.OAuthClients, c.OAuthGrants, c.SubscriptionAccess, c.Records,
	}
}

// gauges export what is in progress in this process, and how its deliveries go.
func gauges(c *Controllers, clk clock.PassiveClock) []prometheus.Collector {
	inFlight := func(kind string, count func() int) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name:        "pressroom_attempts_in_flight",
			Help:        "Attempts in progress in this process: model calls, requests to receivers and connection tests.",
			ConstLabels: prometheus.Labels{"kind": kind},
		}, func() float64 { return float64(count()) })
	}
	budgets := func(state account.BudgetState) prometheus.Collector {
		return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name:        "pressroom_account_budgets",
			Help:        "Accounts with a budget of the month, by how much of it is used: near is 80 percent and more, reached is all.",
			ConstLabels: prometheus.Labels{"state": string(state)},
		}, func() float64 { return float64(c.Accounts.Budgets(state)) })
	}
	return []prometheus.Collector{
		budgets(account.BudgetUnder), budgets(account.BudgetNear), budgets(account.BudgetReached),
		inFlight(base.KindGeneration, c.Generation.Engine.Calls.Len),
		inFlight(base.KindPublication, c.Publication.Engine.Calls.Len),
		inFlight(base.KindEvent, c.EventDeliveries.Engine.Calls.Len),
		inFlight(base.KindConnection, c.Sites.Engine.Calls.Len),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "pressroom_last_delivery_timestamp_seconds",
			Help: "When a site accepted an article of this process last, in seconds since 1970; 0 if none did.",
		}, func() float64 {
			if last, _, _ := c.Articles.Health.Overall(); !last.IsZero() {
				return float64(last.UnixMilli()) / 1000
			}
			return 0
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "pressroom_oldest_waiting_delivery_seconds",
			Help: "How long the article waits that has waited longest for its delivery: it is due, and not accepted yet; 0 if none waits.",
		}, func() float64 {
			if _, oldest, _ := c.Articles.Health.Overall(); !oldest.IsZero() {
				return max(clk.Since(oldest), 0).Seconds()
			}
			return 0
		}),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "pressroom_sites_failing",
			Help: "Sites to which at least the last 3 attempts of this process to deliver an article have failed.",
		}, func() float64 {
			_, _, failing := c.Articles.Health.Overall()
			return float64(failing)
		}),
	}
}
