package controllers

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

var (
	inFlightMetric = prometheus.NewDesc("pressroom_attempts_in_flight",
		"Attempts that are under way in this process: model calls, requests to receivers and tests of connections.", []string{"kind"}, nil)
	oldestDueMetric = prometheus.NewDesc("pressroom_oldest_due_seconds",
		"How long the work that should have begun first has been waiting; 0 where none is. What waits for somebody outside, such as for "+
			"credits or a Secret, does not count.", []string{"kind"}, nil)
)

// WorkMetrics tell of the work out of the process: what is under way in this one, and how long the oldest that is due has
// waited. The second is found in the cache when it is asked for. So it does not depend on the reconcilers, which may be what
// hangs, and a replica that waits for the lease tells it too.
type WorkMetrics struct {
	// Cache has the indexes of IndexArticles and IndexEvents.
	Cache client.Reader
	// Clock is the time.
	Clock clock.Clock
	// InFlight counts what is under way, by kind.
	InFlight map[lifecycle.Work]func() int

	mu      sync.Mutex
	waiting waitingWork
}

// NeedLeaderElection says that replicas without the lease tell too.
func (*WorkMetrics) NeedLeaderElection() bool { return false }

// Start tells while the manager runs: from when its cache is filled.
func (w *WorkMetrics) Start(ctx context.Context) error {
	if err := metrics.Registry.Register(w); err != nil {
		return fmt.Errorf("registering the metrics of work: %w", err)
	}
	defer metrics.Registry.Unregister(w)
	<-ctx.Done()
	return nil
}

// Describe implements prometheus.Collector.
func (*WorkMetrics) Describe(descriptions chan<- *prometheus.Desc) {
	descriptions <- inFlightMetric
	descriptions <- oldestDueMetric
}

// Collect implements prometheus.Collector.
func (w *WorkMetrics) Collect(out chan<- prometheus.Metric) {
	for kind, count := range w.InFlight {
		out <- prometheus.MustNewConstMetric(inFlightMetric, prometheus.GaugeValue, float64(count()), string(kind))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	oldest, err := w.oldest(ctx)
	if err != nil {
		// The other metrics are told all the same.
		log.FromContext(ctx).Error(err, "looking for the oldest work that is due")
		return
	}
	for kind := range w.InFlight {
		out <- prometheus.MustNewConstMetric(oldestDueMetric, prometheus.GaugeValue, oldest[kind].Seconds(), string(kind))
	}
}

// oldest returns how long the oldest due work of each kind has waited.
func (w *WorkMetrics) oldest(ctx context.Context) (map[lifecycle.Work]time.Duration, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	now := w.Clock.Now()
	w.waiting.begin(now)
	if err := w.articles(ctx); err != nil {
		return nil, err
	}
	if err := w.deliveries(ctx); err != nil {
		return nil, err
	}
	if err := w.tests(ctx); err != nil {
		return nil, err
	}
	return w.waiting.end(), nil
}

func (w *WorkMetrics) articles(ctx context.Context) error {
	var list v1alpha1.ArticleList
	// What the cache holds is read and not written.
	if err := w.Cache.List(ctx, &list, client.MatchingFields{dueIndex: "true"}, client.UnsafeDisableDeepCopy); err != nil {
		return fmt.Errorf("listing articles: %w", err)
	}
	sites := lookups[v1alpha1.Site, *v1alpha1.Site]{}
	for i := range list.Items {
		a := &list.Items[i]
		site, err := sites.get(ctx, w.Cache, types.NamespacedName{Namespace: a.Namespace, Name: a.Spec.SiteRef.Name})
		if err != nil {
			return fmt.Errorf("reading a site: %w", err)
		}
		if kind, since := lifecycle.Due(a, site, connectors.ModeOf(site), w.waiting.now); kind != "" {
			w.waiting.note(kind, a.UID, since)
		}
	}
	return nil
}

func (w *WorkMetrics) deliveries(ctx context.Context) error {
	var list v1alpha1.EventDeliveryList
	if err := w.Cache.List(ctx, &list, client.MatchingFields{unendedIndex: "true"}, client.UnsafeDisableDeepCopy); err != nil {
		return fmt.Errorf("listing deliveries: %w", err)
	}
	subscriptions := lookups[v1alpha1.EventSubscription, *v1alpha1.EventSubscription]{}
	for i := range list.Items {
		d := &list.Items[i]
		s, err := subscriptions.get(ctx, w.Cache, types.NamespacedName{Namespace: d.Namespace, Name: d.Spec.SubscriptionRef.Name})
		if err != nil {
			return fmt.Errorf("reading a subscription: %w", err)
		}
		if due, since := lifecycle.EventDue(d, s, w.waiting.now); due {
			w.waiting.note(lifecycle.WorkEvent, d.UID, since)
		}
	}
	return nil
}

func (w *WorkMetrics) tests(ctx context.Context) error {
	var list v1alpha1.SiteList
	if err := w.Cache.List(ctx, &list, client.UnsafeDisableDeepCopy); err != nil {
		return fmt.Errorf("listing sites: %w", err)
	}
	for i := range list.Items {
		if s := &list.Items[i]; lifecycle.TestDue(s, connectors.TesterFor(s) != nil) {
			w.waiting.note(lifecycle.WorkConnection, s.UID, time.Time{})
		}
	}
	return nil
}

// lookups remembers what has been read; nil is what does not exist.
type lookups[T any, P interface {
	*T
	client.Object
}] map[types.NamespacedName]P

func (l lookups[T, P]) get(ctx context.Context, reader client.Reader, key types.NamespacedName) (P, error) {
	if found, ok := l[key]; ok {
		return found, nil
	}
	found := P(new(T))
	if err := reader.Get(ctx, key, found); apierrors.IsNotFound(err) {
		found = nil
	} else if err != nil {
		return nil, err
	}
	l[key] = found
	return found, nil
}

// waitingWork remembers since when work has been due, from one look to the next. What was not due at the last look has become
// so after it, whatever older time status tells: a subscription may have been suspended until then.
type waitingWork struct {
	now, last  time.Time
	known, due map[dueWork]time.Time
}

type dueWork struct {
	kind   lifecycle.Work
	object types.UID
}

func (w *waitingWork) begin(now time.Time) {
	w.now, w.due = now, map[dueWork]time.Time{}
}

// note notes work that is due, since a time that may be zero.
func (w *waitingWork) note(kind lifecycle.Work, object types.UID, since time.Time) {
	work := dueWork{kind, object}
	earlier, ok := w.known[work]
	if !ok {
		earlier = w.last
	}
	if since = later(since, earlier); since.IsZero() {
		since = w.now
	}
	w.due[work] = since
}

func (w *waitingWork) end() map[lifecycle.Work]time.Duration {
	oldest := map[lifecycle.Work]time.Duration{}
	for work, since := range w.due {
		oldest[work.kind] = max(oldest[work.kind], w.now.Sub(since))
	}
	w.known, w.last = w.due, w.now
	return oldest
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}
