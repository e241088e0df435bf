package article

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/trace"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/delivery"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/liveread"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// subject has the delivery engine send an article to its site.
type subject struct {
	*task
	publication *Publication
	// fresh means that the next attempt begins a new cycle.
	fresh bool
	// begun means that an attempt is recorded in memory and not written yet.
	begun bool
}

var _ delivery.Subject = (*subject)(nil)

// Key names the article.
func (s *subject) Key() types.NamespacedName { return client.ObjectKeyFromObject(s.article) }

// SlotRequest returns a request for the account of the workspace and the host of the site.
func (s *subject) SlotRequest(ctx context.Context) (inflight.SlotRequest, error) {
	return s.base.SlotRequest(ctx, s.article.Namespace, connectors.For(s.site).Connection(s.site).Host)
}

// Attempt returns the id of the attempt that status shows as in progress.
func (s *subject) Attempt() string { return attempts.Open(s.record()).ID }

// DueAt is read from status.
func (s *subject) DueAt() time.Time { return lifecycle.PublicationDueAt(s.article) }

// Blocked reads the conditions.
func (s *subject) Blocked() bool { return lifecycle.PublicationBlocked(s.article) }

// Outdated reports whether the condition is older than the decision that made publishing due.
func (s *subject) Outdated() bool { return lifecycle.PublicationOutdated(s.article) }

// Queued records that publishing waits for a slot only.
func (s *subject) Queued() {
	s.blockers.Publication = lifecycle.NoSlotAtReceiver()
	s.content.Texts.keepRevision(s.article, s.revision)
}

// Save writes the article's status.
func (s *subject) Save(ctx context.Context) error {
	if s.begun {
		s.begun = false
		return s.saveClaimed(ctx)
	}
	return s.save(ctx)
}

// Prepare reads the Site live, the Secrets of its connection, and the revision if this reconcile has not read it yet. Then it claims
// the slug. Articles of a Site share the reads that began since their reconciles did.
func (s *subject) Prepare(ctx context.Context) (delivery.Send, error) {
	shared := liveread.Since(ctx, s.began)
	if err := requireLatestSite(shared, s.base, s.site); err != nil {
		return nil, err
	}
	p, connector := s.publication, connectors.For(s.site)
	target, err := p.Connect(shared, p.HTTP, s.site, connector.Connection(s.site))
	if err != nil {
		return nil, err
	}
	article, err := s.payload(ctx)
	if err != nil {
		return nil, err
	}
	post := identity.PostName(base.DestinationOf(s.site), article.Slug)
	return func(ctx context.Context) publish.Outcome {
		outcome := connector.Publish(ctx, target, article)
		outcome.Post = post
		return outcome
	}, nil
}

// payload returns the article to send: the current revision under the slug that the article has claimed.
func (s *subject) payload(ctx context.Context) (publish.Article, error) {
	doc, err := s.content.current(ctx, s.task)
	if err != nil {
		return publish.Article{}, err
	}
	if err := s.claimSlug(ctx); err != nil {
		return publish.Article{}, err
	}
	return publish.NewArticle(s.article, doc)
}

// Begin records the attempt in status.
func (s *subject) Begin(id attempts.ID) {
	lifecycle.BeginDelivery(s.article, id, s.fresh, s.base.Clock.Now())
	lifecycle.RecordConnection(s.article, s.site)
	s.begun = true
}

// Span continues the trace of the article.
func (s *subject) Span(ctx context.Context) (context.Context, trace.Span) {
	return deliverySpan(ctx, s.article)
}

// End records the outcome and the location of the post, and makes the Event of a failed cycle.
func (s *subject) End(_ context.Context, end attempts.End, o publish.Outcome) error {
	schedule := attempts.Schedule{Delays: s.publication.RetryDelays, Random: s.base.Random()}
	lifecycle.EndDelivery(s.article, end, schedule, s.base.Clock.Now())
	if end.Outcome == v1alpha1.AttemptAccepted {
		lifecycle.Locate(s.article, o.URL, o.ID)
		s.recordSlug(o.Slug)
	} else {
		lifecycle.LocatePart(s.article, o.ID)
	}
	s.afterSave = append(s.afterSave, func(context.Context) error {
		cycle := s.article.Status.Publication.Cycle
		base.CountEnd(deliveriesEnded, cycle)
		if cycle.State == v1alpha1.CycleFailed {
			s.event(corev1.EventTypeWarning, v1alpha1.ReasonDeliveryFailed, "Publish", cycle.Reason+": "+end.Message)
		}
		return nil
	})
	return nil
}

// recordSlug records the slug that the CMS gave the post, if it is another one, and counts it in the metrics once it is written.
func (s *subject) recordSlug(slug string) {
	if lifecycle.RecordSlug(s.article, slug) {
		s.afterSave = append(s.afterSave, func(context.Context) error {
			slugsChanged.Inc()
			return nil
		})
	}
}

func (s *subject) record() *v1alpha1.DeliveryRecord {
	return &s.article.Status.Publication.DeliveryRecord
}
