package lifecycle

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// WantKind is what is wanted of a post.
type WantKind string

const (
	// WantKeep leaves the site as it is.
	WantKeep WantKind = "Keep"
	// WantPut makes the site have a revision.
	WantPut WantKind = "Put"
	// WantRemove takes the post back.
	WantRemove WantKind = "Remove"
	// WantBlocked means that something is due, and nothing may be begun or dropped.
	WantBlocked WantKind = "Blocked"
)

// Want is what a site is to have of an article.
type Want struct {
	// Kind of the want.
	Kind WantKind
	// Revision of WantPut.
	Revision v1alpha1.PublicationRevision
	// Requested means that somebody asks for it by an annotation, so that it is done even if the site has it.
	Requested bool
	// Reason of WantKeep and WantBlocked: why a retry is not wanted, and what blocks.
	Reason string
	// Until is when to decide again, if that depends on the clock; zero if it does not.
	Until time.Time
}

// Target is what the registry of connectors knows about a Site.
type Target struct {
	// Mode is how articles get to the Site.
	Mode Mode
	// Post is the name of the Post of the article's slug at the Site's present address; empty if the article has no slug.
	Post string
	// Address of the Site, for people.
	Address string
	// Removes means that posts can be taken back from the Site.
	Removes bool
	// Suspension of the Site, its account or the installation, while which nothing is generated or sent; nil if there is none.
	Suspension *BlockedError
}

// Wanted returns what the Site of an article is to have. site is nil if it does not exist.
func Wanted(a *v1alpha1.Article, site *v1alpha1.Site, to Target, now time.Time) Want {
	want := wantedUnlessSuspended(a, site, to, now)
	if site == nil || to.Suspension == nil || DeliveryInProgress(a) != nil {
		return want
	}
	if RetryUnwanted(a, site, want) == "" && !HasEffect(nextPublication(a, site, to, want, now).Step) {
		return want
	}
	return Want{Kind: WantBlocked, Reason: to.Suspension.Reason}
}

func wantedUnlessSuspended(a *v1alpha1.Article, site *v1alpha1.Site, to Target, now time.Time) Want {
	text, removal := wantedText(a, site, now), removalOf(a, site)
	switch {
	case site == nil:
		return text
	case removal.failed() && text.Kind == WantPut:
		return text
	case removal != removalNone:
		return Want{Kind: WantRemove, Requested: UnpublishRequested(a)}
	case text.Kind == WantPut, a.Spec.Stage == v1alpha1.StageArchived:
		return text
	case to.Mode == Push && redelivers(a):
		return Want{Kind: WantPut, Revision: *Have(a).Revision, Requested: RedeliveryRequested(a), Until: text.Until}
	case Have(a).State == v1alpha1.PostUncertain:
		return wantedInDoubt(a, site, to, text)
	default:
		return text
	}
}

// wantedText returns the current revision if it is approved, due, and not what the site has. Otherwise it says why it is not sent.
func wantedText(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) Want {
	keep := func(reason string) Want { return Want{Kind: WantKeep, Reason: reason} }
	switch r := a.Status.Revision; {
	case a.Spec.Stage == v1alpha1.StageArchived:
		return keep(v1alpha1.ReasonArchived)
	case site == nil:
		return keep("")
	case r == nil:
		return keep(v1alpha1.ReasonNoRevision)
	case Published(a) && Frozen(a, site):
		return keep(v1alpha1.ReasonUpdatesFrozen)
	case a.Spec.Stage != v1alpha1.StagePublished:
		return keep(v1alpha1.ReasonNotRequested)
	case Outdated(a, site), MakingOf(a, site) == RunDue:
		return keep(v1alpha1.ReasonContentChanged)
	case LiveIsCurrent(a):
		return keep("")
	case ReviewOf(a, site).orAutomatic(approvedBySite(a, site)) < ReviewApproved:
		return keep(v1alpha1.ReasonNotApproved)
	case HoldOf(a) != "" && !RedeliveryRequested(a):
		return keep(v1alpha1.ReasonUnpublished)
	case early(a, now):
		return Want{Kind: WantKeep, Reason: v1alpha1.ReasonScheduled, Until: NotBefore(a)}
	default:
		return Want{Kind: WantPut, Revision: CurrentRevision(a, site), Requested: RedeliveryRequested(a)}
	}
}

// answersRequest reports whether somebody asked for a cycle.
func answersRequest(c v1alpha1.DeliveryCycle) bool {
	return c.RequestNonce != "" || c.OverwriteNonce != ""
}

// redelivers reports whether the live text is to be sent again because somebody asked for it: the request is not handled yet, or its cycle
// has not ended.
func redelivers(a *v1alpha1.Article) bool {
	c := CycleOf(a)
	return Published(a) && (RedeliveryRequested(a) || AimOf(a) == AimRepeat && answersRequest(c) && !c.State.Ended())
}

// removal is how taking the post of an article back stands.
type removal string

const (
	removalNone       removal = ""           // the post stays, or there is none
	removalDue        removal = "Due"        // somebody asks for it, or the article is archived and its Site takes the posts of those back
	removalInProgress removal = "InProgress" // an attempt is in progress
	removalFailed     removal = "Failed"     // the cycle has failed, and nobody has asked again
	removalRenewed    removal = "Renewed"    // removalFailed after a change of the settings that it failed because of
)

func (r removal) failed() bool { return r == removalFailed || r == removalRenewed }

// removalOf returns how taking the post back stands.
func removalOf(a *v1alpha1.Article, site *v1alpha1.Site) removal {
	c := CycleOf(a)
	state := c.State
	if c.Purpose != v1alpha1.PurposeRemove {
		state = ""
	}
	switch there := Published(a) || Have(a).State == v1alpha1.PostUncertain; {
	case state == v1alpha1.CycleInProgress:
		return removalInProgress
	case site == nil, !there:
		return removalNone
	case UnpublishRequested(a):
		return removalDue
	}
	requested := answersRequest(c) &&
		(state == v1alpha1.CycleRetryScheduled || state == v1alpha1.CycleFailed && !RedeliveryRequested(a))
	switch {
	case !requested && !(a.Spec.Stage == v1alpha1.StageArchived && site.UnpublishesArchived()):
		return removalNone
	case state != v1alpha1.CycleFailed:
		return removalDue
	case connectionChanged(&c, site):
		return removalRenewed
	default:
		return removalFailed
	}
}

// wantedInDoubt returns what ends the doubt about what the site has. A text that was accepted before is sent again: it was approved,
// unless somebody has taken the post back. If nothing was accepted before and nothing is wanted, the post is taken back. While another text
// waits for its review, or if the post is at another address, nothing is sent.
func wantedInDoubt(a *v1alpha1.Article, site *v1alpha1.Site, to Target, text Want) Want {
	have := Have(a)
	switch {
	case to.Mode != Pull && (have.Name == "" || have.Name != to.Post):
		return text
	case HoldOf(a) != "" && (to.Removes || to.Mode == Pull):
		return Want{Kind: WantRemove, Until: text.Until}
	case HoldOf(a) != "":
		return text
	case have.Revision != nil:
		return Want{Kind: WantPut, Revision: *have.Revision, Until: text.Until}
	case to.Mode == Pull:
		return Want{Kind: WantRemove, Until: text.Until}
	case to.Mode != Push || !to.Removes || awaitsReview(a, site, text):
		return text
	default:
		return Want{Kind: WantRemove, Until: text.Until}
	}
}

// awaitsReview reports whether the text that is not wanted waits for its review, or for its revision.
func awaitsReview(a *v1alpha1.Article, site *v1alpha1.Site, text Want) bool {
	review := ReviewOf(a, site)
	if a.Spec.Stage == v1alpha1.StageDraft || review == ReviewRejected {
		return false
	}
	switch text.Reason {
	case v1alpha1.ReasonContentChanged, v1alpha1.ReasonNotApproved, v1alpha1.ReasonNoRevision:
		return true
	case v1alpha1.ReasonNotRequested:
		maybe := Have(a).Maybe
		return review != ReviewApproved && !(maybe != nil && maybe.Revision != nil && a.Status.Revision != nil &&
			maybe.Revision.Digest == a.Status.Revision.Digest)
	default:
		return false
	}
}

// met reports whether a site has what is wanted.
func (w Want) met(a *v1alpha1.Article) bool {
	have := Have(a)
	switch {
	case w.Requested:
		return false
	case w.Kind == WantPut:
		return have.State == v1alpha1.PostPresent && have.Revision != nil && have.Revision.Digest == w.Revision.Digest
	case w.Kind == WantRemove:
		return have.State == v1alpha1.PostAbsent
	default:
		return true
	}
}

// outOfReach reports whether a post is to be taken back from an address that is not the Site's any more.
func (w Want) outOfReach(a *v1alpha1.Article, to Target) bool {
	name := Have(a).Name
	return w.Kind == WantRemove && name != "" && name != to.Post
}

// pursuedBy reports whether a cycle is to bring about what is wanted.
func (w Want) pursuedBy(c v1alpha1.DeliveryCycle) bool {
	switch w.Kind {
	case WantPut:
		return c.Purpose == v1alpha1.PurposePut && c.Revision != nil && c.Revision.Digest == w.Revision.Digest
	case WantRemove:
		return c.Purpose == v1alpha1.PurposeRemove
	default:
		return false
	}
}

// retriedBy reports whether the next attempt of a waiting cycle does what is wanted.
func (w Want) retriedBy(c v1alpha1.DeliveryCycle) bool {
	return w.pursuedBy(c) && !w.Requested && c.State == v1alpha1.CycleRetryScheduled
}

// answeredBy reports whether a cycle has failed to bring about what is wanted, and nothing has happened since that makes another one worth
// while.
func (w Want) answeredBy(c v1alpha1.DeliveryCycle, site *v1alpha1.Site) bool {
	return w.pursuedBy(c) && !w.Requested && c.State == v1alpha1.CycleFailed && !connectionChanged(&c, site)
}
