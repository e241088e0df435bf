package ledger

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
