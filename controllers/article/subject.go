package article

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/trace"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/delivery"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/due"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// subject has the delivery engine send an article to its site.
type subject struct {
	*task
	publication *Publication
	// fresh means that the next attempt begins a new cycle, and update that the cycle sends the current text in place of the live one.
	fresh, update bool
	// unpublish is the reason for which the cycle takes the post back in place of sending it; empty if it sends it.
	unpublish v1alpha1.UnpublishCause
	// begun means that an attempt is recorded in memory and not written yet.
	begun bool
}

var _ delivery.Subject = (*subject)(nil)

// Key implements delivery.Subject.
func (s *subject) Key() types.NamespacedName { return client.ObjectKeyFromObject(s.article) }

// SlotRequest implements delivery.Subject.
func (s *subject) SlotRequest(ctx context.Context) (inflight.SlotRequest, error) {
	c := connectors.For(s.site).Connection(s.site)
	request, err := s.base.SlotRequest(ctx, s.article.Namespace, c.Host)
	request.UID, request.Serial = s.article.UID, c.Serial
	return request, err
}

// Attempt implements delivery.Subject.
func (s *subject) Attempt() string {
	return attempts.Open(&s.article.Status.Publication.DeliveryRecord).ID
}

// Stored implements delivery.Subject.
func (s *subject) Stored() (blocked, outdated bool) {
	return lifecycle.PublicationBlocked(s.article), lifecycle.PublicationOutdated(s.article)
}

// Queued records that publishing waits for a slot only.
func (s *subject) Queued() { s.waitsFor(lifecycle.NoSlotAtReceiver()) }

// Checking records that publishing waits for the image only.
func (s *subject) Checking() { s.waitsFor(fetching()) }

func (s *subject) waitsFor(b *lifecycle.BlockedError) {
	s.blockers.Publication = b
	if rev := s.revision; rev != nil {
		s.publication.content.Texts.keep(s.article, rev.Spec.Digest, rev.Spec.Markdown, rev.Spec.FAQ, rev)
	}
}

// Save implements delivery.Subject.
func (s *subject) Save(ctx context.Context) error {
	if s.begun {
		s.begun = false
		return s.saveClaimed(ctx)
	}
	return s.save(ctx)
}

// Prepare reads the connection of the Site, and the revision if this reconcile has not read it yet. Then it claims the slug.
func (s *subject) Prepare(ctx context.Context) (delivery.Plan, error) {
	connector := connectors.For(s.site)
	target, err := s.publication.connect(ctx, s.task)
	if err != nil {
		return delivery.Plan{}, err
	}
	if s.unpublish != "" {
		return delivery.Plan{Send: s.takeBack(target)}, nil
	}
	article, err := s.payload(ctx)
	if err != nil {
		return delivery.Plan{}, err
	}
	sent := lifecycle.ToSend(s.article, s.fresh, s.update)
	article.Disclosure = lifecycle.DisclosureNames[sent.Disclosure]
	postRecord := lifecycle.RecordOf(s.article, sent, s.revision, s.base.Clock.Now())
	post := identity.PostName(base.DestinationOf(s.site), article.Slug)
	return delivery.Plan{Check: s.checkImage(article.Image), Send: func(ctx context.Context) publish.Outcome {
		outcome := connector.Publish(ctx, target, article)
		outcome.Post, outcome.Revision, outcome.Record = post, sent, postRecord
		return outcome
	}}, nil
}

// takeBack returns the request that takes the post back. It needs no text, which may be lost. The Post says so before the request, and
// after the attempt is written: without an attempt in status, the controller of Posts would write that the article is published.
func (s *subject) takeBack(target publish.Target) delivery.Send {
	sent := s.article.Status.Publication.Revision
	post := identity.PostName(base.DestinationOf(s.site), s.article.Status.Slug)
	article := publish.Known(s.article)
	article.Recorded.Attempted, article.Recorded.Overwrite = lifecycle.FirstWrite(s.article), lifecycle.Overwrites(s.article, s.fresh)
	record := lifecycle.RecordOf(s.article, sent, s.revision, s.base.Clock.Now())
	before, connector := s.article.DeepCopy(), connectors.UnpublisherFor(s.site)
	return func(ctx context.Context) publish.Outcome {
		outcome := publish.NotSent(true, "a webhook takes no post back: remove it at the site")
		if connector != nil {
			if err := s.posts.BeginUnpublish(ctx, before); err != nil {
				log.FromContext(ctx).Error(err, "writing that the post is taken back")
				outcome = publish.NotSent(false, "kube-apiserver did not take the write of the Post")
				outcome.Uncounted = true
			} else {
				outcome = connector.Unpublish(ctx, target, article)
			}
		}
		outcome.Post, outcome.Revision, outcome.Record, outcome.Unpublished = post, sent, record, true
		return outcome
	}
}

// payload returns the article to send: a revision under the slug that the article has claimed.
func (s *subject) payload(ctx context.Context) (publish.Article, error) {
	doc, err := s.publication.content.sent(ctx, s.task, lifecycle.ToSend(s.article, s.fresh, s.update))
	if err != nil {
		return publish.Article{}, err
	}
	if err := s.publication.content.claimSlug(ctx, s.task); err != nil {
		return publish.Article{}, err
	}
	article, err := publish.NewArticle(s.article, doc)
	if err != nil {
		return publish.Article{}, err
	}
	article.Recorded.Attempted, article.Recorded.Overwrite = lifecycle.FirstWrite(s.article), lifecycle.Overwrites(s.article, s.fresh)
	if !article.Recorded.Attempted.IsZero() {
		article.Recorded.Taken, err = s.posts.ClaimedNumbers(ctx, s.article, base.DestinationOf(s.site))
	}
	return article, err
}

// Begin implements delivery.Subject.
func (s *subject) Begin(id attempts.ID) time.Time {
	dueAt, now := due.Publication(s.article), s.base.Clock.Now()
	switch {
	case s.update:
		record.BeginUpdate(s.article, id, now)
	case s.unpublish != "" && s.fresh:
		record.BeginUnpublish(s.article, id, s.unpublish, now)
	default:
		record.BeginDelivery(s.article, id, s.fresh, now)
	}
	record.Connection(s.article, s.site)
	s.begun = true
	return dueAt
}

// Span continues the trace of the article.
func (s *subject) Span(ctx context.Context) (context.Context, trace.Span) {
	p := s.article.Status.Publication
	return base.ArticleSpan(ctx, s.article, "publication attempt", trace.SpanKindClient,
		append(base.AttemptAttributes(&p.DeliveryRecord), tracing.Revision.String(lifecycle.Sending(p).Name))...)
}

// End records the outcome and the location of the post, and makes the Event of a failed cycle.
func (s *subject) End(ctx context.Context, end attempts.End, o publish.Outcome) error {
	if s.site != nil && lifecycle.PassesOver(s.article, o.ErrorClass) {
		doc, err := s.publication.content.current(ctx, s.task)
		if err != nil {
			return err
		}
		if err := s.posts.ProposeNext(ctx, s.article, s.site, doc); err != nil {
			return err
		}
		end.Final = false
	}
	schedule := attempts.Schedule{Delays: s.publication.RetryDelays, Random: s.base.Random()}
	record.EndDelivery(s.article, end, schedule, s.base.Clock.Now())
	newSlug := false
	switch {
	case s.unpublish != "":
	case end.Outcome == v1alpha1.AttemptAccepted:
		record.Locate(s.article, o.URL, o.ID)
		newSlug = record.Slug(s.article, o.Slug)
	default:
		record.LocatePart(s.article, o.ID)
	}
	record.Post(s.article, o.Hash, o.Conflict, o.Differences)
	s.afterSave = append(s.afterSave, func(context.Context) error {
		cycle := s.article.Status.Publication.Cycle
		base.CountEnd(deliveriesEnded, cycle)
		if newSlug {
			slugsChanged.Inc()
		}
		site := client.ObjectKey{Namespace: s.article.Namespace, Name: s.article.Spec.SiteRef.Name}
		s.base.Health.Observe(site, end.AttemptResult, s.base.Clock.Now())
		if cycle.State == v1alpha1.CycleFailed {
			s.event(corev1.EventTypeWarning, v1alpha1.ReasonDeliveryFailed, "Publish", cycle.Reason+": "+end.Message)
		}
		return nil
	})
	return nil
}

// claimSlug claims the article's slug at the present destination of its Site. If another article has the slug, and nothing of this one
// was sent yet, it claims the next slug that is free. The slug is written with the attempt.
func (c *Content) claimSlug(ctx context.Context, t *task) error {
	a, destination := t.article, base.DestinationOf(t.site)
	var refused []string
	for {
		claimed, err := t.posts.Claim(ctx, a, destination)
		if err != nil {
			return err
		}
		if claimed {
			return nil
		}
		if lifecycle.SlugUsed(a) {
			return t.posts.SlugClaimed(a.Status.Slug)
		}
		doc, err := c.current(ctx, t)
		if err != nil {
			return err
		}
		refused = append(refused, a.Status.Slug)
		if err := t.posts.ProposeOther(ctx, a, t.site, doc, refused); err != nil {
			return err
		}
		t.changed = true
	}
}

// saveClaimed writes the next attempt under the claimed slug, and then frees the article's other claims. If the article was changed or
// deleted since it was read, its workspace may have been deleted and created again, so it withdraws the claim if necessary.
func (t *task) saveClaimed(ctx context.Context) error {
	err := t.save(ctx)
	if errors.Is(err, base.ErrDeleted) || apierrors.IsConflict(err) {
		return errors.Join(err, t.posts.Withdraw(ctx, t.article, base.DestinationOf(t.site)))
	}
	if err == nil {
		t.posts.Free(ctx, t.article)
	}
	return err
}
