package lifecycle

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// Obstacle is something outside the article that keeps a step from being done: a reason of the condition that waits for
// it, and a message. The zero value is none.
type Obstacle struct {
	Reason  string
	Message string
}

// Obstacles are what reconcilers found in the way of a due step.
type Obstacles struct {
	// Content keeps the author's content from becoming a revision.
	Content Obstacle
	// Generation keeps a due run from starting.
	Generation Obstacle
	// Publication keeps a due attempt from starting.
	Publication Obstacle
}

// What is told of a due step that nothing outside keeps from starting: it waits for a place.
var (
	// NoSlotAtGenerator is that of a run.
	NoSlotAtGenerator = Obstacle{v1alpha1.ReasonGenerating, "a run is due, and starts when the generator has a free place"}
	// NoSlotAtReceiver is that of an attempt.
	NoSlotAtReceiver = Obstacle{v1alpha1.ReasonProgressing, "delivery is due, and starts when the receiver has a free place"}
)

// state is a condition to be set.
type state struct {
	status  metav1.ConditionStatus
	reason  string
	message string
}

func yes(reason, message string) state { return state{metav1.ConditionTrue, reason, message} }
func no(reason, message string) state  { return state{metav1.ConditionFalse, reason, message} }

// Summarize sets the conditions, the phase and the observed generation from the article's facts. It is called in the same
// write as every change of a fact. What an earlier reconcile found in the way stays until the step is done or another
// obstacle is found.
func Summarize(a *v1alpha1.Article, site *v1alpha1.Site, now time.Time, found Obstacles) {
	s := summary{article: a, site: site, now: now, found: found}
	s.noteRedelivery()
	s.conditions()
	if fit(a) {
		// What conditions say may be of what was shortened.
		s.conditions()
		fit(a)
	}
}

// conditions sets them, the phase and the observed generation.
func (s summary) conditions() {
	a := s.article
	if generated, ok := s.generated(); ok {
		s.set(v1alpha1.ConditionGenerated, generated)
	} else {
		meta.RemoveStatusCondition(&a.Status.Conditions, v1alpha1.ConditionGenerated)
	}
	s.set(v1alpha1.ConditionApproved, s.approved())
	s.set(v1alpha1.ConditionPublished, s.published())
	ready := s.ready()
	s.set(v1alpha1.ConditionReady, ready)
	s.setWhileTrue(v1alpha1.ConditionReconciling, ready.status == metav1.ConditionFalse && !stalling(ready.reason), ready)
	s.setWhileTrue(v1alpha1.ConditionStalled, ready.status == metav1.ConditionFalse && stalling(ready.reason), ready)
	a.Status.ObservedGeneration = a.Generation
	a.Status.Phase = Phase(a, s.now)
}

// maxConditionBytes bounds the messages of conditions, as JSON.
const maxConditionBytes = 384

type summary struct {
	article *v1alpha1.Article
	site    *v1alpha1.Site
	now     time.Time
	found   Obstacles
}

func (s summary) set(kind string, c state) {
	// The transition time is the clock's, so that a fake one rules in tests.
	condition := metav1.Condition{
		Type: kind, Status: c.status, Reason: c.reason, Message: Bounded(c.message, maxConditionBytes),
		ObservedGeneration: s.article.Generation,
	}
	old := meta.FindStatusCondition(s.article.Status.Conditions, kind)
	if old == nil || old.Status != condition.Status {
		condition.LastTransitionTime = metav1.NewTime(s.now)
	}
	meta.SetStatusCondition(&s.article.Status.Conditions, condition)
}

func (s summary) setWhileTrue(kind string, holds bool, ready state) {
	if !holds {
		meta.RemoveStatusCondition(&s.article.Status.Conditions, kind)
		return
	}
	s.set(kind, yes(ready.reason, ready.message))
}

// kept returns the obstacle that was found just now, else the one that the condition still tells of.
func (s summary) kept(kind string, found Obstacle, obstacles ...string) (Obstacle, bool) {
	if found.Reason != "" {
		return found, true
	}
	c := meta.FindStatusCondition(s.article.Status.Conditions, kind)
	if c == nil || c.Status != metav1.ConditionFalse {
		return Obstacle{}, false
	}
	if !slices.Contains(obstacles, c.Reason) {
		return Obstacle{}, false
	}
	return Obstacle{c.Reason, c.Message}, true
}

// generated says how the generator's run stands; it is absent where nothing was ever asked of the generator.
func (s summary) generated() (state, bool) {
	a := s.article
	g := a.Status.Generation
	if RunOpen(a) {
		return no(v1alpha1.ReasonGenerating, runMessage(g)), true
	}
	if RunWanted(a) {
		return s.runWaiting(g), true
	}
	if g == nil {
		return state{}, false
	}
	switch g.State {
	case v1alpha1.RunSucceeded:
		return yes(v1alpha1.ReasonSucceeded, writtenBy(g)), true
	case v1alpha1.RunSuperseded:
		return no(v1alpha1.ReasonSuperseded, "the author's own text took the place of the run"), true
	default:
		return no(g.Reason, g.Message), true
	}
}

func (s summary) runWaiting(g *v1alpha1.GenerationRun) state {
	if o, ok := s.kept(v1alpha1.ConditionGenerated, s.found.Generation, v1alpha1.ReasonInsufficientCredits,
		v1alpha1.ReasonDailyLimitReached, v1alpha1.ReasonNotAWorkspace, v1alpha1.ReasonAccountNotFound, v1alpha1.ReasonSecretNotFound,
		v1alpha1.ReasonQueued, v1alpha1.ReasonBackendRejected); ok {
		return no(o.Reason, o.Message)
	}
	if g != nil && g.State == v1alpha1.RunRetryScheduled && g.NextAttemptAt != nil {
		return no(v1alpha1.ReasonRetryScheduled, fmt.Sprintf("attempt %d failed (%s: %s); the next one is due at %s",
			g.Attempt, g.Reason, g.Message, g.NextAttemptAt.UTC().Format(time.RFC3339)))
	}
	return no(NoSlotAtGenerator.Reason, NoSlotAtGenerator.Message)
}

func runMessage(g *v1alpha1.GenerationRun) string {
	if g.Steps == 0 {
		return fmt.Sprintf("attempt %d is under way", g.Attempt)
	}
	return fmt.Sprintf("attempt %d is under way, step %d of %d", g.Attempt, g.Step, g.Steps)
}

func writtenBy(g *v1alpha1.GenerationRun) string {
	if g.Type == v1alpha1.GeneratorBuiltIn {
		return "written by the built-in generator, which makes an outline without a model"
	}
	return fmt.Sprintf("written by %s (%s)", g.Model, g.Type)
}

func (s summary) approved() state {
	a := s.article
	if a.Status.Revision == nil || revisionWanted(a) {
		return s.noRevision()
	}
	review := a.Spec.Review
	switch reviewVerdict(a) {
	case approved:
		return yes(v1alpha1.ReasonApproved, "approved by "+review.By)
	case rejected:
		return no(v1alpha1.ReasonRejected, withNote("rejected by "+review.By, review.Note))
	}
	if s.site != nil && s.site.Spec.Review.Policy == v1alpha1.ReviewAutomatic {
		return yes(v1alpha1.ReasonAutomatic, "the site's review policy approves every finished revision")
	}
	if reviewVerdict(a) == aboutOther {
		return no(v1alpha1.ReasonContentChanged, fmt.Sprintf("the %s by %s was about other content than %s",
			noun(review.Decision), review.By, a.Status.Revision.Digest))
	}
	return no(v1alpha1.ReasonAwaitingReview, "waits for a reviewer's word on "+a.Status.Revision.Digest)
}

// noRevision says why there is nothing to review.
func (s summary) noRevision() state {
	if o := s.found.Content; o.Reason != "" {
		return no(o.Reason, o.Message)
	}
	return no(v1alpha1.ReasonNoRevision, "there is no finished text to review yet")
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
