package lifecycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// Summarize sets the conditions, the phase and the observed generation from the article's facts. It is called in the same
// write as every change of a fact. A blocker that an earlier reconcile found stays until the step is done or another one is
// found.
func Summarize(a *v1alpha1.Article, site *v1alpha1.Site, to Target, now time.Time, found Blockers) {
	s := summary{
		Setter:  conditions.Setter{Conditions: &a.Status.Conditions, Generation: a.Generation, Now: now},
		article: a, site: site, to: to, found: found,
	}
	SyncHold(a)
	s.setRedelivered()
	if generated, ok := s.generated(); ok {
		s.Set(v1alpha1.ConditionGenerated, generated)
	} else {
		meta.RemoveStatusCondition(&a.Status.Conditions, v1alpha1.ConditionGenerated)
	}
	s.Set(v1alpha1.ConditionApproved, s.approved())
	s.is = situationOf(a, site, now) // It reads the condition Approved.
	s.Set(v1alpha1.ConditionPublished, s.published())
	if say := standings[s.is.standing]; say != nil {
		upToDate := say(s)
		upToDate.Message = s.moved(upToDate.Message)
		s.Set(v1alpha1.ConditionUpToDate, upToDate)
	} else {
		meta.RemoveStatusCondition(&a.Status.Conditions, v1alpha1.ConditionUpToDate)
	}
	ready := s.ready()
	s.Set(v1alpha1.ConditionReady, ready)
	notReady, stalled := ready.Status == metav1.ConditionFalse, conditions.Reasons[ready.Reason].Stalls
	s.SetIf(notReady && !stalled, v1alpha1.ConditionReconciling, ready)
	s.SetIf(notReady && stalled, v1alpha1.ConditionStalled, ready)
	slices.SortStableFunc(a.Status.Conditions, inOrder)
	a.Status.ObservedGeneration = a.Generation
	a.Status.Phase = Phase(a, site, s.Now)
}

// Unfinished reports whether the controller has work to do for an article now or at its time, by its status. Everything else waits for a
// person, or for nothing.
func Unfinished(a *v1alpha1.Article) bool {
	return a.Status.ObservedGeneration != a.Generation || a.Status.Phase == v1alpha1.PhaseScheduled ||
		meta.IsStatusConditionTrue(a.Status.Conditions, v1alpha1.ConditionReconciling)
}

// inOrder compares conditions by the order of the workflow, in which kubectl describe then shows them.
func inOrder(a, b metav1.Condition) int {
	way := []string{
		v1alpha1.ConditionGenerated, v1alpha1.ConditionApproved, v1alpha1.ConditionPublished, v1alpha1.ConditionRedelivered,
		v1alpha1.ConditionUpToDate, v1alpha1.ConditionReady, v1alpha1.ConditionReconciling, v1alpha1.ConditionStalled,
	}
	return cmp.Compare(slices.Index(way, a.Type), slices.Index(way, b.Type))
}

type summary struct {
	conditions.Setter
	article *v1alpha1.Article
	site    *v1alpha1.Site
	to      Target
	found   Blockers
	// is the situation of the article, once the conditions Generated and Approved are set.
	is situation
}

// condition returns a condition that is set.
func (s summary) condition(kind string) metav1.Condition {
	return *meta.FindStatusCondition(s.article.Status.Conditions, kind)
}

// blocked returns the blocker that was found just now, else the one that the condition still names, if it lasts.
func (s summary) blocked(kind string, found *BlockedError) *BlockedError {
	if found != nil {
		return found
	}
	c := meta.FindStatusCondition(s.article.Status.Conditions, kind)
	if c == nil || c.Status != metav1.ConditionFalse || !conditions.Reasons[c.Reason].Lasts() {
		return nil
	}
	return &BlockedError{Reason: c.Reason, Message: c.Message}
}

// generated says how the generator's run stands; it is absent if nothing was ever asked of the generator.
func (s summary) generated() (metav1.Condition, bool) {
	a := s.article
	g, making := a.Status.Run, MakingOf(a, s.site)
	switch found := s.found.Generation; {
	case making == RunInProgress && found != nil: // The text is written, and there can be no revision of it for now.
		return found.Condition(), true
	case making == RunInProgress:
		return conditions.False(v1alpha1.ReasonGenerating, runMessage(g)), true
	case making == RunDue:
		return s.runWaiting(g), true
	case g == nil:
		return metav1.Condition{}, false
	}
	switch g.State {
	case v1alpha1.RunSucceeded:
		message := writtenBy(g)
		// Nobody pays for the text that there was.
		if g.Charge == v1alpha1.RefundDue || g.Charge == v1alpha1.Refunded {
			message += "; the text is the same as before, and its credit is given back"
		}
		return conditions.True(v1alpha1.ReasonSucceeded, message), true
	case v1alpha1.RunSuperseded:
		return conditions.False(v1alpha1.ReasonSuperseded, "the author's own text took the place of the run"), true
	default:
		return conditions.False(g.Reason, g.Message), true
	}
}

func (s summary) runWaiting(g *v1alpha1.GenerationRun) metav1.Condition {
	switch {
	case s.article.Spec.Stage == v1alpha1.StageArchived:
		return conditions.False(v1alpha1.ReasonArchived, "no run starts while the article is archived")
	case s.site == nil:
		return s.noSite()
	}
	if b := s.blocked(v1alpha1.ConditionGenerated, s.found.Generation); b != nil {
		return b.Condition()
	}
	if g != nil && g.State == v1alpha1.RunRetryScheduled && g.NextAttemptTime != nil {
		return conditions.False(v1alpha1.ReasonRetryScheduled, fmt.Sprintf("attempt %d failed (%s: %s); the next one is due at %s",
			g.Attempt, g.Reason, g.Message, g.NextAttemptTime.UTC().Format(time.RFC3339)))
	}
	return NoSlotAtGenerator().Condition()
}

func runMessage(g *v1alpha1.GenerationRun) string {
	if g.Steps == 0 {
		return fmt.Sprintf("attempt %d is in progress", g.Attempt)
	}
	return fmt.Sprintf("attempt %d is in progress, step %d of %d", g.Attempt, g.Step, g.Steps)
}

func writtenBy(g *v1alpha1.GenerationRun) string {
	if g.Type == v1alpha1.GeneratorBuiltIn {
		return "written by the built-in generator, which makes an outline without a model"
	}
	return fmt.Sprintf("written by %s (%s)", g.Model, g.Type)
}

func (s summary) approved() metav1.Condition {
	a := s.article
	if !current(a, s.site) {
		return s.noRevision()
	}
	review, decision := a.Spec.Review, ReviewOf(a, s.site)
	switch {
	case decision == ReviewApproved:
		return conditions.True(v1alpha1.ReasonApproved, "approved by "+strings.Join(ApprovalsOf(a, s.site).Given, ", "))
	case decision == ReviewRejected:
		return conditions.False(v1alpha1.ReasonRejected, withNote("rejected by "+review.By, review.Note))
	case s.site != nil && s.site.Spec.Review.Policy == v1alpha1.ReviewAutomatic:
		if failed := gateFailure(a, s.site); failed != "" {
			return conditions.False(v1alpha1.ReasonGateFailed, failed)
		}
		return conditions.True(v1alpha1.ReasonAutomatic, "the site's review policy approves every finished revision that fails no gate")
	case decision == ReviewAwaitingApprovals:
		return conditions.False(v1alpha1.ReasonAwaitingApprovals, ApprovalsOf(a, s.site).String())
	case decision == ReviewStale:
		return conditions.False(v1alpha1.ReasonContentChanged, aboutOtherText(lastDecision(a), a.Status.Revision))
	default:
		return conditions.False(v1alpha1.ReasonAwaitingReview, "waits for a reviewer's decision on "+a.Status.Revision.Digest)
	}
}

// lastDecision is spec.review, or the last of spec.approvals. The article has one of them.
func lastDecision(a *v1alpha1.Article) *v1alpha1.ArticleReview {
	if a.Spec.Review != nil {
		return a.Spec.Review
	}
	return asReview(a.Spec.Approvals[len(a.Spec.Approvals)-1])
}

// aboutOtherText says which text a decision is about, and which one waits for a decision. A rejection without a digest is about every text.
// The name comes last: a message has room for a short one.
func aboutOtherText(review *v1alpha1.ArticleReview, revision *v1alpha1.CurrentRevision) string {
	about := "is for " + short(review.Digest)
	if review.Digest == "" {
		about = "has no digest"
	}
	return fmt.Sprintf("the %s %s, and the text in review is %s; it is by %s",
		noun(review.Decision), about, short(revision.Digest), review.By)
}

// short is the beginning of a digest, which distinguishes the texts of an article: a message has no room for two whole ones.
func short(digest string) string {
	const most = len("sha256:") + 12
	return digest[:min(len(digest), most)] + "…"
}

// noRevision says why there is nothing to review.
func (s summary) noRevision() metav1.Condition {
	if s.found.Content != nil {
		return s.found.Content.Condition()
	}
	return conditions.False(v1alpha1.ReasonNoRevision, "there is no finished text to review yet")
}

func noun(d v1alpha1.ReviewDecision) string {
	if d == v1alpha1.DecisionApproved {
		return "approval"
	}
	return "rejection"
}

func withNote(text, note string) string {
	if note == "" {
		return text
	}
	return text + ": " + note
}
