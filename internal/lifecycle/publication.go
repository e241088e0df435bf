package lifecycle

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

// PublishByPull publishes the current revision on a site that nothing is sent to.
func PublishByPull(a *v1alpha1.Article, now time.Time) {
	if Published(a) {
		replaceText(a, currentRevision(a), now)
		return
	}
	setPublication(a, v1alpha1.PublicationPublished)
	handleDeliveryRequests(a)
	becomePublished(a.Status.Publication, now)
}

// FailUnsupportedType ends publishing the current revision to a site that cannot be published to.
func FailUnsupportedType(a *v1alpha1.Article) { setPublication(a, v1alpha1.PublicationFailed) }

// setPublication sets the publication of the current revision, which has no cycle. Attempts at the receiver that the Site had before
// stay: every request that was sent is one of the attempts.
func setPublication(a *v1alpha1.Article, state v1alpha1.PublicationState) {
	p := &v1alpha1.Publication{State: state, Revision: currentRevision(a)}
	if before := a.Status.Publication; before != nil {
		p.Attempts, p.LastAnswer = before.Attempts, before.LastAnswer
		if Unpublished(a) {
			p.PublishTime, p.UnpublishTime = before.PublishTime, before.UnpublishTime
		}
	}
	a.Status.Publication = p
}

// currentRevision is the current revision as a publication names it.
func currentRevision(a *v1alpha1.Article) v1alpha1.PublicationRevision {
	r := a.Status.Revision
	return v1alpha1.PublicationRevision{
		Name: r.Name, Number: r.Number, Digest: r.Digest, Disclosure: DisclosureOf(r.Source, reviewOf(a) == approved),
	}
}

// BeginDelivery writes the next attempt to publish the article ahead; fresh begins a new cycle with it.
func BeginDelivery(a *v1alpha1.Article, by attempts.ID, fresh bool, now time.Time) {
	overwrite := overwriteNonce(a, fresh)
	p := a.Status.Publication
	if p == nil {
		p = &v1alpha1.Publication{}
		a.Status.Publication = p
	}
	if p.State != v1alpha1.PublicationPublished {
		p.State, p.Revision = v1alpha1.PublicationDelivering, currentRevision(a)
	}
	if fresh {
		handleDeliveryRequests(a)
	}
	attempts.Begin(&p.DeliveryRecord, by, fresh, now)
	p.Cycle.OverwriteNonce, p.ConflictURL, p.Differences = overwrite, "", nil
}

// BeginUpdate writes the first attempt of a cycle ahead that updates a published article to its current revision.
func BeginUpdate(a *v1alpha1.Article, by attempts.ID, now time.Time) {
	BeginDelivery(a, by, true, now)
	a.Status.Publication.Cycle.Revision = new(currentRevision(a))
}

// replaceText records that the site of a published article has another text.
func replaceText(a *v1alpha1.Article, r v1alpha1.PublicationRevision, now time.Time) {
	p := a.Status.Publication
	p.Revision, p.UpdateTime = r, new(metav1.NewMicroTime(now))
}

// EndDelivery records how the attempt to publish the article ended. A published article stays published.
func EndDelivery(a *v1alpha1.Article, e attempts.End, s attempts.Schedule, now time.Time) {
	p := a.Status.Publication
	attempts.RecordEnd(&p.DeliveryRecord, e, s, now)
	switch {
	case p.Cycle.State == v1alpha1.CycleDelivered && p.Cycle.Unpublish != "":
		tookBack(a, now)
	case p.Cycle.State == v1alpha1.CycleDelivered && p.Cycle.Revision != nil:
		replaceText(a, *p.Cycle.Revision, now)
		p.Cycle.Revision = nil
	case p.Cycle.State == v1alpha1.CycleDelivered:
		becomePublished(p, now)
	case p.State == v1alpha1.PublicationPublished:
	case p.Cycle.State == v1alpha1.CycleFailed:
		p.State = v1alpha1.PublicationFailed
	default:
		p.State = v1alpha1.PublicationRetryScheduled
	}
}

// CancelRetry ends the delivery that waits for a retry which is no longer wanted. A published article stays published.
func CancelRetry(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) {
	p := a.Status.Publication
	p.Cycle.Reason = retryUnwanted(a, site, now)
	p.Cycle.State, p.Cycle.NextAttemptTime = v1alpha1.CycleCancelled, nil
	if !Published(a) {
		p.State = v1alpha1.PublicationCancelled
	}
}

// LocatePart records the id of a post that an attempt made or found before it failed. A published article's id does not change.
func LocatePart(a *v1alpha1.Article, id string) {
	if !Published(a) && id != "" && bounds.JSONBytes(id) <= v1alpha1.MaxExternalIDBytes {
		a.Status.Publication.ExternalID = id
	}
}

// Locate records the URL and the id of the post that the receiver answered with. The id is the slug if the answer has none. A value that
// is too long for status is left out.
func Locate(a *v1alpha1.Article, url, id string) {
	p := a.Status.Publication
	if url != "" && bounds.JSONBytes(url) <= v1alpha1.MaxURLBytes {
		p.URL = url
	}
	switch {
	case id != "" && bounds.JSONBytes(id) <= v1alpha1.MaxExternalIDBytes:
		p.ExternalID = id
	case p.ExternalID == "":
		p.ExternalID = a.Status.Slug
	}
}

// RecordSlug records the slug that a CMS gave a post, if it is another than the article's, and reports whether status did not have
// it yet.
func RecordSlug(a *v1alpha1.Article, slug string) (changed bool) {
	p := a.Status.Publication
	before := p.Slug
	p.Slug = bounds.Cut(slug, v1alpha1.MaxSlugBytes)
	return p.Slug != "" && p.Slug != before
}
