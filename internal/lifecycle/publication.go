package lifecycle

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
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

// RecordConnection records in the cycle which settings of the Site the attempt that has just begun uses.
func RecordConnection(a *v1alpha1.Article, site *v1alpha1.Site) {
	a.Status.Publication.Cycle.ConnectionHash = connectionHash(site)
}

// connectionChanged reports whether a cycle ended because of settings of the Site that have changed since.
func connectionChanged(c *v1alpha1.DeliveryCycle, site *v1alpha1.Site) bool {
	return c.State == v1alpha1.CycleFailed && conditions.Reasons[c.Reason].UntilChange && !SameConnection(c, site)
}

// SameConnection reports whether the Site's settings are those that the last attempt of a cycle used.
func SameConnection(c *v1alpha1.DeliveryCycle, site *v1alpha1.Site) bool {
	return c.ConnectionHash == connectionHash(site)
}

// connectionHash identifies the settings of a Site's connection, and whether it adopts posts. 16 hexadecimal digits are enough to notice a
// change.
func connectionHash(site *v1alpha1.Site) string {
	if site.Spec.Publishing.ExistingPosts == v1alpha1.ExistingPostsAdopt {
		return hashOf([]any{site.Spec.CMS, v1alpha1.ExistingPostsAdopt})[:16]
	}
	return hashOf(site.Spec.CMS)[:16]
}

// Unpublished reports whether the post of an article was taken back, and the article is not published again since.
func Unpublished(a *v1alpha1.Article) bool {
	return a.Status.Publication != nil && a.Status.Publication.UnpublishTime != nil
}

// Withheld reports whether an article stays unpublished although spec.stage asks for publication: somebody took the post back while it
// did. The stage must ask again, or somebody must ask for a redelivery.
func Withheld(a *v1alpha1.Article) bool {
	return a.Status.Publication != nil && a.Status.Publication.State == v1alpha1.PublicationUnpublished
}

// observeRequests withholds an unpublished article if somebody asks again to unpublish it, and handles all requests then, so that none is
// left for a later publication. It ends the withholding of one whose stage does not ask for publication: once it does, that is a new
// request.
func observeRequests(a *v1alpha1.Article) (changed bool) {
	p := a.Status.Publication
	if Unpublished(a) && (p.Cycle == nil || p.Cycle.Unpublish != "") &&
		attempts.Asked(a, a.Status.HandledRequests, v1alpha1.UnpublishAnnotation) {
		handleDeliveryRequests(a)
		p.State, changed = v1alpha1.PublicationUnpublished, true
	}
	if Withheld(a) && !isPublicationRequested(a) {
		p.State, changed = v1alpha1.PublicationCancelled, true
	}
	return changed
}

func unpublishAsked(a *v1alpha1.Article) bool {
	return Published(a) && attempts.Asked(a, a.Status.HandledRequests, v1alpha1.UnpublishAnnotation)
}

// unpublishing reports whether the last cycle of a published article takes the post back, and is in a state.
func unpublishing(a *v1alpha1.Article, states ...v1alpha1.CycleState) bool {
	p := a.Status.Publication
	return Published(a) && p.Cycle != nil && p.Cycle.Unpublish != "" && slices.Contains(states, p.Cycle.State)
}

// UnpublishFailed reports whether the last cycle was to take the post of an article back and failed, and that is still wanted.
func UnpublishFailed(a *v1alpha1.Article) bool {
	return unpublishing(a, v1alpha1.CycleFailed) &&
		(a.Status.Publication.Cycle.Unpublish == v1alpha1.UnpublishRequested || isArchived(a))
}

// UnpublishCause returns why the post of an article is to be taken back; empty if it is not. A cycle that failed is not repeated, unless
// somebody asks again or the settings change that it failed by.
func UnpublishCause(a *v1alpha1.Article, site *v1alpha1.Site) v1alpha1.UnpublishCause {
	if !Published(a) || site == nil {
		return ""
	}
	cycle := a.Status.Publication.Cycle
	waits := unpublishing(a, v1alpha1.CycleRetryScheduled)
	failed := unpublishing(a, v1alpha1.CycleFailed)
	switch {
	case unpublishAsked(a):
		return v1alpha1.UnpublishRequested
	case (waits || failed && connectionChanged(cycle, site)) && cycle.Unpublish == v1alpha1.UnpublishRequested:
		return v1alpha1.UnpublishRequested
	case isArchived(a) && site.UnpublishesArchived() && !(failed && !connectionChanged(cycle, site)):
		return v1alpha1.UnpublishArchived
	default:
		return ""
	}
}

// leaves reports whether the post of an article is to be taken back, or that has failed.
func leaves(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return UnpublishCause(a, site) != "" || unpublishing(a, v1alpha1.CycleDelivering) || UnpublishFailed(a)
}

// nextUnpublish decides for a published article whose post is to be taken back.
func nextUnpublish(a *v1alpha1.Article, mode Mode, now time.Time) Decision {
	switch {
	case mode == Pull:
		return Decision{Step: UnpublishForPull}
	case mode == Unsupported:
		return Decision{Step: Wait}
	case unpublishing(a, v1alpha1.CycleRetryScheduled) && !unpublishAsked(a):
		return nextAttempt(a.Status.Publication.Cycle, now)
	default:
		return Decision{Step: StartUnpublish}
	}
}

// BeginUnpublish writes the first attempt of a cycle ahead that takes the post back. It answers all requests there are: a redelivery that
// was asked for before does not put the post there again.
func BeginUnpublish(a *v1alpha1.Article, by attempts.ID, cause v1alpha1.UnpublishCause, now time.Time) {
	BeginDelivery(a, by, true, now)
	a.Status.Publication.Cycle.Unpublish = cause
}

// UnpublishByPull unpublishes an article of a site that nothing is sent to.
func UnpublishByPull(a *v1alpha1.Article, now time.Time) {
	handleDeliveryRequests(a)
	a.Status.Publication.Cycle = nil // It was of a site that the article was sent to before.
	tookBack(a, now)
}

// tookBack records that the site does not have the post any more.
func tookBack(a *v1alpha1.Article, now time.Time) {
	p := a.Status.Publication
	p.State, p.UnpublishTime = v1alpha1.PublicationUnpublished, new(metav1.NewMicroTime(now))
	observeRequests(a)
}

// becomePublished records that the site has the article, for the first time or again.
func becomePublished(p *v1alpha1.Publication, now time.Time) {
	at := metav1.NewMicroTime(now)
	p.State = v1alpha1.PublicationPublished
	switch {
	case p.PublishTime == nil:
		p.PublishTime = &at
	case p.UnpublishTime != nil:
		p.UpdateTime = &at
	}
	p.UnpublishTime = nil
}
