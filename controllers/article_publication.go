package controllers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/delivery"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// slotPatience is how long a text that is approved already waits for a slot, each time that slots of its host are returned
// meanwhile, before it is taken into a revision without one.
const slotPatience = 5 * time.Second

// Publication publishes approved articles: it has the delivery engine send them, or leaves them to a site that pulls.
type Publication struct {
	*Base
	// Engine makes the attempts.
	Engine *delivery.Engine
	// HTTP reaches public addresses only.
	HTTP *http.Client
	// RetryDelays are the waits before the retries, before jitter.
	RetryDelays []time.Duration
}

// turn reserves a slot for an article whose revision is about to be made, if that is to be sent at once. It is Stuck if the article
// is not to be sent at once: nothing is to be waited for.
func (p *Publication) turn(ctx context.Context, t *task) (inflight.Turn, error) {
	if !lifecycle.PublishedAtOnce(t.article, t.site, t.mode, p.Clock.Now()) {
		return inflight.Stuck, nil
	}
	s := p.subject(t, true)
	claim, err := s.Claim(ctx)
	if err != nil {
		return inflight.Stuck, err
	}
	return p.Engine.Calls.Reserve(s.Key(), claim), nil
}

// prepare reads what the attempt needs before there is a slot for it. What blocks it is found again with the slot.
func (p *Publication) prepare(ctx context.Context, t *task) error {
	_, err := p.subject(t, true).Prepare(ctx)
	if isBlocked(err) {
		return nil
	}
	return err
}

// start makes the first attempt of a new delivery cycle.
func (p *Publication) start(ctx context.Context, t *task) (progress, error) {
	return p.attempt(ctx, t, true)
}

// retry makes the next attempt of the cycle.
func (p *Publication) retry(ctx context.Context, t *task) (progress, error) {
	return p.attempt(ctx, t, false)
}

func (p *Publication) attempt(ctx context.Context, t *task, fresh bool) (progress, error) {
	_, err := p.Engine.Start(ctx, p.subject(t, fresh))
	errors.As(err, &t.blockers.Publication)
	return progress{}, err
}

// follow records the attempt in progress if it has ended.
func (p *Publication) follow(ctx context.Context, t *task) (progress, error) {
	_, err := p.Engine.Follow(ctx, p.subject(t, false))
	return progress{}, err
}

// publishForPull publishes an article that the site will read from the REST API.
func (p *Publication) publishForPull(ctx context.Context, t *task) (progress, error) {
	if err := p.requireLatestSite(ctx, t.site); err != nil {
		return progress{}, err
	}
	if err := t.confirmSlug(ctx); err != nil {
		return progress{}, err
	}
	now := p.now()
	t.article.Status.Publication = lifecycle.NewPublication(t.article, v1alpha1.PublicationPublished)
	t.article.Status.Publication.PublishedAt = &now
	if err := t.posts.announce(ctx, t.article, t.site); err != nil {
		return progress{}, err
	}
	return progress{}, t.save(ctx)
}

// failUnsupported ends publishing to a type of CMS that this version cannot publish to.
func (p *Publication) failUnsupported(ctx context.Context, t *task) (progress, error) {
	if err := p.requireLatestSite(ctx, t.site); err != nil {
		return progress{}, err
	}
	t.article.Status.Publication = lifecycle.NewPublication(t.article, v1alpha1.PublicationFailed)
	if err := t.save(ctx); err != nil {
		return progress{}, err
	}
	t.event(corev1.EventTypeWarning, v1alpha1.ReasonNotSupportedYet, "Publish",
		fmt.Sprintf("publishing to a site of the type %s is not supported yet", t.site.Spec.CMS.Type))
	return progress{}, nil
}

// forgetEnded drops the outcomes that status holds.
func (p *Publication) forgetEnded(a *v1alpha1.Article) {
	if a.Status.Publication != nil {
		p.Engine.Forget(a.Status.Publication.Attempts)
	}
}

func (p *Publication) subject(t *task, fresh bool) *articleSubject {
	return &articleSubject{task: t, publication: p, fresh: fresh}
}
