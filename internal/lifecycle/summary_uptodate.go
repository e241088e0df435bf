package lifecycle

import (
	"cmp"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// The condition UpToDate, by what the site has.

// leastAddressBytes is the part of an address that tells people which one it is.
const leastAddressBytes = 20

// moved adds to the message of UpToDate the address where the post is and the one of the Site, if they differ, and if a condition has room
// for both.
func (s summary) moved(message string) string {
	have := Have(s.article)
	if !Published(s.article) || s.to.Mode != Push || s.to.Post == "" || have.Name == "" || have.Name == s.to.Post {
		return message
	}
	prefix := message + "; "
	if s.is.standing == standingUpToDate {
		prefix = ""
	}
	const at, but = "the post is at ", ", but the Site is at "
	room := (v1alpha1.MaxConditionMessageBytes - bounds.JSONBytes(prefix) - len(at) - len(but)) / 2
	if room < leastAddressBytes {
		return message
	}
	address := func(url string) string { return bounds.Cut(strings.TrimPrefix(url, "https://"), room) }
	return prefix + at + address(cmp.Or(have.URL, have.Name)) + but + address(s.to.Address)
}

func (s summary) frozen() metav1.Condition {
	return conditions.False(v1alpha1.ReasonUpdatesFrozen, pendingUpdate(s.article)+siteKeeps)
}

// uncertain says that nobody knows what the site has, and why.
func (s summary) uncertain() metav1.Condition {
	b := s.blocked(v1alpha1.ConditionUpToDate, s.found.Publication)
	if b != nil && b.Reason != v1alpha1.ReasonRevisionMissing && conditions.Reasons[b.Reason].Blocks {
		return b.Condition()
	}
	maybe := Have(s.article).Maybe
	if maybe == nil {
		return conditions.False(v1alpha1.ReasonSiteUncertain, "status was restored, and what an attempt did before is lost")
	}
	did := "an attempt may have sent the text: "
	if maybe.Purpose == v1alpha1.PurposeRemove {
		did = "an attempt may have taken the post back: "
	}
	return conditions.False(v1alpha1.ReasonSiteUncertain, did+cmp.Or(cycles.LastMessage(s.record()), "it had no answer"))
}

func (s summary) restoring() metav1.Condition {
	return conditions.False(v1alpha1.ReasonPublishing, cycles.Text(s.record())+" to restore the approved text is in progress")
}

func (s summary) removing() metav1.Condition {
	return conditions.False(v1alpha1.ReasonUnpublishing, cycles.Text(s.record())+" to take the post back is in progress")
}

func (s summary) removalFailed() metav1.Condition {
	state, still := s.deliveryEnded(), "the post is still there: "
	if Have(s.article).State == v1alpha1.PostUncertain {
		still = "the post may still be there: "
	}
	state.Message = still + state.Message
	return state
}

func (s summary) removalDue() metav1.Condition {
	state := s.waiting()
	if state.Reason == v1alpha1.ReasonProgressing {
		return conditions.False(v1alpha1.ReasonUnpublishing, "the post is taken back when the site has a free slot")
	}
	return state
}

// pending says what the other text of a published article waits for.
func (s summary) pending() metav1.Condition {
	switch {
	case s.is.sending == sendingInProgress:
		return conditions.False(v1alpha1.ReasonPublishing, cycles.Text(s.record())+" is in progress")
	case s.is.sending != sendingFailed, s.is.text == textGenerating:
		return texts[s.is.text].upToDate(s)
	case s.article.Spec.Stage != v1alpha1.StagePublished:
		return s.notRequested()
	default:
		return s.deliveryEnded()
	}
}

func (s summary) publishing() metav1.Condition {
	state := s.waiting()
	if state.Reason == v1alpha1.ReasonProgressing {
		state.Reason = v1alpha1.ReasonPublishing
	}
	return state
}
