// Package connectiontest is the state machine of the test of a Site's connection: when one is due, how it is recorded, and what it says of
// the connection. Pure.
package connectiontest

import (
	"cmp"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/bounds"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// The steps of the site controller, beside lifecycle.Wait.
const (
	// Start tests the site's connection.
	Start lifecycle.Step = "StartTest"
	// Follow follows a test that is in progress.
	Follow lifecycle.Step = "FollowTest"
)

// Testing is how the connection of a Site can be tested.
type Testing struct {
	// Possible reports whether it can be tested at all.
	Possible bool
	// Hash identifies the settings of the connection.
	Hash string
	// OnChange reports whether changed settings are tested without a request.
	OnChange bool
}

// Next decides whether a site's connection is to be tested. Conditions are written in any case.
func Next(s *v1alpha1.Site, t Testing) lifecycle.Decision {
	switch last := s.Status.ConnectionTest; {
	case last != nil && last.Outcome == v1alpha1.AttemptInProgress:
		return lifecycle.Decision{Step: Follow}
	case !s.DeletionTimestamp.IsZero(), !t.Possible:
		return lifecycle.Decision{Step: lifecycle.Wait}
	case Requested(s), t.OnChange && (last == nil || last.ConnectionHash != t.Hash):
		return lifecycle.Decision{Step: Start}
	default:
		return lifecycle.Decision{Step: lifecycle.Wait}
	}
}

// Requested reports whether a nonce asks for a test that has not begun.
func Requested(s *v1alpha1.Site) bool {
	return command.Requested(s, s.Status.HandledRequests, v1alpha1.TestConnectionAnnotation)
}

// Begin writes a test of the site's connection ahead. hash identifies the settings that are tested.
func Begin(s *v1alpha1.Site, hash string, by cycles.AttemptID, now time.Time) {
	command.MarkHandled(s, &s.Status.HandledRequests, v1alpha1.TestConnectionAnnotation)
	s.Status.ConnectionTest = &v1alpha1.ConnectionTest{
		ConnectionHash: hash,
		ID:             by.ID, Holder: by.Holder, StartTime: v1alpha1.NewMicroTime(now),
		AttemptResult: v1alpha1.AttemptResult{Outcome: v1alpha1.AttemptInProgress},
	}
}

// End records how the test ended. There are no retries: a new nonce asks for another test.
func End(s *v1alpha1.Site, e cycles.End) {
	t := s.Status.ConnectionTest
	t.Holder, t.AttemptResult, t.Snippet = "", cycles.BoundedResult(e.AttemptResult), bounds.Cut(e.Snippet, v1alpha1.MaxSnippetBytes)
}

// Connected returns what the last test says of the connection whose settings have this hash: status, reason and message of the
// condition Connected.
func Connected(s *v1alpha1.Site, hash string) (metav1.ConditionStatus, string, string) {
	const how = "; " + v1alpha1.TestConnectionAnnotation + " tests it"
	t := s.Status.ConnectionTest
	switch {
	case t == nil:
		return metav1.ConditionUnknown, v1alpha1.ReasonNotTested, "the connection has not been tested" + how
	case t.Outcome == v1alpha1.AttemptInProgress:
		return metav1.ConditionUnknown, v1alpha1.ReasonTesting, "a test is in progress"
	case t.ConnectionHash != hash:
		return metav1.ConditionUnknown, v1alpha1.ReasonNotTested, "the connection has changed since it was tested" + how
	case t.Outcome == v1alpha1.AttemptAccepted:
		return metav1.ConditionTrue, v1alpha1.ReasonReceiverAccepted, cmp.Or(t.Message, "the receiver accepted the test")
	case t.Outcome == v1alpha1.AttemptNotSent:
		return metav1.ConditionUnknown, v1alpha1.ReasonNotTested, t.Message
	case t.Outcome == v1alpha1.AttemptUnknown:
		return metav1.ConditionUnknown, v1alpha1.ReasonOutcomeUnknown, t.Message
	default:
		return metav1.ConditionFalse, FailureReason(t.AttemptResult), t.Message
	}
}

// FailureReason is the reason of a condition of a site for a test or a delivery that failed.
func FailureReason(r v1alpha1.AttemptResult) string {
	if conditions.Reasons[string(r.ErrorClass)].FromCMS {
		return string(r.ErrorClass)
	}
	switch r.Outcome {
	case v1alpha1.AttemptRejected:
		return v1alpha1.ReasonReceiverRejected
	case v1alpha1.AttemptTimeout:
		return v1alpha1.ReasonTimeout
	case v1alpha1.AttemptAddressBlocked:
		return v1alpha1.ReasonAddressBlocked
	default:
		return v1alpha1.ReasonConnectionFailed
	}
}
