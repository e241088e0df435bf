// Package conditions sets the conditions of all kinds of objects, and says what follows from their reasons: the table Reasons. Pure.
package conditions

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
)

// True returns a condition that is True, without its type. The message may be longer than a condition can hold: Set cuts it.
func True(reason, message string) metav1.Condition {
	return metav1.Condition{Status: metav1.ConditionTrue, Reason: reason, Message: message}
}

// False is True for a condition that is False.
func False(reason, message string) metav1.Condition {
	return metav1.Condition{Status: metav1.ConditionFalse, Reason: reason, Message: message}
}

// Setter sets the conditions of one object.
type Setter struct {
	// Conditions of the object's status.
	Conditions *[]metav1.Condition
	// Generation of the object, which its conditions will have observed.
	Generation int64
	// Now is the transition time of conditions whose status changes.
	Now time.Time
}

// Set sets a condition of a type. Its message is cut to v1alpha1.MaxConditionMessageBytes of JSON.
func (s Setter) Set(kind string, c metav1.Condition) {
	c.Type, c.ObservedGeneration, c.Message = kind, s.Generation, bounds.Cut(c.Message, v1alpha1.MaxConditionMessageBytes)
	if old := meta.FindStatusCondition(*s.Conditions, kind); old == nil || old.Status != c.Status {
		c.LastTransitionTime = metav1.NewTime(s.Now)
	}
	meta.SetStatusCondition(s.Conditions, c)
}

// SetIf sets a condition that is present only while it is True, with the reason and message of another one.
func (s Setter) SetIf(holds bool, kind string, c metav1.Condition) {
	if !holds {
		meta.RemoveStatusCondition(s.Conditions, kind)
		return
	}
	s.Set(kind, True(c.Reason, c.Message))
}
