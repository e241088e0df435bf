package lifecycle

import (
	"slices"
	"time"

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

// ObserveRequests withholds an unpublished article if somebody asks again to unpublish it, and handles all requests then, so that none is
// left for a later publication. It ends the withholding of one whose stage does not ask for publication: once it does, that is a new
// request.
func ObserveRequests(a *v1alpha1.Article) (changed bool) {
	p := a.Status.Publication
	if Unpublished(a) && (p.Cycle == nil || p.Cycle.Unpublish != "") &&
		attempts.Asked(a, a.Status.HandledRequests, v1alpha1.UnpublishAnnotation) {
		HandleDeliveryRequests(a)
		p.State, changed = v1alpha1.PublicationUnpublished, true
	}
	if Withheld(a) && !isPublicationRequested(a) {
		p.State, changed = v1alpha1.PublicationCancelled, true
	}
	return changed
}

// UnpublishAsked reports whether a nonce asks to take the post of a published article back.
func UnpublishAsked(a *v1alpha1.Article) bool {
	return Published(a) && attempts.Asked(a, a.Status.HandledRequests, v1alpha1.UnpublishAnnotation)
}

// Unpublishing reports whether the last cycle of a published article takes the post back, and is in a state.
func Unpublishing(a *v1alpha1.Article, states ...v1alpha1.CycleState) bool {
	p := a.Status.Publication
	return Published(a) && p.Cycle != nil && p.Cycle.Unpublish != "" && slices.Contains(states, p.Cycle.State)
}

// UnpublishFailed reports whether the last cycle was to take the post of an article back and failed, and that is still wanted: nobody has
// asked for a delivery since.
func UnpublishFailed(a *v1alpha1.Article) bool {
	return Unpublishing(a, v1alpha1.CycleFailed) && !RedeliveryAsked(a) &&
		(a.Status.Publication.Cycle.Unpublish == v1alpha1.UnpublishRequested || isArchived(a))
}

// UnpublishCause returns why the post of an article is to be taken back; empty if it is not. A cycle that failed is not repeated, unless
// somebody asks again or the settings change that it failed by.
func UnpublishCause(a *v1alpha1.Article, site *v1alpha1.Site) v1alpha1.UnpublishCause {
	if !Published(a) || site == nil {
		return ""
	}
	cycle := a.Status.Publication.Cycle
	waits := Unpublishing(a, v1alpha1.CycleRetryScheduled)
	failed := Unpublishing(a, v1alpha1.CycleFailed)
	switch {
	case UnpublishAsked(a):
		return v1alpha1.UnpublishRequested
	case (waits || failed && !RedeliveryAsked(a) && connectionChanged(cycle, site)) && cycle.Unpublish == v1alpha1.UnpublishRequested:
		return v1alpha1.UnpublishRequested
	case isArchived(a) && site.UnpublishesArchived() && !(failed && !connectionChanged(cycle, site)):
		return v1alpha1.UnpublishArchived
	default:
		return ""
	}
}

// leaves reports whether the post of an article is to be taken back, or that has failed.
func leaves(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return UnpublishCause(a, site) != "" || Unpublishing(a, v1alpha1.CycleDelivering) || UnpublishFailed(a)
}

// nextUnpublish decides for a published article whose post is to be taken back.
func nextUnpublish(a *v1alpha1.Article, mode Mode, now time.Time) Decision {
	switch {
	case mode == Pull:
		return Decision{Step: UnpublishForPull}
	case mode == Unsupported:
		return Decision{Step: Wait}
	case Unpublishing(a, v1alpha1.CycleRetryScheduled) && !UnpublishAsked(a):
		return nextAttempt(a.Status.Publication.Cycle, now)
	default:
		return Decision{Step: StartUnpublish}
	}
}
