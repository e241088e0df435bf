package lifecycle

import (
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Situation is where an article stands between what is wanted of its site, what the site has and what the last cycle does: one value for
// each question. The conditions Published, UpToDate and Ready, the phase, what a person may do and the sentence about it are read from the
// rows of its values (texts and standings).
type Situation struct {
	// Text is how far the text has come that the manifest asks for.
	Text Text
	// Sending is how sending that text stands.
	Sending Sending
	// Standing is what the site has, compared with what it should have.
	Standing Standing
}

// Sending is how sending the current text to a site that does not have it stands.
type Sending string

const (
	// SendingNone means that no attempt was made, or that it was dropped or waits for its retry.
	SendingNone Sending = ""
	// SendingInProgress means that an attempt is in progress.
	SendingInProgress Sending = "InProgress"
	// SendingFailed means that the cycle has failed, and nobody has asked for another one.
	SendingFailed Sending = "Failed"
	// SendingAsked is SendingFailed with a request that is not handled yet.
	SendingAsked Sending = "Asked"
)

// Standing is what a site has of an article, compared with what it should have, and what is done about it.
type Standing string

const (
	// StandingAbsent means that the site has nothing, and that nothing was taken back.
	StandingAbsent Standing = "Absent"
	// StandingTakenBack means that the post was taken back, and nobody asks for it again.
	StandingTakenBack Standing = "TakenBack"
	// StandingRemovalDue means that the post is to be taken back.
	StandingRemovalDue Standing = "RemovalDue"
	// StandingRemovalInProgress means that an attempt to take the post back is in progress.
	StandingRemovalInProgress Standing = "RemovalInProgress"
	// StandingRemovalFailed means that the post could not be taken back.
	StandingRemovalFailed Standing = "RemovalFailed"
	// StandingRestoreDue means that the accepted text is to be sent again, because another attempt may have replaced it.
	StandingRestoreDue Standing = "RestoreDue"
	// StandingRestoring means that an attempt to send the accepted text again is in progress.
	StandingRestoring Standing = "Restoring"
	// StandingUncertain means that nobody knows what the site has.
	StandingUncertain Standing = "Uncertain"
	// StandingPending means that the site has the accepted text, and is to have the one that the manifest asks for.
	StandingPending Standing = "Pending"
	// StandingChanged means that somebody has changed the post in the CMS.
	StandingChanged Standing = "Changed"
	// StandingFrozen means that the manifest asks for another text, and the site is not updated.
	StandingFrozen Standing = "Frozen"
	// StandingUpToDate means that the site has the text that the manifest asks for.
	StandingUpToDate Standing = "UpToDate"
)

// SituationOf returns the situation of an article. site is nil if it does not exist.
func SituationOf(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) Situation {
	s := Situation{Text: textOf(a, site, now), Sending: sendingOf(a, site)}
	s.Standing = s.standingOf(a, site)
	return s
}

func sendingOf(a *v1alpha1.Article, site *v1alpha1.Site) Sending {
	c, aim := CycleOf(a), AimOf(a)
	switch {
	case c.State == v1alpha1.CycleInProgress && (aim == AimCurrent || c.Purpose == v1alpha1.PurposePut && !Published(a)):
		return SendingInProgress
	case !DeliveryFailed(a, site):
		return SendingNone
	case RedeliveryAsked(a):
		return SendingAsked
	default:
		return SendingFailed
	}
}

// standingOf compares what the site has with what it should have. The first rule that holds wins.
func (s Situation) standingOf(a *v1alpha1.Article, site *v1alpha1.Site) Standing {
	if standing := standingOfRemoval(a, site); standing != "" {
		return standing
	}
	if standing := s.standingInDoubt(a, site); standing != "" {
		return standing
	}
	switch c := CycleOf(a); {
	case Unpublished(a) && (HoldOf(a) != "" && !RedeliveryAsked(a) || a.Spec.Stage != v1alpha1.StagePublished):
		return StandingTakenBack
	case !Published(a):
		return StandingAbsent
	case Pending(a, site):
		return StandingPending
	case c.State == v1alpha1.CycleFailed && c.Reason == v1alpha1.ReasonChangedAtSite:
		return StandingChanged
	case pendingUpdate(a) != "":
		return StandingFrozen
	default:
		return StandingUpToDate
	}
}

// standingOfRemoval is empty if the post is not to be taken back. Of what was never accepted, only the attempts count.
func standingOfRemoval(a *v1alpha1.Article, site *v1alpha1.Site) Standing {
	removal := removalOf(a, site)
	if !Published(a) {
		removal = map[v1alpha1.CycleState]Removal{
			v1alpha1.CycleInProgress: RemovalInProgress, v1alpha1.CycleRetryScheduled: RemovalDue,
		}[CycleOf(a).State]
		if AimOf(a) != AimRemove {
			return ""
		}
	}
	switch removal {
	case RemovalInProgress:
		return StandingRemovalInProgress
	case RemovalFailed:
		return StandingRemovalFailed
	case RemovalDue, RemovalRenewed:
		return StandingRemovalDue
	default:
		return ""
	}
}

// standingInDoubt is empty if it is known what the site has, or if sending another text will end the doubt.
func (s Situation) standingInDoubt(a *v1alpha1.Article, site *v1alpha1.Site) Standing {
	c, repeats := CycleOf(a), AimOf(a) == AimRepeat
	switch {
	case Have(a).State != v1alpha1.PostUncertain:
		return ""
	case repeats && c.State == v1alpha1.CycleInProgress:
		return StandingRestoring
	case repeats && c.State == v1alpha1.CycleRetryScheduled:
		return StandingRestoreDue
	case c.State.Ended() && !(s.due() && a.Spec.Stage == v1alpha1.StagePublished && Pending(a, site)):
		return StandingUncertain
	default:
		return ""
	}
}

// due reports whether the text is to be sent, or could not be.
func (s Situation) due() bool {
	return s.Text == TextDue || s.Text != TextGenerating && s.Sending == SendingFailed
}

// Phase summarizes an article. It never reads the stored phase, so it is also right between a change of the spec and the controller's
// answer to it (docs/reference/article.md, Phase).
func Phase(a *v1alpha1.Article, now time.Time) v1alpha1.ArticlePhase {
	switch {
	case a.Spec.Stage == v1alpha1.StageArchived:
		return v1alpha1.PhaseArchived
	case Published(a):
		return v1alpha1.PhasePublished
	default:
		return TextPhase(a, nil, now)
	}
}

// TextPhase is the phase of an article whose current text the site does not have.
func TextPhase(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time) v1alpha1.ArticlePhase {
	text := textOf(a, site, now)
	if text != TextGenerating && DeliveryFailed(a, site) {
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
	// phase of the article, unless it is published.
	phase v1alpha1.ArticlePhase
	// published is the condition Published, while publication is asked for.
	published func(summary) metav1.Condition
	// upToDate is the condition UpToDate of a published article.
	upToDate func(summary) metav1.Condition
	// ready is the condition Ready of an article that is not published.
	ready func(summary) metav1.Condition
}

// texts has a row for each Text.
var texts = map[Text]textRow{
	TextGenerating:       {v1alpha1.PhaseGenerating, summary.notApproved, summary.asGenerated, summary.asGenerated},
	TextGenerationFailed: {v1alpha1.PhaseFailed, summary.notApproved, summary.asGenerated, summary.generationFailed},
	TextRejected:         {v1alpha1.PhaseRejected, summary.notApproved, summary.asApproved, summary.rejected},
	TextDraft:            {v1alpha1.PhaseDraft, summary.notApproved, summary.notRequested, summary.draft},
	TextDraftUnfinished:  {v1alpha1.PhaseDraft, summary.notApproved, summary.asApproved, summary.draft},
	TextUnfinished:       {v1alpha1.PhaseReview, summary.notApproved, summary.asApproved, summary.asApproved},
	TextUnreviewed:       {v1alpha1.PhaseReview, summary.notApproved, summary.awaitingReview, summary.readyForReview},
	TextNotRequested:     {v1alpha1.PhaseApproved, summary.notRequested, summary.notRequested, summary.readyToRequest},
	TextScheduled:        {v1alpha1.PhaseScheduled, summary.scheduled, summary.scheduled, summary.readyAtItsTime},
	TextDue:              {v1alpha1.PhaseApproved, summary.delivering, summary.publishing, summary.asPublished},
}

// standings has the condition UpToDate of each Standing; nil if there is none.
var standings = map[Standing]func(summary) metav1.Condition{
	StandingAbsent:            nil,
	StandingTakenBack:         nil,
	StandingRemovalDue:        summary.removalDue,
	StandingRemovalInProgress: summary.removing,
	StandingRemovalFailed:     summary.removalFailed,
	StandingRestoreDue:        summary.waiting,
	StandingRestoring:         summary.restoring,
	StandingUncertain:         summary.uncertain,
	StandingPending:           summary.pending,
	StandingChanged:           summary.changed,
	StandingFrozen:            summary.frozen,
	StandingUpToDate:          summary.upToDate,
}
