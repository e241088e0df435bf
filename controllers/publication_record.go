package controllers

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	ctrl "sigs.k8s.io/controller-runtime"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/content"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/publish"
	"github.com/pressroom-dev/pressroom/internal/revision"
)

// waitForPlace leaves the article to the tracker, which tells when there is a place. Waiting for one is not written: only that
// what status names is no longer in the way.
func (r *PublicationReconciler) waitForPlace(
	ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, connection publish.Connection,
) (ctrl.Result, error) {
	if !lifecycle.PublicationWaits(a) {
		return ctrl.Result{}, nil
	}
	_, obstacle, err := r.connect(ctx, r.HTTP, site, connection)
	if err != nil {
		return ctrl.Result{}, err
	}
	if obstacle.Reason != "" {
		return r.obstructed(ctx, a, site, obstacle)
	}
	return ctrl.Result{}, r.save(ctx, a.DeepCopy(), a, site, lifecycle.Obstacles{Publication: lifecycle.NoSlotAtReceiver})
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
		Markdown: doc.Markdown, HTML: html, FAQ: rev.Spec.FAQ, ExternalID: externalID(a),
	}, nil
}

// externalID is the id that an earlier publication got from the CMS.
func externalID(a *v1alpha1.Article) string {
	if a.Status.Publication == nil {
		return ""
	}
	return a.Status.Publication.ExternalID
}

// record writes down what an attempt came to, and then tells of it.
func (r *PublicationReconciler) record(
	ctx context.Context, a *v1alpha1.Article, site *v1alpha1.Site, o publish.Outcome, e lifecycle.Ended,
) error {
	old := a.DeepCopy()
	lifecycle.EndDelivery(a, e, r.schedule(), r.Clock.Now())
	if e.Outcome == v1alpha1.AttemptAccepted {
		locate(a, o)
	}
	if err := r.save(ctx, old, a, site, lifecycle.Obstacles{}); err != nil {
		return err
	}
	r.tell(a, e.AttemptResult)
	return nil
}

// schedule is that of the retries.
func (r *PublicationReconciler) schedule() lifecycle.Schedule {
	return lifecycle.Schedule{Delays: r.RetryDelays, Random: r.Random()}
}

// locate records where the receiver says that the post is.
func locate(a *v1alpha1.Article, o publish.Outcome) {
	p := a.Status.Publication
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

// tell counts an attempt that has been written down, and tells of the end of its cycle. Nothing of the answer is in it.
func (r *PublicationReconciler) tell(a *v1alpha1.Article, result v1alpha1.AttemptResult) {
	deliveriesTotal.WithLabelValues(string(result.Outcome)).Inc()
	deliverySeconds.Observe(float64(result.Milliseconds) / 1000)
	countEnd(deliveriesEnded, a.Status.Publication.Cycle)
	switch cycle := a.Status.Publication.Cycle; cycle.State {
	case v1alpha1.CycleDelivered:
		r.event(a, corev1.EventTypeNormal, v1alpha1.ReasonPublished, "Publish", "accepted by the receiver")
	case v1alpha1.CycleFailed:
		r.event(a, corev1.EventTypeWarning, v1alpha1.ReasonDeliveryFailed, "Publish", cycle.Reason+": "+result.Message)
	}
}
