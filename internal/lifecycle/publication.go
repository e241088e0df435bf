package lifecycle

import (
	"cmp"

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

// Unpublished reports whether the post of an article was taken back, and the article is not published again since.
func Unpublished(a *v1alpha1.Article) bool {
	have := Have(a)
	return have.State == v1alpha1.PostAbsent && have.UnpublishTime != nil
}

// HoldOf returns why an article stays unpublished although its stage is Published: its post was taken back on request. It is published
// again if its stage is set to another one and then to Published, or if a redelivery is requested. HoldOf is empty if the article is not
// held.
func HoldOf(a *v1alpha1.Article) v1alpha1.PublicationHold {
	if p := a.Status.Publication; p != nil {
		return p.Hold
	}
	return ""
}

// LiveDigest returns the digest of the content that the site accepted last, and whose removal it has not accepted since; empty if there is
// none.
func LiveDigest(a *v1alpha1.Article) string {
	if !Published(a) {
		return ""
	}
	return Have(a).Revision.Digest
}

// LiveIsCurrent reports whether the current revision has the content that the site accepted last.
func LiveIsCurrent(a *v1alpha1.Article) bool {
	return Published(a) && a.Status.Revision != nil && Have(a).Revision.Digest == a.Status.Revision.Digest
}

// CycleOf returns the last delivery cycle of an article; the zero DeliveryCycle if there was none.
func CycleOf(a *v1alpha1.Article) v1alpha1.DeliveryCycle {
	if p := a.Status.Publication; p != nil && p.Cycle != nil {
		return *p.Cycle
	}
	return v1alpha1.DeliveryCycle{}
}

// Aim is what the last delivery cycle of an article is to bring about, compared with what its site has.
type Aim string

const (
	// AimNone means that there was no cycle.
	AimNone Aim = ""
	// AimRemove takes the post back.
	AimRemove Aim = "Remove"
	// AimRepeat makes the site have the content that it accepted last.
	AimRepeat Aim = "Repeat"
	// AimCurrent makes the site have the current revision, which is not what it accepted last.
	AimCurrent Aim = "Current"
	// AimOther makes the site have a revision that is neither.
	AimOther Aim = "Other"
)

// AimOf returns what the last cycle is to bring about.
func AimOf(a *v1alpha1.Article) Aim {
	switch c := CycleOf(a); {
	case c.Purpose == v1alpha1.PurposeRemove:
		return AimRemove
	case c.Revision == nil:
		return AimNone
	case Published(a) && c.Revision.Digest == LiveDigest(a):
		return AimRepeat
	case a.Status.Revision != nil && c.Revision.Digest == a.Status.Revision.Digest:
		return AimCurrent
	default:
		return AimOther
	}
}

// DeliveryInProgress returns the attempt that is in progress, or nil.
func DeliveryInProgress(a *v1alpha1.Article) *v1alpha1.DeliveryAttempt {
	if a.Status.Publication == nil {
		return nil
	}
	return cycles.InProgress(&a.Status.Publication.DeliveryRecord)
}

// CyclePost returns the name of the Post to which the last attempt was sent; empty if there was none.
func CyclePost(a *v1alpha1.Article) string { return cmp.Or(CycleOf(a).Post, Have(a).Name) }

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
	there := Published(a) || Have(a).State == v1alpha1.PostUncertain
	return there && command.Requested(a, a.Status.HandledRequests, v1alpha1.UnpublishAnnotation)
}

// Unpublishing reports whether the post of an article is being taken back, or is to be.
func Unpublishing(a *v1alpha1.Article) bool {
	return UnpublishRequested(a) || AimOf(a) == AimRemove && !CycleOf(a).State.Ended()
}

// SyncHold handles a request to take back a post that is taken back already, with all other requests, so that none is left for a later
// publication. It ends the hold of an article whose stage does not ask for publication: once the stage does, that is a new request. It
// reports whether status has changed.
func SyncHold(a *v1alpha1.Article) (changed bool) {
	p := a.Status.Publication
	if Unpublished(a) && CycleOf(a).State.Ended() && command.Requested(a, a.Status.HandledRequests, v1alpha1.UnpublishAnnotation) {
		MarkDeliveryRequestsHandled(a)
		p.Hold, changed = v1alpha1.HoldRequested, true
	}
	if HoldOf(a) != "" && a.Spec.Stage != v1alpha1.StagePublished {
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

// OverwriteNonce returns the request to overwrite what somebody has changed of the post in the CMS that the next attempt answers; "" if it
// answers none. fresh means that the attempt begins a new cycle.
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
