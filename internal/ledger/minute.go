package ledger

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// lastMinute returns the times less than 60 seconds ago. Times up to a minute in the future count too: a replica whose clock
// is fast wrote them. Times further in the future do not, so that a wrong clock cannot lock the account.
func lastMinute(times []metav1.MicroTime, now time.Time) []metav1.MicroTime {
	recent := make([]metav1.MicroTime, 0, len(times)+1)
	for _, t := range times {
		if age := now.Sub(t.Time); age < time.Minute && age > -time.Minute {
			recent = append(recent, t)
		}
	}
	return recent
}

// insert adds now in the order of time, even if the clocks of replicas differ.
func insert(times []metav1.MicroTime, now time.Time) []metav1.MicroTime {
	i := len(times)
	for i > 0 && times[i-1].After(now) {
		i--
	}
	return slices.Insert(times, i, metav1.NewMicroTime(now))
}
