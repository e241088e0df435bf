package site

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/trace"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/connectiontest"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// subject has the engine test a site's connection. There are no retries: a new nonce asks for another test.
type subject struct {
	reconciler *Reconciler
	site       *v1alpha1.Site
	// stored is the site as it was read.
	stored *v1alpha1.Site
}

var _ attempt.Subject[publish.Outcome] = (*subject)(nil)

// Key implements attempt.Subject.
func (s *subject) Key() types.NamespacedName { return client.ObjectKeyFromObject(s.site) }

// SlotRequest implements attempt.Subject.
func (s *subject) SlotRequest(ctx context.Context) (inflight.SlotRequest, error) {
	request, err := s.reconciler.SlotRequest(ctx, s.site.Namespace, s.connection().Host)
	request.UID = s.site.UID
	return request, err
}

// Attempt implements attempt.Subject.
func (s *subject) Attempt() string { return s.site.Status.ConnectionTest.ID }

// Stored says neither: a test for which something is missing ends at once, because nobody expects its result hours later, and no
// condition reports that a test waits for a slot.
func (s *subject) Stored() (blocked, outdated bool) { return false, false }

// Queued implements attempt.Subject.
func (s *subject) Queued() {}

// Checking implements attempt.Subject. A test has no check.
func (s *subject) Checking() {}

// Prepare implements attempt.Subject.
func (s *subject) Prepare(ctx context.Context) (attempt.Plan[publish.Outcome], error) {
	tester := connectors.TesterFor(s.site)
	target, err := s.reconciler.Connect(ctx, s.reconciler.HTTP, s.site, s.connection())
	if err != nil {
		return attempt.Plan[publish.Outcome]{}, err
	}
	nonce := command.Nonce(s.site, v1alpha1.TestConnectionAnnotation)
	send := func(ctx context.Context) publish.Outcome { return tester.Test(ctx, target, nonce) }
	return attempt.Plan[publish.Outcome]{Send: send}, nil
}

// Begin returns no time: a nonce has none.
func (s *subject) Begin(_ context.Context, id cycles.AttemptID) (due time.Time, err error) {
	connectiontest.Begin(s.site, s.connection().SettingsHash(), id, s.reconciler.Clock.Now())
	return due, nil
}

// Span starts a trace of its own.
func (s *subject) Span(ctx context.Context) (context.Context, func(publish.Outcome)) {
	ctx, span := base.StartSpan(ctx, "connection test", trace.SpanKindClient, tracing.Workspace.String(s.site.Namespace),
		tracing.Site.String(s.site.Name), tracing.Attempt.String(s.site.Status.ConnectionTest.ID))
	return ctx, base.EndSpan(span)
}

// End implements attempt.Subject.
func (s *subject) End(_ context.Context, o publish.Outcome) (string, error) {
	connectiontest.End(s.site, base.EndOf(o))
	return string(o.Outcome), nil
}

// endBlocked ends a test for which something is missing.
func (s *subject) endBlocked(ctx context.Context, b *lifecycle.BlockedError) error {
	return s.reconciler.Engine.EndUnmade(ctx, s, publish.NotSent(true, b.Message))
}

// Save implements attempt.Subject.
func (s *subject) Save(ctx context.Context, written func()) error {
	err := s.save(ctx)
	if err == nil {
		written()
	}
	return err
}

// save recomputes the site's conditions and writes its status if it has changed.
func (s *subject) save(ctx context.Context) error {
	r, site := s.reconciler, s.site
	connected, ready, err := r.conditions(ctx, site)
	if err != nil {
		return err
	}
	suspension, err := r.Suspension(ctx, site)
	if err != nil {
		return err
	}
	set := conditions.Setter{Conditions: &site.Status.Conditions, Generation: site.Generation, Now: r.Clock.Now()}
	set.Set(v1alpha1.ConditionConnected, connected)
	set.Set(v1alpha1.ConditionReady, lifecycle.SiteReady(site, ready, suspension))
	r.setDelivering(site, set)
	if err := r.setShared(ctx, site, set); err != nil {
		return err
	}
	site.Status.ObservedGeneration = site.Generation
	if err := r.WriteStatus(ctx, s.stored, site); err != nil {
		return err
	}
	s.stored = site.DeepCopy()
	return nil
}

// setDelivering sets the condition Delivering, and what belongs to it. As long as this process has seen no delivery, it stays as it is.
func (r *Reconciler) setDelivering(site *v1alpha1.Site, set conditions.Setter) {
	if connectors.ModeOf(site) != lifecycle.Push {
		meta.RemoveStatusCondition(&site.Status.Conditions, v1alpha1.ConditionDelivering)
		site.Status.Deliveries = nil
		return
	}
	report, known, _ := r.Health.Report(client.ObjectKeyFromObject(site), r.Clock.Now())
	c := &report.Condition
	if c.Status == "" {
		c = meta.FindStatusCondition(site.Status.Conditions, v1alpha1.ConditionDelivering)
	}
	if c != nil {
		set.Set(v1alpha1.ConditionDelivering, *c)
	}
	if known {
		setDeliveries(site, report)
	}
}

// setDeliveries sets what else a site shows of its deliveries. What this process has not seen stays.
func setDeliveries(site *v1alpha1.Site, report base.Report) {
	d := v1alpha1.SiteDeliveries{OldestWaitingTime: timeOrNil(report.OldestWaiting), Failures: report.Failures}
	if d.LastSuccessTime = timeOrNil(report.LastSuccess); d.LastSuccessTime == nil && site.Status.Deliveries != nil {
		d.LastSuccessTime, d.Failures = site.Status.Deliveries.LastSuccessTime, max(d.Failures, site.Status.Deliveries.Failures)
	}
	site.Status.Deliveries = &d
	if d == (v1alpha1.SiteDeliveries{}) {
		site.Status.Deliveries = nil
	}
}

func timeOrNil(t time.Time) *v1alpha1.MicroTime {
	if t.IsZero() {
		return nil
	}
	return new(v1alpha1.NewMicroTime(t))
}

func (s *subject) connection() publish.Connection {
	return connectors.For(s.site).Connection(s.site)
}
