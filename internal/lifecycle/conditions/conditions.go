// Package conditions sets the conditions of all kinds of objects, and says what follows from their reasons: the table Reasons. Pure.
package conditions

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

// Set sets a condition of an object of this generation. The transition time is now if the status changes. The
// message is cut to v1alpha1.MaxConditionMessageBytes of JSON.
func Set(conditions *[]metav1.Condition, generation int64, now time.Time, c metav1.Condition) {
	c.ObservedGeneration, c.Message = generation, bounds.Cut(c.Message, v1alpha1.MaxConditionMessageBytes)
	if old := meta.FindStatusCondition(*conditions, c.Type); old == nil || old.Status != c.Status {
		c.LastTransitionTime = metav1.NewTime(now)
	}
	meta.SetStatusCondition(conditions, c)
}

// True returns a condition that is True, without its type. The message may be longer than a condition can hold: Set cuts it.
func True(reason, message string) metav1.Condition {
	return metav1.Condition{Status: metav1.ConditionTrue, Reason: reason, Message: message}
}

// False is True for a condition that is False.
func False(reason, message string) metav1.Condition {
	return metav1.Condition{Status: metav1.ConditionFalse, Reason: reason, Message: message}
}

// Setter sets the conditions of one object, as Set does.
type Setter struct {
	// Conditions of the object's status.
	Conditions *[]metav1.Condition
	// Generation of the object, which its conditions will have observed.
	Generation int64
	// Now is the transition time of conditions whose status changes.
	Now time.Time
}

// Set sets a condition of a type.
func (s Setter) Set(kind string, c metav1.Condition) {
	c.Type = kind
	Set(s.Conditions, s.Generation, s.Now, c)
}

// SetIf sets a condition that is present only while it is True, with the reason and message of another one.
func (s Setter) SetIf(holds bool, kind string, c metav1.Condition) {
	if !holds {
		meta.RemoveStatusCondition(s.Conditions, kind)
		return
	}
	s.Set(kind, True(c.Reason, c.Message))
}
