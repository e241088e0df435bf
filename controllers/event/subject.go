package event

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/trace"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/egress"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/eventdelivery"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/eventhook"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// subject has the engine send an event to its subscription.
type subject struct {
	reconciler *DeliveryReconciler
	delivery   *v1alpha1.EventDelivery
	// stored is the delivery as it was read.
	stored *v1alpha1.EventDelivery
	// subscription is nil if it does not exist.
	subscription *v1alpha1.EventSubscription
	// fresh means that the next attempt begins a new cycle.
	fresh bool
	// blocked is the blocker of the next attempt that this reconcile has found, or nil.
	blocked *lifecycle.BlockedError
}

var _ attempt.Subject[publish.Outcome] = (*subject)(nil)

// Key implements attempt.Subject.
func (s *subject) Key() types.NamespacedName { return client.ObjectKeyFromObject(s.delivery) }

// SlotRequest implements attempt.Subject.
func (s *subject) SlotRequest(ctx context.Context) (inflight.SlotRequest, error) {
	request, err := s.reconciler.SlotRequest(ctx, s.delivery.Namespace, egress.Host(s.subscription.Spec.URL))
	request.UID = s.delivery.UID
	return request, err
}

// Attempt implements attempt.Subject.
func (s *subject) Attempt() string { return cycles.InProgress(&s.delivery.Status.DeliveryRecord).ID }

// Stored never says outdated: an event is due from the beginning, and its status never says that it is not.
func (s *subject) Stored() (blocked, outdated bool) { return eventdelivery.Blocked(s.delivery), false }

// Queued implements attempt.Subject.
func (s *subject) Queued() { s.blocked = nil }

// Checking implements attempt.Subject. An event has no check.
func (s *subject) Checking() {}

// Prepare reads the subscription live, and its secrets. A missing previous secret blocks nothing: the rotation is over.
func (s *subject) Prepare(ctx context.Context) (attempt.Plan[publish.Outcome], error) {
	r, spec := s.reconciler, s.subscription.Spec
	// The URL or the secret of an earlier state may be one that nothing may be sent to any more.
	if err := base.RequireSpec(ctx, &r.Base, "eventsubscriptions", s.subscription); err != nil {
		return attempt.Plan[publish.Outcome]{}, err
	}
	key, err := r.Secrets.SigningKey(ctx, s.subscription.Namespace, spec.SigningSecretRef)
	if err != nil {
		return attempt.Plan[publish.Outcome]{}, err
	}
	target := eventhook.Target{URL: spec.URL, Keys: [][]byte{key}}
	if target.Token, err = tokenOf(ctx, r.Secrets, s.subscription); err != nil {
		return attempt.Plan[publish.Outcome]{}, err
	}
	if spec.PreviousSigningSecretRef != nil {
		previous, err := r.Secrets.SigningKey(ctx, s.subscription.Namespace, *spec.PreviousSigningSecretRef)
		switch {
		case err == nil:
			target.Keys = append(target.Keys, previous)
		case !base.IsBlocked(err):
			return attempt.Plan[publish.Outcome]{}, err
		}
	}
	d := s.delivery
	message := eventhook.Message{ID: d.Name, Type: lifecycle.EventName(d), Body: []byte(d.Spec.Body)}
	return attempt.Plan[publish.Outcome]{Send: func(ctx context.Context) publish.Outcome {
		return eventhook.Send(ctx, r.HTTP, r.Clock, target, message)
	}}, nil
}

// tokenOf returns the access token of a subscription, for its URL alone; empty if its format needs none. It returns a
// *lifecycle.BlockedError if the token cannot be used.
func tokenOf(ctx context.Context, secrets base.Secrets, s *v1alpha1.EventSubscription) (string, error) {
	if s.Spec.TokenSecretRef == nil {
		return "", nil
	}
	return secrets.Token(ctx, s.Namespace, *s.Spec.TokenSecretRef, s.Spec.URL)
}

// Strip is the transform of deliveries in the manager's cache. A delivery that has ended stays for days, and needs no
// body until a redelivery is requested.
func Strip(o any) (any, error) {
	if d, ok := o.(*v1alpha1.EventDelivery); ok && !eventdelivery.Unfinished(d) {
		d.Spec.Body = ""
	}
	return lifecycle.StripObject(o)
}

// Begin implements attempt.Subject.
func (s *subject) Begin(_ context.Context, id cycles.AttemptID) (time.Time, error) {
	due := eventdelivery.DueAt(s.delivery)
	eventdelivery.Begin(s.delivery, id, s.fresh, s.reconciler.Clock.Now())
	return due, nil
}

// Span continues the trace of the delivery.
func (s *subject) Span(ctx context.Context) (context.Context, func(publish.Outcome)) {
	d := s.delivery
	if d.Spec.ArticleRef.Name != "" {
		// What is about no article is in a trace of its own, as the test of a site's connection.
		ctx = tracing.Continue(ctx, d, d.Spec.ArticleRef.Name)
	}
	ctx, span := base.StartSpan(ctx, "event attempt", trace.SpanKindClient,
		append(base.AttemptAttributes(&d.Status.DeliveryRecord),
			tracing.Workspace.String(d.Namespace), tracing.Article.String(d.Spec.ArticleRef.Name),
			tracing.EventType.String(string(d.Spec.Type)), tracing.Subscription.String(d.Spec.SubscriptionRef.Name))...)
	return ctx, base.EndSpan(span)
}

// End records the outcome, after the receiver's health. The outcome stays in memory until both are written, and both are tried again.
func (s *subject) End(ctx context.Context, o publish.Outcome) (string, error) {
	r, end := s.reconciler, base.EndOf(o)
	eventdelivery.End(s.delivery, end, cycles.Schedule{Delays: r.RetryDelays, Random: r.Random()}, r.Clock.Now())
	if s.subscription == nil || end.Uncounted {
		return string(o.Outcome), nil
	}
	return string(o.Outcome), r.updateHealth(ctx, s.delivery, s.subscription)
}

// Save implements attempt.Subject.
func (s *subject) Save(ctx context.Context, written func()) error {
	err := s.save(ctx)
	if err == nil {
		written()
	}
	return err
}

// save recomputes the delivery's conditions and writes its status if it has changed. It counts a cycle that has ended.
func (s *subject) save(ctx context.Context) error {
	r, d := s.reconciler, s.delivery
	eventdelivery.Summarize(d, s.subscription, r.Clock.Now(), s.blocked)
	if err := r.WriteStatus(ctx, s.stored, d); err != nil {
		return err
	}
	if d.Status.FinishTime != nil && !d.Status.FinishTime.Equal(s.stored.Status.FinishTime) {
		base.CountEnd(eventDeliveriesEnded, d.Status.Cycle)
	}
	s.stored = d.DeepCopy()
	return nil
}

// saveBlocked writes the blocker of the next attempt. An event that could not be sent for 7 days is given up.
func (s *subject) saveBlocked(ctx context.Context, b *lifecycle.BlockedError) error {
	if eventdelivery.Expired(s.delivery, s.reconciler.Clock.Now()) {
		return s.expire(ctx)
	}
	s.blocked = b
	return s.save(ctx)
}

// expire gives up a delivery that could not be sent in time.
func (s *subject) expire(ctx context.Context) error {
	eventdelivery.EndExpired(s.delivery, s.reconciler.Clock.Now())
	return s.save(ctx)
}
