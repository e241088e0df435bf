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
	"github.com/pressroom-dev/pressroom/internal/attempt"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/record"
	"github.com/pressroom-dev/pressroom/internal/publish"
)

// Publication publishes approved articles: it has the engine send them, or publishes them for a site that pulls.
type Publication struct {
	*base.Base
	// Engine makes the attempts.
	Engine *attempt.Engine[publish.Outcome]
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
	_, _, err := p.Engine.Follow(ctx, p.subject(t))
	return progress{}, err
}

// subject returns what the step that was decided is about.
func (p *Publication) subject(t *task) *subject {
	return &subject{task: t, publication: p, fresh: t.decision.Step == lifecycle.BeginCycle}
}

// drop ends a delivery whose retry is no longer wanted.
func (p *Publication) drop(_ context.Context, t *task) (progress, error) {
	record.DropCycle(t.article, t.site, t.decision.Want)
	t.changed = true
	return progress{again: true}, nil
}

// byPull publishes or unpublishes an article, or publishes its other text, that the site reads from the REST API.
func (p *Publication) byPull(ctx context.Context, t *task) (progress, error) {
	if err := base.RequireSpec(ctx, p.Base, "sites", t.site); err != nil {
		return progress{}, err
	}
	if t.decision.Want.Kind == lifecycle.WantRemove {
		record.ByPull(t.article, t.decision.Want, t.postName(), p.Clock.Now())
		return progress{}, t.save(ctx)
	}
	if _, err := p.content.claimSlug(ctx, t); err != nil {
		errors.As(err, &t.blockers.Publication)
		return progress{}, err
	}
	record.ByPull(t.article, t.decision.Want, t.postName(), p.Clock.Now())
	return progress{}, t.saveClaimed(ctx)
}

// failUnsupported ends what is wanted of a site for which this version cannot do it.
func (p *Publication) failUnsupported(ctx context.Context, t *task) (progress, error) {
	if err := base.RequireSpec(ctx, p.Base, "sites", t.site); err != nil {
		return progress{}, err
	}
	record.FailUnsupported(t.article, t.site, t.decision.Want)
	if err := t.save(ctx); err != nil {
		return progress{}, err
	}
	note := fmt.Sprintf("publishing to a site of the type %s is not supported yet", t.site.Spec.CMS.Type)
	if t.decision.Want.Kind == lifecycle.WantRemove {
		note = "nothing takes back a post from an address that is not the Site's any more"
	}
	t.event(corev1.EventTypeWarning, v1alpha1.ReasonNotSupportedYet, "Publish", note)
	return progress{}, nil
}

// forgetEnded drops the outcomes that status holds.
func (p *Publication) forgetEnded(a *v1alpha1.Article) {
	if a.Status.Publication != nil {
		p.Engine.Calls.Forget(cycles.Ended(&a.Status.Publication.DeliveryRecord)...)
	}
}
