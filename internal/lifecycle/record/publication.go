// Package record changes an article's status in memory when a step begins or ends. It adds attempts before they are made, and their
// outcomes. It makes revisions current, adds transitions, keeps status within its bounds, and restores a lost status from revisions and
// Posts. Package lifecycle decides what is done next. Pure.
package record

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

// PublishByPull publishes the current revision on a site that nothing is sent to.
func PublishByPull(a *v1alpha1.Article, now time.Time) {
	if lifecycle.Published(a) {
		replaceText(a, lifecycle.CurrentRevision(a), now)
		return
	}
	setPublication(a, v1alpha1.PublicationPublished)
	lifecycle.HandleDeliveryRequests(a)
	becomePublished(a.Status.Publication, now)
}

// FailUnsupportedType ends publishing the current revision to a site that cannot be published to.
func FailUnsupportedType(a *v1alpha1.Article) { setPublication(a, v1alpha1.PublicationFailed) }

// setPublication sets the publication of the current revision, which has no cycle. Attempts at the receiver that the Site had before
// stay: every request that was sent is one of the attempts.
func setPublication(a *v1alpha1.Article, state v1alpha1.PublicationState) {
	p := &v1alpha1.Publication{State: state, Revision: lifecycle.CurrentRevision(a)}
	if before := a.Status.Publication; before != nil {
		p.Attempts, p.LastAnswer = before.Attempts, before.LastAnswer
		if lifecycle.Unpublished(a) {
			p.PublishTime, p.UnpublishTime = before.PublishTime, before.UnpublishTime
		}
	}
	a.Status.Publication = p
}

// BeginDelivery writes the next attempt to publish the article ahead; fresh begins a new cycle with it.
func BeginDelivery(a *v1alpha1.Article, by attempts.ID, fresh bool, now time.Time) {
	overwrite := lifecycle.OverwriteNonce(a, fresh)
	p := a.Status.Publication
	if p == nil {
		p = &v1alpha1.Publication{}
		a.Status.Publication = p
	}
	if p.State != v1alpha1.PublicationPublished {
		p.State, p.Revision = v1alpha1.PublicationDelivering, lifecycle.CurrentRevision(a)
	}
	if fresh {
		lifecycle.HandleDeliveryRequests(a)
	}
	attempts.Begin(&p.DeliveryRecord, by, fresh, now)
	p.Cycle.OverwriteNonce, p.ConflictURL, p.Differences = overwrite, "", nil
}

// BeginUpdate writes the first attempt of a cycle ahead that updates a published article to its current revision.
func BeginUpdate(a *v1alpha1.Article, by attempts.ID, now time.Time) {
	BeginDelivery(a, by, true, now)
	a.Status.Publication.Cycle.Revision = new(lifecycle.CurrentRevision(a))
}

// replaceText records that the site of a published article has another text.
func replaceText(a *v1alpha1.Article, r v1alpha1.PublicationRevision, now time.Time) {
	p := a.Status.Publication
	p.Revision, p.UpdateTime = r, new(v1alpha1.NewMicroTime(now))
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
	p.Cycle.Reason = lifecycle.RetryUnwanted(a, site, now)
	p.Cycle.State, p.Cycle.NextAttemptTime = v1alpha1.CycleCancelled, nil
	if !lifecycle.Published(a) {
		p.State = v1alpha1.PublicationCancelled
	}
}

// Connection records in the cycle which settings of the Site the attempt that has just begun uses.
func Connection(a *v1alpha1.Article, site *v1alpha1.Site) {
	a.Status.Publication.Cycle.ConnectionHash = lifecycle.ConnectionHash(site)
}

// BeginUnpublish writes the first attempt of a cycle ahead that takes the post back. It answers all requests there are: a redelivery that
// was asked for before does not put the post there again.
func BeginUnpublish(a *v1alpha1.Article, by attempts.ID, cause v1alpha1.UnpublishCause, now time.Time) {
	BeginDelivery(a, by, true, now)
	a.Status.Publication.Cycle.Unpublish = cause
}

// UnpublishByPull unpublishes an article of a site that nothing is sent to.
func UnpublishByPull(a *v1alpha1.Article, now time.Time) {
	lifecycle.HandleDeliveryRequests(a)
	a.Status.Publication.Cycle = nil // It was of a site that the article was sent to before.
	tookBack(a, now)
}

// tookBack records that the site does not have the post any more.
func tookBack(a *v1alpha1.Article, now time.Time) {
	p := a.Status.Publication
	p.State, p.UnpublishTime = v1alpha1.PublicationUnpublished, new(v1alpha1.NewMicroTime(now))
	lifecycle.ObserveRequests(a)
}

// becomePublished records that the site has the article, for the first time or again.
func becomePublished(p *v1alpha1.Publication, now time.Time) {
	at := v1alpha1.NewMicroTime(now)
	p.State = v1alpha1.PublicationPublished
	switch {
	case p.PublishTime == nil:
		p.PublishTime = &at
	case p.UnpublishTime != nil:
		p.UpdateTime = &at
	}
	p.UnpublishTime = nil
}

// LocatePart records the id of a post that an attempt made or found before it failed. A published article's id does not change.
func LocatePart(a *v1alpha1.Article, id string) {
	if !lifecycle.Published(a) && id != "" && bounds.JSONBytes(id) <= v1alpha1.MaxExternalIDBytes {
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

// Slug records the slug that a CMS gave a post, if it is another than the article's, and reports whether status did not have
// it yet.
func Slug(a *v1alpha1.Article, slug string) (changed bool) {
	p := a.Status.Publication
	before := p.Slug
	p.Slug = bounds.Cut(slug, v1alpha1.MaxSlugBytes)
	return p.Slug != "" && p.Slug != before
}

// Post records what the CMS answered of the post, if it answered something, the address of the post because of which nothing was
// written, and in what that differs. An address that is too long for status is left out.
func Post(a *v1alpha1.Article, hash, conflict string, differences []v1alpha1.PostDifference) {
	p := a.Status.Publication
	if hash != "" {
		p.PostHash = hash
	}
	if bounds.JSONBytes(conflict) <= v1alpha1.MaxURLBytes {
		p.ConflictURL = conflict
	}
	p.Differences = nil
	for _, d := range differences {
		d.Site, d.Article = bounds.Cut(d.Site, v1alpha1.MaxSnippetBytes), bounds.Cut(d.Article, v1alpha1.MaxSnippetBytes)
		p.Differences = append(p.Differences, d)
	}
}
