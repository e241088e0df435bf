package controllers

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/publish/webhook"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// publisher makes the publisher of a site. The signing secret is read at each attempt.
func (r *PublicationReconciler) publisher(ctx context.Context, site *v1alpha1.Site) (publish.Publisher, lifecycle.Obstacle, error) {
	headless := site.Spec.CMS.Headless
	secret, obstacle, err := secretValue(ctx, r.Live, site.Namespace, headless.SigningSecretRef)
	if err != nil || obstacle.Reason != "" {
		return nil, obstacle, err
	}
	return webhook.New(r.HTTP, r.Clock, webhook.Target{
		URL: headless.URL, Secret: secret, Format: webhook.Format(headless.PayloadFormat),
	}), lifecycle.Obstacle{}, nil
}

// payload reads what is to be delivered.
func (r *PublicationReconciler) payload(ctx context.Context, a *v1alpha1.Article) (publish.Article, error) {
	rev, err := r.revision(ctx, a, a.Status.Revision.Name)
	if err != nil {
		return publish.Article{}, err
	}
	if rev == nil {
		return publish.Article{}, fmt.Errorf("the current revision %s does not exist", a.Status.Revision.Name)
	}
	doc, err := revision.Document(rev)
	if err != nil {
		return publish.Article{}, err
	}
	html, err := content.HTML(doc.Markdown)
	if err != nil {
		return publish.Article{}, fmt.Errorf("rendering %s: %w", rev.Name, err)
	}
	return publish.Article{
		Title: doc.Title, Slug: a.Status.Slug, MetaTitle: doc.MetaTitle, MetaDescription: doc.MetaDescription,
		Markdown: doc.Markdown, HTML: html, FAQ: doc.FAQ,
	}, nil
}

// record writes down what an attempt came to.
func (r *PublicationReconciler) record(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, o publish.Outcome) error {
	old := a.DeepCopy()
	cycle := a.Status.Publication.Cycle
	attempt := &cycle.Attempts[len(cycle.Attempts)-1]
	closeAttempt(attempt, o)
	if attempt.Outcome == v1alpha1.AttemptAccepted {
		r.accept(a, o)
	} else {
		r.fail(a, o.Final, o.RetryAfter)
	}
	return r.finish(ctx, old, a, site)
}

// recordUnknown closes an attempt whose process ended. It may have reached the receiver, so it counts.
func (r *PublicationReconciler) recordUnknown(ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site) error {
	old := a.DeepCopy()
	cycle := a.Status.Publication.Cycle
	attempt := &cycle.Attempts[len(cycle.Attempts)-1]
	closeAttempt(attempt, unknownOutcome())
	r.fail(a, false, 0)
	return r.finish(ctx, old, a, site)
}

// accept records that the receiver has the article. A redelivery keeps the time of the first.
func (r *PublicationReconciler) accept(a *v1alpha1.Article, o publish.Outcome) {
	p, now := a.Status.Publication, r.now()
	p.State, p.Cycle.State, p.Cycle.Reason = v1alpha1.PublicationPublished, v1alpha1.CycleDelivered, v1alpha1.ReasonDelivered
	if p.PublishedAt == nil {
		p.PublishedAt = &now
	}
	if o.URL != "" {
		p.URL = o.URL
	}
	switch {
	case o.ID != "":
		p.ExternalID = o.ID
	case p.ExternalID == "":
		p.ExternalID = a.Status.Slug
	}
}

// fail schedules the next attempt of the cycle, or ends it. A published article stays published.
func (r *PublicationReconciler) fail(a *v1alpha1.Article, final bool, retryAfter time.Duration) {
	p := a.Status.Publication
	state := v1alpha1.PublicationRetryScheduled
	if final || len(p.Cycle.Attempts) >= lifecycle.MaxAttempts {
		state = v1alpha1.PublicationFailed
		p.Cycle.State, p.Cycle.Reason = v1alpha1.CycleFailed, endReason(p.Cycle, final)
	} else {
		wait := lifecycle.DeliveryBackoff(r.RetryDelays, len(p.Cycle.Attempts), retryAfter, r.Random())
		due := metav1.NewMicroTime(r.Clock.Now().Add(wait))
		p.Cycle.State, p.Cycle.Reason, p.Cycle.NextAttemptAt = v1alpha1.CycleRetryScheduled, v1alpha1.ReasonRetryScheduled, &due
	}
	if p.State != v1alpha1.PublicationPublished {
		p.State = state
	}
}

// endReason says why a cycle ended in failure.
func endReason(c *v1alpha1.DeliveryCycle, final bool) string {
	last := c.Attempts[len(c.Attempts)-1]
	switch {
	case !final:
		return v1alpha1.ReasonExhausted
	case last.Outcome == v1alpha1.AttemptAddressBlocked:
		return v1alpha1.ReasonAddressBlocked
	default:
		return v1alpha1.ReasonReceiverGone
	}
}

// finish writes an ended attempt down, and then tells of it.
func (r *PublicationReconciler) finish(ctx context.Context, old, a *v1alpha1.Article, site *v1alpha1.Site) error {
	if err := r.save(ctx, old, a, site, lifecycle.Obstacles{}); err != nil {
		return err
	}
	cycle := a.Status.Publication.Cycle
	attempt := cycle.Attempts[len(cycle.Attempts)-1]
	deliveriesTotal.WithLabelValues(string(attempt.Outcome)).Inc()
	deliverySeconds.Observe(float64(attempt.Milliseconds) / 1000)
	switch cycle.State {
	case v1alpha1.CycleDelivered:
		r.event(a, corev1.EventTypeNormal, v1alpha1.ReasonPublished, "Publish", "accepted by the receiver")
	case v1alpha1.CycleFailed:
		r.event(a, corev1.EventTypeWarning, v1alpha1.ReasonDeliveryFailed, "Publish", cycle.Reason+": "+attempt.Message)
	}
	return nil
}
