package ledger

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

// lastMinute returns the times that still count: those less than 60 seconds ago. A replica whose clock is fast may have
// left times that are yet to come; they count too, but a clock that is a minute off does not lock the account.
func lastMinute(times []metav1.MicroTime, now time.Time) []metav1.MicroTime {
	kept := make([]metav1.MicroTime, 0, len(times)+1)
	for _, t := range times {
		if age := now.Sub(t.Time); age < time.Minute && age > -time.Minute {
			kept = append(kept, t)
		}
	}
	return kept
}

// insert keeps the oldest first, whatever the clocks of the replicas say.
func insert(times []metav1.MicroTime, now time.Time) []metav1.MicroTime {
	i := len(times)
	for i > 0 && times[i-1].After(now) {
		i--
	}
	return slices.Insert(times, i, metav1.NewMicroTime(now))
}

// CountsInMinute reports whether a pending charge is one of the calls of the last 60 seconds. While it is, it must stay
// pending: a repeat of the call that was held up on another replica, after it found no Article, then meets its own charge
// and takes no second one.
func CountsInMinute(u *v1alpha1.AccountUsage, p v1alpha1.PendingCharge, now time.Time) bool {
	return slices.ContainsFunc(lastMinute(u.Minute, now), func(t metav1.MicroTime) bool { return t.Equal(&p.At) })
}
