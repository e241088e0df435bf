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
)

// Want is what a site is to have of an article.
type Want struct {
	// Kind of the want.
	Kind WantKind
	// Revision of WantPut.
	Revision v1alpha1.PublicationRevision
	// Requested means that somebody asks for it by an annotation, so that it is done even if the site has it.
	Requested bool
	// Reason of WantKeep: why a retry is not wanted.
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
	// Removes means that posts can be taken back from the Site.
	Removes bool
}

// Wanted returns what the Site of an article is to have. site is nil if it does not exist.
func Wanted(a *v1alpha1.Article, site *v1alpha1.Site, to Target, now time.Time) Want {
	text := wantedText(a, site, now)
	switch {
	case site == nil:
		return text
	case removalWanted(a, site) && !(removalFailed(a) && text.Kind == WantPut):
		return Want{Kind: WantRemove, Requested: UnpublishRequested(a)}
	case text.Kind == WantPut, isArchived(a):
		return text
	case redeliveryWanted(a, to):
		return Want{Kind: WantPut, Revision: *Have(a).Revision, Requested: RedeliveryRequested(a), Until: text.Until}
	case Uncertain(a):
		return wantedInDoubt(a, to, text)
	default:
		return text
	}
}

// wantedText returns the current revision if it is approved, due, and not what the site has. Otherwise it says why it is not sent.
func wantedText(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) Want {
	keep := func(reason string) Want { return Want{Kind: WantKeep, Reason: reason} }
	switch r := a.Status.Revision; {
	case isArchived(a):
		return keep(v1alpha1.ReasonArchived)
	case site == nil:
		return keep("")
	case r == nil:
		return keep(v1alpha1.ReasonNoRevision)
	case Published(a) && Frozen(a, site):
		return keep(v1alpha1.ReasonUpdatesFrozen)
	case !isPublicationRequested(a):
		return keep(v1alpha1.ReasonNotRequested)
	case Outdated(a, site), RunWanted(a, site):
		return keep(v1alpha1.ReasonContentChanged)
	case IsLive(a, r.Digest):
		return keep("")
	case !approvedIf(a, site, approvedBySite(a, site)):
		return keep(v1alpha1.ReasonNotApproved)
	case Held(a) && !RedeliveryRequested(a):
		return keep(v1alpha1.ReasonUnpublished)
	case early(a, now):
		return Want{Kind: WantKeep, Reason: v1alpha1.ReasonScheduled, Until: NotBefore(a)}
	default:
		return Want{Kind: WantPut, Revision: CurrentRevision(a, site), Requested: RedeliveryRequested(a)}
	}
}

// redeliveryWanted reports whether the live text is to be sent again because somebody asked for it: the request is new, or its cycle waits
// for a retry.
func redeliveryWanted(a *v1alpha1.Article, to Target) bool {
	c := CycleOf(a)
	return Published(a) && to.Mode == Push &&
		(RedeliveryRequested(a) || repeatsLive(a) && answersRequest(c) && c.State == v1alpha1.CycleRetryScheduled)
}

// answersRequest reports whether somebody asked for a cycle.
func answersRequest(c v1alpha1.DeliveryCycle) bool {
	return c.RequestNonce != "" || c.OverwriteNonce != ""
}

// removalWanted reports whether the post is to be taken back: somebody asks for it, has asked for it and the cycle has not succeeded, or
// the article is archived and its Site takes the posts of archived articles back.
func removalWanted(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	if !Published(a) && !Uncertain(a) {
		return false
	}
	return UnpublishRequested(a) || isArchived(a) && site.UnpublishesArchived() ||
		removalRequested(a) && !(removalFailed(a) && RedeliveryRequested(a))
}

// removalRequested reports whether the last cycle answers a request to take the post back, and has not done so yet.
func removalRequested(a *v1alpha1.Article) bool {
	return answersRequest(CycleOf(a)) && Removing(a, v1alpha1.CycleInProgress, v1alpha1.CycleRetryScheduled, v1alpha1.CycleFailed)
}

// removalFailed reports whether the last cycle was to take the post back and failed, and nobody has asked for that again.
func removalFailed(a *v1alpha1.Article) bool {
	return Removing(a, v1alpha1.CycleFailed) && !UnpublishRequested(a)
}

// wantedInDoubt returns what ends the doubt about what the site has. A text that was accepted before is sent again: it was approved,
// unless somebody has taken the post back. If nothing was accepted before and nothing is wanted, the post is taken back. While another text
// waits for its review, or if the post is at another address, nothing is sent.
func wantedInDoubt(a *v1alpha1.Article, to Target, text Want) Want {
	have := Have(a)
	switch {
	case to.Mode != Pull && (have.Name == "" || have.Name != to.Post):
		return text
	case Held(a) && (to.Removes || to.Mode == Pull):
		return Want{Kind: WantRemove, Until: text.Until}
	case Held(a):
		return text
	case have.Revision != nil:
		return Want{Kind: WantPut, Revision: *have.Revision, Until: text.Until}
	case to.Mode == Pull:
		return Want{Kind: WantRemove, Until: text.Until}
	case to.Mode != Push || !to.Removes || awaitsReview(a, text):
		return text
	default:
		return Want{Kind: WantRemove, Until: text.Until}
	}
}

// awaitsReview reports whether the text that is not wanted waits for its review, or for its revision.
func awaitsReview(a *v1alpha1.Article, text Want) bool {
	if isDraft(a) || reviewOf(a, nil) == rejected {
		return false
	}
	switch text.Reason {
	case v1alpha1.ReasonContentChanged, v1alpha1.ReasonNotApproved, v1alpha1.ReasonNoRevision:
		return true
	case v1alpha1.ReasonNotRequested:
		maybe := Have(a).Maybe
		return reviewOf(a, nil) != approved && !(maybe != nil && maybe.Revision != nil && a.Status.Revision != nil &&
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

// pursuedBy reports whether a cycle is to bring about what is wanted.
func (w Want) pursuedBy(c v1alpha1.DeliveryCycle) bool {
	switch w.Kind {
	case WantPut:
		return puts(c, w.Revision.Digest)
	case WantRemove:
		return c.Purpose == v1alpha1.PurposeRemove
	default:
		return false
	}
}

// answeredBy reports whether a cycle has failed to bring about what is wanted, and nothing has happened since that makes another one worth
// while.
func (w Want) answeredBy(c v1alpha1.DeliveryCycle, site *v1alpha1.Site) bool {
	return w.pursuedBy(c) && !w.Requested && c.State == v1alpha1.CycleFailed && !connectionChanged(&c, site)
}
