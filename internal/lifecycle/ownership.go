package lifecycle

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/attempts"
)

// FirstWrite returns when the first of an article's recorded attempts began that may have written a post; zero if none did.
func FirstWrite(a *v1alpha1.Article) time.Time {
	if p := a.Status.Publication; p != nil {
		for i := range p.Attempts {
			if mayHaveWritten(&p.Attempts[i]) {
				return p.Attempts[i].StartTime.Time
			}
		}
	}
	return time.Time{}
}

// mayHaveWritten reports whether an attempt may have written a post. One that found a post which it may not write has only read.
func mayHaveWritten(attempt *v1alpha1.DeliveryAttempt) bool {
	return Reached(attempt.Outcome) && attempt.ErrorClass != v1alpha1.ErrorSlugTaken && attempt.ErrorClass != v1alpha1.ErrorChangedAtSite
}

// SlugUsed reports whether something may have been written under an article's slug, or may be now: it may not change then.
func SlugUsed(a *v1alpha1.Article) bool { return OpenDelivery(a) != nil || writtenUnderSlug(a) }

// writtenUnderSlug looks at the attempts that have ended. Status that was restored from a Post has none.
func writtenUnderSlug(a *v1alpha1.Article) bool {
	p := a.Status.Publication
	return p != nil && (Published(a) || p.ExternalID != "" || len(p.Attempts) == 0 || !FirstWrite(a).IsZero())
}

// PassesOver reports whether an article takes another slug after an attempt that ends so: a post of other people has the slug, the author
// has not asked for it, nothing may have been written under it, and the cycle has another attempt.
func PassesOver(a *v1alpha1.Article, class v1alpha1.ErrorClass) bool {
	return class == v1alpha1.ErrorSlugTaken && (a.Spec.Content == nil || a.Spec.Content.Slug == "") && !writtenUnderSlug(a) &&
		attempts.OfCycle(&a.Status.Publication.DeliveryRecord) < v1alpha1.MaxAttempts
}

// OverwriteNonce returns the request to overwrite that the next attempt answers; "" if it answers none. fresh means that the attempt
// begins a new cycle.
func OverwriteNonce(a *v1alpha1.Article, fresh bool) string {
	p := a.Status.Publication
	switch {
	case p == nil:
		return ""
	case !fresh && p.Cycle != nil:
		return p.Cycle.OverwriteNonce
	case attempts.Asked(a, a.Status.HandledRequests, v1alpha1.OverwriteAnnotation):
		return attempts.Nonce(a, v1alpha1.OverwriteAnnotation)
	default:
		return ""
	}
}

// Overwrites reports whether the next attempt overwrites what somebody has changed of the post in the CMS.
func Overwrites(a *v1alpha1.Article, fresh bool) bool { return OverwriteNonce(a, fresh) != "" }

// HandleDeliveryRequests records that the present requests for a delivery, or to take the post back, are handled.
func HandleDeliveryRequests(a *v1alpha1.Article) {
	attempts.Handle(a, &a.Status.HandledRequests, v1alpha1.RedeliverAnnotation)
	attempts.Handle(a, &a.Status.HandledRequests, v1alpha1.OverwriteAnnotation)
	attempts.Handle(a, &a.Status.HandledRequests, v1alpha1.UnpublishAnnotation)
}

// changedAtSite reports whether the last delivery found that somebody had changed the post in the CMS.
func changedAtSite(a *v1alpha1.Article) bool {
	p := a.Status.Publication
	return p.Cycle != nil && p.Cycle.State == v1alpha1.CycleFailed && p.Cycle.Reason == v1alpha1.ReasonChangedAtSite
}
