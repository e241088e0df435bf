package lifecycle

import (
	"cmp"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// situation is where an article stands between what is wanted of its site, what the site has and what the last cycle does: one value for
// each question. The conditions Published, UpToDate and Ready, the phase, what a person may do and the sentence about it are read from the
// rows of its values (texts and standings).
type situation struct {
	// text is how far the text has come that the manifest asks for.
	text progress
	// sending is how sending that text stands.
	sending sending
	// standing is what the site has, compared with what it should have.
	standing standing
}

// sending is how sending the current text to a site that does not have it stands.
type sending string

const (
	sendingNone       sending = ""           // no attempt was made, or it was dropped or waits for its retry
	sendingInProgress sending = "InProgress" // an attempt is in progress
	sendingFailed     sending = "Failed"     // the cycle has failed, and nobody has asked for another one
	sendingAsked      sending = "Asked"      // sendingFailed with a request that is not handled yet
)

// standing is what a site has of an article, compared with what it should have, and what is done about it.
type standing string

const (
	standingAbsent            standing = "Absent"            // the site has nothing, and nothing was taken back
	standingTakenBack         standing = "TakenBack"         // the post was taken back, and nobody asks for it again
	standingRemovalDue        standing = "RemovalDue"        // the post is to be taken back
	standingRemovalInProgress standing = "RemovalInProgress" // an attempt to take the post back is in progress
	standingRemovalFailed     standing = "RemovalFailed"     // the post could not be taken back
	standingRestoreDue        standing = "RestoreDue"        // another attempt may have replaced the accepted text, which is sent again
	standingRestoring         standing = "Restoring"         // an attempt to send the accepted text again is in progress
	standingUncertain         standing = "Uncertain"         // nobody knows what the site has
	standingPending           standing = "Pending"           // the site is to have another text than the accepted one
	standingChanged           standing = "Changed"           // somebody has changed the post in the CMS
	standingFrozen            standing = "Frozen"            // the manifest asks for another text, and the site is not updated
	standingUpToDate          standing = "UpToDate"          // the site has the text that the manifest asks for
)

// situationOf returns the situation of an article. site is nil if it does not exist.
func situationOf(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) situation {
	s := situation{text: textOf(a, site, now), sending: sendingOf(a, site)}
	s.standing = s.standingOf(a, site)
	return s
}

func sendingOf(a *v1alpha1.Article, site *v1alpha1.Site) sending {
	c, aim := CycleOf(a), AimOf(a)
	switch {
	case c.State == v1alpha1.CycleInProgress && (aim == AimCurrent || c.Purpose == v1alpha1.PurposePut && !Published(a)):
		return sendingInProgress
	case !DeliveryFailed(a, site):
		return sendingNone
	case RedeliveryRequested(a):
		return sendingAsked
	default:
		return sendingFailed
	}
}

// standingOf compares what the site has with what it should have. The first rule that holds wins.
func (s situation) standingOf(a *v1alpha1.Article, site *v1alpha1.Site) standing {
	if is := standingOfRemoval(a, site); is != "" {
		return is
	}
	if is := s.standingInDoubt(a, site); is != "" {
		return is
	}
	switch c := CycleOf(a); {
	case Unpublished(a) && (HoldOf(a) != "" && !RedeliveryRequested(a) || a.Spec.Stage != v1alpha1.StagePublished):
		return standingTakenBack
	case !Published(a):
		return standingAbsent
	case Pending(a, site):
		return standingPending
	case c.State == v1alpha1.CycleFailed && c.Reason == v1alpha1.ReasonChangedAtSite:
		return standingChanged
	case pendingUpdate(a) != "":
		return standingFrozen
	default:
		return standingUpToDate
	}
}

// standingOfRemoval is empty if the post is not to be taken back. Of what was never accepted, only the attempts count.
func standingOfRemoval(a *v1alpha1.Article, site *v1alpha1.Site) standing {
	published, how := Published(a), removalOf(a, site)
	switch {
	case !published && (AimOf(a) != AimRemove || CycleOf(a).State.Ended()), published && how == removalNone:
		return ""
	case how == removalInProgress:
		return standingRemovalInProgress
	case published && how == removalFailed:
		return standingRemovalFailed
	default:
		return standingRemovalDue
	}
}

// standingInDoubt is empty if it is known what the site has, or if an attempt will end the doubt.
func (s situation) standingInDoubt(a *v1alpha1.Article, site *v1alpha1.Site) standing {
	c, repeats := CycleOf(a), AimOf(a) == AimRepeat
	switch {
	case Have(a).State != v1alpha1.PostUncertain:
		return ""
	case repeats && c.State == v1alpha1.CycleInProgress:
		return standingRestoring
	case repeats && c.State == v1alpha1.CycleRetryScheduled:
		return standingRestoreDue
	case c.State == v1alpha1.CycleInProgress, c.State == v1alpha1.CycleRetryScheduled, s.sendsUpdate(a, site):
		return ""
	case s.sending == sendingFailed && c.Reason == v1alpha1.ReasonChangedAtSite && Pending(a, site):
		return "" // A person has changed the post, which says more.
	default:
		return standingUncertain
	}
}

// sendsUpdate reports whether another text is to be sent to a site that has accepted one.
func (s situation) sendsUpdate(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return s.text == textDue && s.sending != sendingFailed && a.Spec.Stage == v1alpha1.StagePublished && Pending(a, site)
}

// Phase summarizes an article. It never reads the stored phase, so it is also right between a change of the spec and the controller's
// answer to it (docs/reference/article.md, Phase). site is nil if it is not known: whether the approvals suffice is then read from the
// condition Approved.
func Phase(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) v1alpha1.ArticlePhase {
	switch {
	case a.Spec.Stage == v1alpha1.StageArchived:
		return v1alpha1.PhaseArchived
	case Published(a):
		return v1alpha1.PhasePublished
	default:
		return TextPhase(a, site, now)
	}
}

// TextPhase is the phase of an article whose current text the site does not have.
func TextPhase(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) v1alpha1.ArticlePhase {
	text := textOf(a, site, now)
	if text != textGenerating && DeliveryFailed(a, site) {
		return v1alpha1.PhaseFailed
	}
	return texts[text].phase
}

// DeliveryFailed reports whether delivering the current revision, which the site does not have, ended in failure.
func DeliveryFailed(a *v1alpha1.Article, site *v1alpha1.Site) bool {
	return AimOf(a) == AimCurrent && CycleOf(a).State == v1alpha1.CycleFailed && current(a, site)
}

// textRow is what an article says of the text that the manifest asks for, while its site does not have it.
type textRow struct {
	phase     v1alpha1.ArticlePhase // of the article, unless it is published
	published sentence              // the condition Published, while publication is asked for
	upToDate  sentence              // the condition UpToDate of a published article
	ready     sentence              // the condition Ready of an article that is not published
}

// sentence is a condition of an article, without its type: its status, reason and message.
type sentence func(summary) metav1.Condition

// says always returns the same.
func says(status metav1.ConditionStatus, reason, message string) sentence {
	return func(summary) metav1.Condition {
		return metav1.Condition{Status: status, Reason: reason, Message: message}
	}
}

// like returns the message of a condition of another type, and its reason unless another one is given.
func like(kind string, status metav1.ConditionStatus, reason string) sentence {
	return func(s summary) metav1.Condition {
		c := s.condition(kind)
		return metav1.Condition{Status: status, Reason: cmp.Or(reason, c.Reason), Message: c.Message}
	}
}

// unreviewed says which text waits for its review. If the decision in the manifest is about another text, that is the reason, unless it is
// the decision about the text that the site has, which stays while an update waits.
func unreviewed(status metav1.ConditionStatus) sentence {
	return func(s summary) metav1.Condition {
		a, reason := s.article, v1alpha1.ReasonAwaitingReview
		if s.condition(approved).Reason == v1alpha1.ReasonContentChanged && !(Published(a) && lastDecision(a).Digest == LiveDigest(a)) {
			reason = v1alpha1.ReasonContentChanged
		}
		return like(approved, status, reason)(s)
	}
}

const (
	yes, no             = metav1.ConditionTrue, metav1.ConditionFalse
	generated, approved = v1alpha1.ConditionGenerated, v1alpha1.ConditionApproved
)

var (
	notApproved    = says(no, v1alpha1.ReasonNotApproved, "waits for the approval of the current revision")
	readyAtItsTime = like(v1alpha1.ConditionPublished, yes, v1alpha1.ReasonScheduled)
	draft          = says(yes, v1alpha1.ReasonDraft, "the author keeps the article as a draft")
)

// texts has a row for each progress.
var texts = map[progress]textRow{
	textGenerating:       {v1alpha1.PhaseGenerating, notApproved, like(generated, no, ""), like(generated, no, "")},
	textGenerationFailed: {v1alpha1.PhaseFailed, notApproved, like(generated, no, ""), summary.generationFailed},
	textRejected:         {v1alpha1.PhaseRejected, notApproved, like(approved, no, ""), like(approved, yes, v1alpha1.ReasonRejected)},
	textDraft:            {v1alpha1.PhaseDraft, notApproved, summary.notRequested, draft},
	textDraftUnfinished:  {v1alpha1.PhaseDraft, notApproved, like(approved, no, ""), draft},
	textUnfinished:       {v1alpha1.PhaseReview, notApproved, like(approved, no, ""), like(approved, no, "")},
	textUnreviewed:       {v1alpha1.PhaseReview, notApproved, unreviewed(no), unreviewed(yes)},
	textPartlyApproved:   {v1alpha1.PhaseReview, notApproved, like(approved, no, ""), like(approved, yes, "")},
	textNotRequested:     {v1alpha1.PhaseApproved, summary.notRequested, summary.notRequested, summary.readyToRequest},
	textHeld:             {v1alpha1.PhaseApproved, summary.takenBack, summary.takenBack, summary.asPublished},
	textScheduled:        {v1alpha1.PhaseScheduled, summary.scheduled, summary.scheduled, readyAtItsTime},
	textDue:              {v1alpha1.PhaseApproved, summary.delivering, summary.publishing, summary.asPublished},
}

// standings has the condition UpToDate of each standing; nil if there is none.
var standings = map[standing]sentence{
	standingAbsent:            nil,
	standingTakenBack:         nil,
	standingRemovalDue:        summary.removalDue,
	standingRemovalInProgress: summary.removing,
	standingRemovalFailed:     summary.removalFailed,
	standingRestoreDue:        summary.waiting,
	standingRestoring:         summary.restoring,
	standingUncertain:         summary.uncertain,
	standingPending:           summary.pending,
	standingChanged:           says(no, v1alpha1.ReasonChangedAtSite, "somebody has changed the post in the CMS, and it stays so"),
	standingFrozen:            summary.frozen,
	standingUpToDate:          says(yes, v1alpha1.ReasonUpToDate, "the site has the text that the manifest asks for"),
}
