package article

import (
	"context"
	"errors"
	"time"

	"go.opentelemetry.io/otel/trace"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/controllers/post"
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/connectors"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/due"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/tracing"
)

// subject has the engine send an article to its site.
type subject struct {
	*task
	publication *Publication
	// fresh means that the next attempt begins a new cycle.
	fresh bool
	// begun means that an attempt is recorded in memory and not written yet.
	begun bool
	// had is what was known about the site before the attempt that this reconcile began.
	had v1alpha1.SitePost
}

var _ attempt.Subject[publish.Outcome] = (*subject)(nil)

// Key implements attempt.Subject.
func (s *subject) Key() types.NamespacedName { return client.ObjectKeyFromObject(s.article) }

// SlotRequest implements attempt.Subject.
func (s *subject) SlotRequest(ctx context.Context) (inflight.SlotRequest, error) {
	c := connectors.For(s.site).Connection(s.site)
	request, err := s.base.SlotRequest(ctx, s.article.Namespace, c.Host)
	request.UID, request.Serial = s.article.UID, c.Serial
	return request, err
}

// Attempt implements attempt.Subject.
func (s *subject) Attempt() string {
	return cycles.InProgress(&s.article.Status.Publication.DeliveryRecord).ID
}

// Stored implements attempt.Subject.
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

// Save implements attempt.Subject.
func (s *subject) Save(ctx context.Context, written func()) error {
	before := s.article.ResourceVersion
	s.afterSave = append(s.afterSave, func(context.Context) error {
		s.publication.connections.observeWrite(s.article, before)
		written()
		return nil
	})
	if s.begun {
		s.begun = false
		return s.saveClaimed(ctx)
	}
	return s.save(ctx)
}

// target returns what the cycle brings about: of a new one what is wanted, and of a retry what the first attempt was for.
func (s *subject) target() (v1alpha1.DeliveryPurpose, v1alpha1.PublicationRevision) {
	if s.fresh && s.decision.Want.Kind == lifecycle.WantPut {
		return v1alpha1.PurposePut, s.decision.Want.Revision
	}
	cycle := lifecycle.CycleOf(s.article)
	if !s.fresh && cycle.Purpose == v1alpha1.PurposePut {
		return v1alpha1.PurposePut, *cycle.Revision
	}
	return v1alpha1.PurposeRemove, v1alpha1.PublicationRevision{}
}

// Prepare reads the connection of the Site, and the revision if this reconcile has not read it yet. Then it claims the slug.
func (s *subject) Prepare(ctx context.Context) (attempt.Plan[publish.Outcome], error) {
	target, err := s.publication.connect(ctx, s.task)
	if err != nil {
		return attempt.Plan[publish.Outcome]{}, err
	}
	// The attempt may replace what the last one did, which its Post must have, with the record of the text. A conflict must not end the
	// reconcile as one of the article does: no watch leads from a Post to its article.
	err = s.posts.BringUpToDate(ctx, s.article)
	if apierrors.IsConflict(err) {
		err = errors.New("the Post was written meanwhile: " + err.Error())
	}
	if err != nil {
		return attempt.Plan[publish.Outcome]{}, err
	}
	purpose, sent := s.target()
	sent.Name = lifecycle.NameOfRevision(s.article, sent)
	if purpose == v1alpha1.PurposeRemove {
		return s.remove(ctx, target)
	}
	return s.put(ctx, target, sent)
}

// put returns the request that makes the site have a revision.
func (s *subject) put(
	ctx context.Context, target publish.Target, sent v1alpha1.PublicationRevision,
) (attempt.Plan[publish.Outcome], error) {
	article, claimed, err := s.payload(ctx, sent)
	if err != nil {
		return attempt.Plan[publish.Outcome]{}, err
	}
	article.Disclosure = lifecycle.DisclosureNames[sent.Disclosure]
	as := publish.Outcome{
		Before: s.before(), Post: s.postName(), Revision: sent,
		Record: lifecycle.RecordOf(s.article, s.site, sent, s.revision, s.base.Clock.Now()),
	}
	connector := connectors.For(s.site)
	replaces := s.replaces(claimed, sent)
	return attempt.Plan[publish.Outcome]{Check: s.checkImage(article.Image), Send: func(ctx context.Context) publish.Outcome {
		outcome, unusable := publish.Outcome{}, false
		if replaces {
			outcome, unusable = s.postProblem(ctx, as.Post, v1alpha1.PurposePut)
		}
		if !unusable {
			outcome = connector.Publish(ctx, target, article)
		}
		outcome.Before, outcome.Post, outcome.Revision, outcome.Record = as.Before, as.Post, as.Revision, as.Record
		return outcome
	}}, nil
}

// replaces reports whether sending a revision may make the claimed Post untrue. The first attempt leaves the Post as it is claimed, unless
// an earlier Article of the name has claimed it.
func (s *subject) replaces(claimed *v1alpha1.Post, sent v1alpha1.PublicationRevision) bool {
	have := lifecycle.Have(s.article)
	if have.Name == "" {
		return post.IsOfEarlier(claimed, s.article)
	}
	return have.Name != s.postName() || have.State == v1alpha1.PostAbsent || lifecycle.LiveDigest(s.article) != sent.Digest
}

// remove returns the request that takes the post back. It needs a text only to know the post of an attempt whose answer was lost, and does
// without one that is lost. The Post says so before the request, and after the attempt is written: without an attempt in status, the
// controller of Posts would write that the article is published.
func (s *subject) remove(ctx context.Context, target publish.Target) (attempt.Plan[publish.Outcome], error) {
	article := publish.Known(s.article)
	have := s.before()
	sent := ptr.Deref(have.Revision, v1alpha1.PublicationRevision{})
	if maybe := have.Maybe; have.Revision == nil && maybe != nil && maybe.Revision != nil {
		doc, err := s.publication.content.sent(ctx, s.task, *maybe.Revision)
		if err != nil && !base.IsBlocked(err) {
			return attempt.Plan[publish.Outcome]{}, err
		}
		article.Title = doc.Title
	}
	if err := s.recordAttempts(ctx, &article); err != nil {
		return attempt.Plan[publish.Outcome]{}, err
	}
	as := publish.Outcome{
		Before: have, Post: s.postName(), Revision: sent, Unpublished: true,
		Record: lifecycle.RecordOf(s.article, s.site, sent, s.revision, s.base.Clock.Now()),
	}
	connector := connectors.UnpublisherFor(s.site)
	return attempt.Plan[publish.Outcome]{Send: func(ctx context.Context) publish.Outcome {
		outcome := publish.NotSent(true, "a webhook takes no post back: remove it at the site")
		if connector != nil {
			problem, unusable := s.postProblem(ctx, as.Post, v1alpha1.PurposeRemove)
			if outcome = problem; !unusable {
				outcome = connector.Unpublish(ctx, target, article)
			}
		}
		outcome.Before, outcome.Post, outcome.Revision, outcome.Record = as.Before, as.Post, as.Revision, as.Record
		outcome.Unpublished = true
		return outcome
	}}, nil
}

// before returns a copy of what is known about the site now, which an attempt that writes nothing brings back.
func (s *subject) before() v1alpha1.SitePost {
	have := lifecycle.Have(s.article)
	return *have.DeepCopy()
}

// postProblem writes to the Post that it is being updated or taken back. If that is not possible, nothing is sent, and no attempt counts.
func (s *subject) postProblem(ctx context.Context, post string, purpose v1alpha1.DeliveryPurpose) (publish.Outcome, bool) {
	err := s.posts.Begin(ctx, s.article.Namespace, post, purpose)
	if err == nil {
		return publish.Outcome{}, false
	}
	log.FromContext(ctx).Error(err, "writing to the Post what is about to be done")
	outcome := publish.NotSent(false, "kube-apiserver did not take the write of the Post")
	outcome.Uncounted = true
	return outcome, true
}

// payload returns the article to send: a revision under the slug that the article has claimed, with the Post that it has claimed.
func (s *subject) payload(ctx context.Context, sent v1alpha1.PublicationRevision) (publish.Article, *v1alpha1.Post, error) {
	doc, err := s.publication.content.sent(ctx, s.task, sent)
	if err != nil {
		return publish.Article{}, nil, err
	}
	claimed, err := s.publication.content.claimSlug(ctx, s.task)
	if err != nil {
		return publish.Article{}, nil, err
	}
	article, err := publish.NewArticle(s.article, doc)
	if err != nil {
		return publish.Article{}, nil, err
	}
	err = s.recordAttempts(ctx, &article)
	return article, claimed, err
}

// recordAttempts adds what a connector needs to know the post again that an attempt without an answer has made.
func (s *subject) recordAttempts(ctx context.Context, article *publish.Article) (err error) {
	article.Recorded.Attempted = lifecycle.FirstWrite(s.article)
	article.Recorded.Overwrite = lifecycle.OverwriteNonce(s.article, s.fresh) != ""
	article.Recorded.WroteFrom, article.Recorded.WroteUntil = lifecycle.UncertainWrites(s.article)
	if have := lifecycle.Have(s.article); have.State == v1alpha1.PostUncertain {
		var claimed time.Time
		claimed, err = s.posts.ClaimedSince(ctx, s.article.Namespace, have.Name)
		// An earlier Article of the name may have made the post.
		if first := article.Recorded.Attempted; first.IsZero() || !claimed.IsZero() && claimed.Before(first) {
			article.Recorded.Attempted = claimed
		}
	}
	if err == nil && !article.Recorded.Attempted.IsZero() {
		article.Recorded.Taken, err = s.posts.ClaimedNumbers(ctx, s.article, base.DestinationOf(s.site))
	}
	return err
}

// Begin implements attempt.Subject.
func (s *subject) Begin(_ context.Context, id cycles.AttemptID) (time.Time, error) {
	dueAt, now := due.Publication(s.article), s.base.Clock.Now()
	s.had = s.before()
	if s.fresh {
		record.BeginCycle(s.article, s.site, s.decision.Want, s.postName(), id, now)
	} else {
		record.RetryCycle(s.article, s.site, s.postName(), id, now)
	}
	s.begun = true
	return dueAt, nil
}

// Span continues the trace of the article.
func (s *subject) Span(ctx context.Context) (context.Context, func(publish.Outcome)) {
	p := s.article.Status.Publication
	attributes := base.AttemptAttributes(&p.DeliveryRecord)
	if p.Cycle.Revision != nil {
		attributes = append(attributes, tracing.Revision.String(p.Cycle.Revision.Name))
	}
	ctx, span := base.ArticleSpan(ctx, s.article, "publication attempt", trace.SpanKindClient, attributes...)
	return ctx, base.EndSpan(span)
}

// End records the outcome and the location of the post, and makes the Event of a failed cycle.
func (s *subject) End(ctx context.Context, o publish.Outcome) (string, error) {
	end := base.EndOf(o)
	if s.site != nil && lifecycle.PassesOver(s.article, o.Before, o.ErrorClass) {
		doc, err := s.publication.content.current(ctx, s.task)
		if err != nil {
			return "", err
		}
		if err := s.posts.ProposeNext(ctx, s.article, s.site, doc); err != nil {
			return "", err
		}
		end.Final = false
	}
	if o.Before.State == "" {
		o.Before = s.had // The attempt is not made.
	}
	schedule := cycles.Schedule{Delays: s.publication.RetryDelays, Random: s.base.Random()}
	accepted, removing := end.Outcome == v1alpha1.AttemptAccepted, lifecycle.CycleOf(s.article).Purpose == v1alpha1.PurposeRemove
	claim := lifecycle.CyclePost(s.article)
	record.EndAttempt(s.article, end, o.Before, schedule, s.base.Clock.Now())
	newSlug := false
	switch {
	case removing:
	case accepted:
		record.Locate(s.article, o.URL, o.ID)
		newSlug = record.Slug(s.article, o.Slug)
	default:
		record.LocatePart(s.article, o.ID)
	}
	if accepted {
		record.ContentHash(s.article, o.Hash)
	}
	record.Conflict(s.article, o.Conflict, o.Differences)
	unused := !lifecycle.SlugUsed(s.article)
	s.afterSave = append(s.afterSave, func(ctx context.Context) error {
		cycle := s.article.Status.Publication.Cycle
		base.CountEnd(deliveriesEnded, cycle)
		if newSlug {
			slugsChanged.Inc()
		}
		if unused {
			s.posts.Release(ctx, s.article, claim)
		}
		site := client.ObjectKey{Namespace: s.article.Namespace, Name: s.article.Spec.SiteRef.Name}
		s.base.Health.Observe(site, end.AttemptResult, s.base.Clock.Now())
		if cycle.State == v1alpha1.CycleFailed {
			s.event(corev1.EventTypeWarning, v1alpha1.ReasonDeliveryFailed, "Publish", cycle.Reason+": "+end.Message)
		}
		return nil
	})
	return string(o.Outcome), nil
}

// claimSlug claims the article's slug at the present destination of its Site. If another article has the slug, and nothing of this one
// was sent yet, it claims the next slug that is free. The slug is written with the attempt. It returns the Post of the slug.
func (c *Content) claimSlug(ctx context.Context, t *task) (*v1alpha1.Post, error) {
	a, destination := t.article, base.DestinationOf(t.site)
	var refused []string
	for {
		claimed, err := t.posts.Claim(ctx, a, destination)
		if err != nil || claimed != nil {
			return claimed, err
		}
		if lifecycle.SlugUsed(a) {
			return nil, t.posts.SlugClaimed(a.Status.Slug)
		}
		doc, err := c.current(ctx, t)
		if err != nil {
			return nil, err
		}
		refused = append(refused, a.Status.Slug)
		if err := t.posts.ProposeOther(ctx, a, t.site, doc, refused); err != nil {
			return nil, err
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
