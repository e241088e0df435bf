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
	"github.com/pressroom-dev/pressroom/internal/liveread"
	"github.com/pressroom-dev/pressroom/internal/related"
)

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
	// Runs bounds the attempts of the generator that are in progress. Its Timeout is set by New.
	Runs inflight.Limits
	// Deliveries bounds the deliveries of articles that are in progress, and as many of events and connection tests each.
	Deliveries inflight.Limits
	// Suspend says that nothing may be generated or sent.
	Suspend bool
	// Texts that the manager's cache drops (see CacheOptions). Without it, all texts are read live.
	Texts *Texts
	// Clock is injected for tests.
	Clock clock.Clock
}

// reconciler is what Setup registers.
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
	b := Base{
		Client: cachedClient{mgr.GetClient()}, Live: mgr.GetAPIReader(), Clock: o.Clock, Recorder: mgr.GetEventRecorder("pressroom"),
		Holder: uuid.NewString(), Random: rand.Float64,
	}
	c := New(b, ledger.NewCharger(uncached, o.Clock), o)
	for _, r := range c.all() {
		if err := r.SetupWithManager(mgr); err != nil {
			return fmt.Errorf("registering %T: %w", r, err)
		}
	}
	for kind, count := range map[string]func() int{
		kindGeneration: c.Generation.Runs.Len, kindPublication: c.Publication.Engine.Calls.Len,
		kindEvent: c.EventDeliveries.Engine.Calls.Len, kindConnection: c.Sites.Engine.Calls.Len,
	} {
		if err := registerInFlight(kind, count); err != nil {
			return err
		}
	}
	return mgr.Add(&Drainer{
		Articles: c.Articles, Events: c.EventDeliveries, Sites: c.Sites, Wait: drainWait, Record: drainRecord,
	})
}

// Controllers are the reconcilers of a process. They share slugs, and the articles' reconciler has Generation and Publication.
type Controllers struct {
	Articles        *ArticleReconciler
	Generation      *Generation
	Publication     *Publication
	Posts           *PostReconciler
	Accounts        *AccountReconciler
	Sites           *SiteReconciler
	Outbox          *OutboxReconciler
	EventDeliveries *EventDeliveryReconciler
	Subscriptions   *EventSubscriptionReconciler
	APIKeys         *APIKeyReconciler
	OAuthClients    *OAuthClientReconciler
	OAuthGrants     *OAuthGrantReconciler
	Access          *SubscriptionAccessReconciler
	Records         *IdempotencyRecordReconciler
}

// New makes the reconcilers of a process.
func New(b Base, charger *ledger.Charger, o Options) *Controllers {
	b.Suspend, b.Subjects = o.Suspend, related.NewMemory()
	b.Live = liveread.New(b.Live)
	b.Secrets = NewSecrets(b.Live, b.Clock)
	b.PlainHTTP = len(o.Egress.AllowCIDRs) > 0
	fresh := b
	fresh.Secrets = b.Secrets.Fresh()
	http, slugs, tokens := egress.NewClient(o.Egress, 0), NewSlugs(b.Client), ledger.NewTokenBook()
	checkURL := func(raw string) error {
		_, err := o.Egress.CheckURL(raw)
		return err
	}
	engine := func(kind string, m delivery.Metrics) *delivery.Engine {
		return &delivery.Engine{
			Calls: inflight.New(o.Deliveries, deliveryResults(kind)), Holder: b.Holder, Clock: b.Clock, Metrics: m,
		}
	}
	o.Runs.Timeout = generate.MaxDeadline
	generation := &Generation{
		Base: &b, Slugs: slugs, Encoding: o.Encoding, Charger: charger, Tokens: tokens,
		Backends: &SiteBackends{Default: o.Generator, Public: http, Secrets: b.Secrets},
		Runs:     inflight.New(o.Runs, runResults()),
	}
	publication := &Publication{Base: &b, HTTP: http, RetryDelays: o.RetryDelays, Engine: engine(kindPublication, publicationMetrics)}
	content := &Content{Base: &b, Slugs: slugs, Encoding: o.Encoding, Texts: o.Texts}
	posts := Posts{Base: &b}
	return &Controllers{
		Articles: NewArticleReconciler(b, content, generation, publication, &posts), Generation: generation, Publication: publication,
		Posts:    &PostReconciler{Posts: posts},
		Accounts: &AccountReconciler{Base: b, Ledger: charger, Tokens: tokens},
		Sites:    &SiteReconciler{Base: fresh, HTTP: http, CheckURL: checkURL, Engine: engine(kindConnection, testMetrics)},
		Outbox:   &OutboxReconciler{Base: b},
		EventDeliveries: &EventDeliveryReconciler{
			Base: b, HTTP: http, RetryDelays: o.RetryDelays, Engine: engine(kindEvent, eventMetrics),
		},
		Subscriptions: &EventSubscriptionReconciler{Base: fresh, CheckURL: checkURL},
		APIKeys:       &APIKeyReconciler{Base: b},
		OAuthClients:  &OAuthClientReconciler{Base: b},
		OAuthGrants:   &OAuthGrantReconciler{Base: b},
		Access:        &SubscriptionAccessReconciler{Base: b},
		Records:       &IdempotencyRecordReconciler{Base: b},
	}
}

func (c *Controllers) all() []reconciler {
	return []reconciler{
		c.Articles, c.Posts, c.Accounts, c.Sites, c.Outbox, c.EventDeliveries, c.Subscriptions, c.APIKeys, c.OAuthClients, c.OAuthGrants,
		c.Access,
		c.Records,
	}
}
