package eventdelivery

import (
	"time"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/command"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/cycles"
)

// SuspendAfter is how long a receiver may fail before its subscription is suspended.
const SuspendAfter = 5 * 24 * time.Hour

// RecordHealth records in a subscription whether its receiver accepted the last attempt of a delivery, which has ended, and reports whether
// status changed. The subscription is suspended once the receiver has accepted nothing for SuspendAfter and a delivery has used up its
// attempts. The second condition is for rare events: the failure before may have lasted for a minute.
func RecordHealth(s *v1alpha1.EventSubscription, r *v1alpha1.DeliveryRecord, now time.Time) bool {
	at, since := v1alpha1.NewMicroTime(now), s.Status.FailingSince
	switch last := cycles.Last(r); {
	case last.Outcome == v1alpha1.AttemptAccepted:
		s.Status.FailingSince = nil
		return since != nil
	case !blamesReceiver(last.Outcome):
		return false
	case since == nil:
		s.Status.FailingSince = &at
		return true
	case r.Cycle.State == v1alpha1.CycleFailed && s.Status.Suspension == nil && now.Sub(since.Time) >= SuspendAfter:
		s.Status.Suspension = &v1alpha1.Suspension{Time: at, Generation: s.Generation}
		command.MarkHandled(s, &s.Status.HandledRequests, v1alpha1.ResumeAnnotation)
		return true
	default:
		return false
	}
}

// blamesReceiver reports whether a failed attempt says something about the receiver: its answer, its silence or its address.
func blamesReceiver(o v1alpha1.AttemptOutcome) bool {
	switch o {
	case v1alpha1.AttemptRejected, v1alpha1.AttemptTimeout, v1alpha1.AttemptConnectionFailed, v1alpha1.AttemptAddressBlocked:
		return true
	default:
		return false
	}
}
