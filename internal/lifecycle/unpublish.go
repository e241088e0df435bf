package lifecycle

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
)

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
