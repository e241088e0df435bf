package lifecycle

import (
	"cmp"
	"slices"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// What a site has of an article, and what its last delivery cycle is about. Status says both; the functions of this file only read them.

// Have returns what the site has of an article. Without a publication, the site has nothing.
func Have(a *v1alpha1.Article) v1alpha1.SitePost {
	if p := a.Status.Publication; p != nil {
		return p.Post
	}
	return v1alpha1.SitePost{State: v1alpha1.PostAbsent}
}

// Published reports whether the site of an article has accepted it, or may pull it, and has not accepted its removal since.
func Published(a *v1alpha1.Article) bool {
	have := Have(a)
	return have.Revision != nil && have.State != v1alpha1.PostAbsent
}

// Uncertain reports whether it is not known what the site of an article has.
func Uncertain(a *v1alpha1.Article) bool { return Have(a).State == v1alpha1.PostUncertain }

// Unpublished reports whether the post of an article was taken back, and the article is not published again since.
func Unpublished(a *v1alpha1.Article) bool {
	have := Have(a)
	return have.State == v1alpha1.PostAbsent && have.UnpublishTime != nil
}

// Held reports whether an article stays unpublished although spec.stage asks for publication: somebody took the post back while it did.
// The stage must ask again, or somebody must ask for a redelivery.
func Held(a *v1alpha1.Article) bool {
	return a.Status.Publication != nil && a.Status.Publication.Hold != ""
}

// IsLive reports whether a content is the one that the site accepted last, and whose removal it has not accepted since.
func IsLive(a *v1alpha1.Article, digest string) bool {
	return Published(a) && Have(a).Revision.Digest == digest
}

// LiveIsCurrent reports whether the current revision has the content that the site accepted last.
func LiveIsCurrent(a *v1alpha1.Article) bool {
	return a.Status.Revision != nil && IsLive(a, a.Status.Revision.Digest)
}

// CycleOf returns the last delivery cycle of an article; the zero DeliveryCycle if there was none.
func CycleOf(a *v1alpha1.Article) v1alpha1.DeliveryCycle {
	if p := a.Status.Publication; p != nil && p.Cycle != nil {
		return *p.Cycle
	}
	return v1alpha1.DeliveryCycle{}
}

// puts reports whether a cycle makes the site have a content.
func puts(c v1alpha1.DeliveryCycle, digest string) bool {
	return c.Purpose == v1alpha1.PurposePut && c.Revision != nil && c.Revision.Digest == digest
}

// PutsCurrent reports whether the last cycle makes the site have the current revision.
func PutsCurrent(a *v1alpha1.Article) bool {
	return a.Status.Revision != nil && puts(CycleOf(a), a.Status.Revision.Digest)
}

// repeatsLive reports whether the last cycle sends the content again that the site accepted last.
func repeatsLive(a *v1alpha1.Article) bool {
	return Published(a) && puts(CycleOf(a), Have(a).Revision.Digest)
}

// Removing reports whether the last cycle takes the post back, and is in one of these states.
func Removing(a *v1alpha1.Article, states ...v1alpha1.CycleState) bool {
	c := CycleOf(a)
	return c.Purpose == v1alpha1.PurposeRemove && slices.Contains(states, c.State)
}

// DeliveryInProgress returns the attempt to deliver that is in progress, or nil.
func DeliveryInProgress(a *v1alpha1.Article) *v1alpha1.DeliveryAttempt {
	if a.Status.Publication == nil {
		return nil
	}
	return cycles.InProgress(&a.Status.Publication.DeliveryRecord)
}

// CyclePost returns the name of the Post to which the last attempt was sent; empty if there was none.
func CyclePost(a *v1alpha1.Article) string { return cmp.Or(CycleOf(a).Post, Have(a).Name) }

// delivering reports whether an attempt is in progress or a retry is scheduled.
func delivering(a *v1alpha1.Article) bool {
	state := CycleOf(a).State
	return state == v1alpha1.CycleInProgress || state == v1alpha1.CycleRetryScheduled
}

// SlugUsed reports whether the site may have something under an article's slug, or had: it may not change then.
func SlugUsed(a *v1alpha1.Article) bool {
	return DeliveryInProgress(a) != nil || usesSlug(Have(a))
}

// usesSlug reports whether a site has something of an article, may have it, or had it.
func usesSlug(have v1alpha1.SitePost) bool {
	there := have.State == v1alpha1.PostPresent || have.State == v1alpha1.PostUncertain
	return there || have.PublishTime != nil || have.UnpublishTime != nil || have.ExternalID != ""
}

// RedeliveryRequested reports whether a nonce asks for a cycle that has not begun.
func RedeliveryRequested(a *v1alpha1.Article) bool {
	return a.Status.Publication != nil && (command.Requested(a, a.Status.HandledRequests, v1alpha1.RedeliverAnnotation) ||
		command.Requested(a, a.Status.HandledRequests, v1alpha1.OverwriteAnnotation))
}

// UnpublishRequested reports whether a nonce asks to take back a post that the site has or may have.
func UnpublishRequested(a *v1alpha1.Article) bool {
	return (Published(a) || Uncertain(a)) && command.Requested(a, a.Status.HandledRequests, v1alpha1.UnpublishAnnotation)
}

// SyncHold handles a request to take back a post that is taken back already, with all other requests, so that none is left for a later
// publication. It ends the hold of an article whose stage does not ask for publication: once the stage does, that is a new request. It
// reports whether status has changed.
func SyncHold(a *v1alpha1.Article) (changed bool) {
	p := a.Status.Publication
	if Unpublished(a) && !delivering(a) && command.Requested(a, a.Status.HandledRequests, v1alpha1.UnpublishAnnotation) {
		MarkDeliveryRequestsHandled(a)
		p.Hold, changed = v1alpha1.HoldRequested, true
	}
	if Held(a) && !isPublicationRequested(a) {
		p.Hold, changed = "", true
	}
	return changed
}

// MarkDeliveryRequestsHandled records that the present requests for a delivery, or to take the post back, are handled.
func MarkDeliveryRequestsHandled(a *v1alpha1.Article) {
	command.MarkHandled(a, &a.Status.HandledRequests, v1alpha1.RedeliverAnnotation)
	command.MarkHandled(a, &a.Status.HandledRequests, v1alpha1.OverwriteAnnotation)
	command.MarkHandled(a, &a.Status.HandledRequests, v1alpha1.UnpublishAnnotation)
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
	case command.Requested(a, a.Status.HandledRequests, v1alpha1.OverwriteAnnotation):
		return command.Nonce(a, v1alpha1.OverwriteAnnotation)
	default:
		return ""
	}
}

// Overwrites reports whether the next attempt overwrites what somebody has changed of the post in the CMS.
func Overwrites(a *v1alpha1.Article, fresh bool) bool { return OverwriteNonce(a, fresh) != "" }

// PassesOver reports whether an article takes another slug after an attempt that ends so: a post of other people has the slug, the author
// has not asked for it, the site had nothing under it before the attempt, and the cycle has another attempt.
func PassesOver(a *v1alpha1.Article, before v1alpha1.SitePost, class v1alpha1.ErrorClass) bool {
	return class == v1alpha1.ErrorSlugTaken && (a.Spec.Content == nil || a.Spec.Content.Slug == "") && !usesSlug(before) &&
		cycles.OfCycle(&a.Status.Publication.DeliveryRecord) < v1alpha1.MaxAttempts
}

// WroteNothing reports whether an attempt that ended so certainly wrote nothing of the post: it was not sent, or it found a post which it
// may not write.
func WroteNothing(r v1alpha1.AttemptResult) bool {
	return !Reached(r.Outcome) || r.ErrorClass == v1alpha1.ErrorSlugTaken || r.ErrorClass == v1alpha1.ErrorChangedAtSite
}

// changedAtSite reports whether the last delivery found that somebody had changed the post in the CMS.
func changedAtSite(a *v1alpha1.Article) bool {
	c := CycleOf(a)
	return c.State == v1alpha1.CycleFailed && c.Reason == v1alpha1.ReasonChangedAtSite
}
