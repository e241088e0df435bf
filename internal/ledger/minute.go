package ledger

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
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

// insert adds now in the order of time, whatever the order of the replicas' clocks.
func insert(times []metav1.MicroTime, now time.Time) []metav1.MicroTime {
	i := len(times)
	for i > 0 && times[i-1].After(now) {
		i--
	}
	return slices.Insert(times, i, metav1.NewMicroTime(now))
}

// CountsInMinute reports whether a pending charge is one of the calls of the last 60 seconds. Until it is older, it must stay
// pending: another replica may have looked for the Article of the same call before it existed, and must then find the charge
// instead of taking a second one.
func CountsInMinute(u *v1alpha1.AccountUsage, p v1alpha1.PendingCharge, now time.Time) bool {
	return slices.ContainsFunc(lastMinute(u.Minute, now), func(t metav1.MicroTime) bool { return t.Equal(&p.At) })
}
