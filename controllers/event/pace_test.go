package event

import (
	"testing"
	"time"
)

// An edit of one article is an event to each of 100 subscriptions, and a tenant can edit many articles.
func TestAnAccountCausesSoManyDeliveriesInAMinute(t *testing.T) {
	r, now := &OutboxReconciler{}, time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	made, waits := 0, 0
	for end := now.Add(time.Minute); now.Before(end); {
		may := &allowance{left: maxDispatched, share: r.share("acme"), now: now}
		for may.take() {
			made++
		}
		if may.left > 0 {
			waits++
		}
		now = now.Add(may.wait())
	}
	if most := deliveriesAtOnce + 60*deliveriesPerSecond; made > most+deliveriesPerSecond || made < most-deliveriesPerSecond {
		t.Errorf("%d deliveries were made in a minute, want about %d", made, most)
	}
	if waits > 65 {
		t.Errorf("the controller looked %d times for nothing in a minute", waits)
	}
	if may := (&allowance{left: maxDispatched, share: r.share("rival"), now: now}); !may.take() {
		t.Error("another account has to wait, too")
	}
}
