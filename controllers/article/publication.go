package article

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/delivery"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
)

// Publication publishes approved articles: it has the delivery engine send them, or publishes them for a site that pulls.
type Publication struct {
	*base.Base
	// Engine makes the attempts.
	Engine *delivery.Engine
	// HTTP reaches public addresses only.
	HTTP *http.Client
	// RetryDelays are the waits before the retries, before jitter.
	RetryDelays []time.Duration

	content     *Content
	connections *connections
}

// attempt makes the first attempt of a new delivery cycle, or the next one of a cycle.
func (p *Publication) attempt(ctx context.Context, t *task) (progress, error) {
	_, err := p.Engine.Start(ctx, p.subject(t))
	errors.As(err, &t.blockers.Publication)
	return progress{}, err
}

// follow records the attempt in progress if it has ended.
func (p *Publication) follow(ctx context.Context, t *task) (progress, error) {
	_, err := p.Engine.Follow(ctx, p.subject(t))
	return progress{}, err
}

// subject returns what the step that was decided is about.
func (p *Publication) subject(t *task) *subject {
	s := &subject{task: t, publication: p}
	switch t.decision.Step {
	case lifecycle.StartCycle:
		s.fresh = true
	case lifecycle.StartUpdate:
		s.fresh, s.update = true, true
	case lifecycle.StartUnpublish:
		s.fresh, s.unpublish = true, lifecycle.UnpublishCause(t.article, t.site)
	default:
		if publication := t.article.Status.Publication; publication != nil && publication.Cycle != nil {
			s.unpublish = publication.Cycle.Unpublish
		}
	}
	return s
}

// cancel ends a delivery whose retry is no longer wanted.
func (p *Publication) cancel(_ context.Context, t *task) (progress, error) {
	record.CancelRetry(t.article, t.site, p.Clock.Now())
	t.changed = true
	return progress{again: true}, nil
}

// publishForPull publishes an article, or its other text, that the site will read from the REST API.
func (p *Publication) publishForPull(ctx context.Context, t *task) (progress, error) {
	if err := base.RequireSpec(ctx, p.Base, "sites", t.site); err != nil {
		return progress{}, err
	}
	if err := p.content.claimSlug(ctx, t); err != nil {
		errors.As(err, &t.blockers.Publication)
		return progress{}, err
	}
	record.PublishByPull(t.article, p.Clock.Now())
	return progress{}, t.saveClaimed(ctx)
}

// unpublishForPull unpublishes an article of a site that pulls.
func (p *Publication) unpublishForPull(ctx context.Context, t *task) (progress, error) {
	if err := base.RequireSpec(ctx, p.Base, "sites", t.site); err != nil {
		return progress{}, err
	}
	record.UnpublishByPull(t.article, p.Clock.Now())
	return progress{}, t.save(ctx)
}

// failUnsupported ends publishing to a type of CMS that this version cannot publish to.
func (p *Publication) failUnsupported(ctx context.Context, t *task) (progress, error) {
	if err := base.RequireSpec(ctx, p.Base, "sites", t.site); err != nil {
		return progress{}, err
	}
	record.FailUnsupportedType(t.article)
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
