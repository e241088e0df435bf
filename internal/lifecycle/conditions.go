package lifecycle

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// SetCondition sets a condition of an object of this generation. The transition time is now if the status changes. The
// message is cut to v1alpha1.MaxConditionMessageBytes of JSON.
func SetCondition(conditions *[]metav1.Condition, generation int64, now time.Time, c metav1.Condition) {
	c.ObservedGeneration, c.Message = generation, Bounded(c.Message, v1alpha1.MaxConditionMessageBytes)
	if old := meta.FindStatusCondition(*conditions, c.Type); old == nil || old.Status != c.Status {
		c.LastTransitionTime = metav1.NewTime(now)
	}
	meta.SetStatusCondition(conditions, c)
}

// conditionState is a condition without its type.
type conditionState struct {
	status  metav1.ConditionStatus
	reason  string
	message string
}

func isTrue(reason, message string) conditionState {
	return conditionState{metav1.ConditionTrue, reason, message}
}

func isFalse(reason, message string) conditionState {
	return conditionState{metav1.ConditionFalse, reason, message}
}

func blockedBy(b *BlockedError) conditionState { return isFalse(b.Reason, b.Message) }

// conditionSetter sets the conditions of one object.
type conditionSetter struct {
	conditions *[]metav1.Condition
	generation int64
	now        time.Time
}

func (s conditionSetter) set(kind string, c conditionState) {
	SetCondition(s.conditions, s.generation, s.now, metav1.Condition{Type: kind, Status: c.status, Reason: c.reason, Message: c.message})
}

// setIf sets a condition that is present only while it is True, with the reason and message of another one.
func (s conditionSetter) setIf(holds bool, kind string, c conditionState) {
	if !holds {
		meta.RemoveStatusCondition(s.conditions, kind)
		return
	}
	s.set(kind, isTrue(c.reason, c.message))
}
