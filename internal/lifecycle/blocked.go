package lifecycle

import (
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
)

// BlockedError says what must change before a due step can be done. Reconcilers return it as an error; it becomes a condition
// and a time to try again.
type BlockedError struct {
	// Reason of the condition that waits.
	Reason string
	// Message says what is required.
	Message string
	// RetryAfter is when to try again; zero if a watch or a free slot puts the object back into the queue.
	RetryAfter time.Duration
}

// Error returns the reason and the message.
func (b *BlockedError) Error() string { return b.Reason + ": " + b.Message }

// Condition returns the condition that waits, without its type.
func (b *BlockedError) Condition() metav1.Condition { return conditions.False(b.Reason, b.Message) }

// BlockedPoll is how often a blocked step is tried again if no watch reports the change that it waits for, such as a new Secret.
const BlockedPoll = 30 * time.Second

// Blockers block the due steps of an article; nil blocks nothing.
type Blockers struct {
	// Content blocks taking the author's content into a revision.
	Content *BlockedError
	// Generation blocks starting a run.
	Generation *BlockedError
	// Publication blocks starting a delivery attempt.
	Publication *BlockedError
}

// NoSlotAtGenerator blocks a run that waits for only a free slot.
func NoSlotAtGenerator() *BlockedError {
	return &BlockedError{Reason: v1alpha1.ReasonGenerating, Message: "a run is due, and starts when the generator has a free slot"}
}

// NoSlotAtReceiver blocks a delivery attempt that waits for only a free slot.
func NoSlotAtReceiver() *BlockedError {
	return &BlockedError{Reason: v1alpha1.ReasonProgressing, Message: "delivery is due, and starts when the receiver has a free slot"}
}

// GenerationBlocked reports whether status says that the run is blocked by something that an attempt looks for before it asks for a
// slot, such as a missing Secret.
func GenerationBlocked(a *v1alpha1.Article) bool {
	return conditions.ReasonOf(a.Status.Conditions, v1alpha1.ConditionGenerated).FoundBeforeSlot()
}

// AwaitsBrief reports whether status says that the run waits for its Brief, which an attempt reads in its slot.
func AwaitsBrief(a *v1alpha1.Article) bool {
	return conditions.ReasonOf(a.Status.Conditions, v1alpha1.ConditionGenerated).WaitsFor == conditions.NeedBrief
}

// PublicationBlocked reports whether status says that the delivery attempt is blocked, for example by a missing Secret.
func PublicationBlocked(a *v1alpha1.Article) bool {
	return slices.ContainsFunc([]string{v1alpha1.ConditionPublished, v1alpha1.ConditionRedelivered, v1alpha1.ConditionUpToDate},
		func(kind string) bool { return conditions.ReasonOf(a.Status.Conditions, kind).Blocks })
}

// PublicationOutdated reports whether status is about an earlier spec than the one that made an attempt to publish due, or about
// the time before: publishing was not asked for, not approved, or not due yet, or the Site did not exist.
func PublicationOutdated(a *v1alpha1.Article) bool {
	if a.Status.ObservedGeneration != a.Generation {
		return true
	}
	c := meta.FindStatusCondition(a.Status.Conditions, DeliveryCondition(a))
	return c == nil || conditions.Reasons[c.Reason].NotDueYet || UnpublishRequested(a) && c.Reason != v1alpha1.ReasonUnpublishing
}

// DeliveryCondition is the condition that says why the next text of an article is not at its site.
func DeliveryCondition(a *v1alpha1.Article) string {
	if Published(a) || AimOf(a) == AimRemove && !CycleOf(a).State.Ended() {
		return v1alpha1.ConditionUpToDate
	}
	return v1alpha1.ConditionPublished
}

// Awaits reports whether status says that a step of an article waits for this need.
func Awaits(a *v1alpha1.Article, need conditions.Need) bool {
	steps := []string{
		v1alpha1.ConditionGenerated, v1alpha1.ConditionApproved, v1alpha1.ConditionPublished, v1alpha1.ConditionRedelivered,
		v1alpha1.ConditionUpToDate,
	}
	return slices.ContainsFunc(steps, func(kind string) bool { return conditions.ReasonOf(a.Status.Conditions, kind).WaitsFor == need })
}
