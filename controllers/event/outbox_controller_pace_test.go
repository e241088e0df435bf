package event

import (
	"testing"
	"time"

	clocktesting "k8s.io/utils/clock/testing"

	"github.com/pressroom-dev/pressroom/controllers/base"
)

// An edit of one article is an event to each of 100 subscriptions, and a tenant can edit many articles.
func TestAnAccountCausesSoManyDeliveriesInAMinute(t *testing.T) {
	for name, atOnce := range map[string]int{"one article at a time": 1, "several articles at once": outboxWorkers} {
		clock := clocktesting.NewFakeClock(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
		r := &OutboxReconciler{Base: base.Base{Clock: clock}}
		made, waits := 0, 0
		for end := clock.Now().Add(time.Minute); clock.Now().Before(end); {
			var reconciles []*allowance
			for range atOnce {
				reconciles = append(reconciles, r.allow("acme"))
				clock.Step(100 * time.Millisecond)
			}
			waiting := 0
			for range maxDispatched {
				for _, may := range reconciles {
					if may.take() {
						made++
					}
				}
			}
			for _, may := range reconciles {
				if may.left > 0 {
					waiting++
				}
			}
			if waiting == atOnce {
				waits++
			}
			clock.Step(reconciles[0].wait())
		}
		const most, about = deliveriesAtOnce + 60*deliveriesPerSecond, 2 * deliveriesPerSecond
		if made > most+about || made < most-about {
			t.Errorf("%s: %d deliveries were made in a minute, want about %d", name, made, most)
		}
		if waits > 65 {
			t.Errorf("%s: the controller looked %d times for nothing in a minute", name, waits)
		}
		if !r.allow("rival").take() {
			t.Errorf("%s: another account has to wait, too", name)
		}
	}
}

func TestArticlesThatWaitForTheirDeliveriesLookInTurn(t *testing.T) {
	clock := clocktesting.NewFakeClock(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	r := &OutboxReconciler{Base: base.Base{Clock: clock}}
	for may := r.allow("acme"); may.take(); {
		may.left = maxDispatched
	}
	looks, made, next := 0, 0, make([]time.Time, 1000)
	for range 60 * deliveriesPerSecond {
		for i := range next {
			if next[i].After(clock.Now()) {
				continue
			}
			looks++
			may := r.allow("acme")
			for may.take() {
				made++
			}
			next[i] = clock.Now().Add(may.wait())
		}
		clock.Step(time.Second / deliveriesPerSecond)
	}
	const most = 60 * deliveriesPerSecond
	if looks > len(next)+most+deliveriesPerSecond {
		t.Errorf("1,000 articles looked %d times in a minute", looks)
	}
	if made < most-deliveriesPerSecond {
		t.Errorf("%d deliveries were made in a minute, want %d", made, most)
	}
}

func TestLooksOfManyArticlesAreNotOwedForever(t *testing.T) {
	clock := clocktesting.NewFakeClock(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	r := &OutboxReconciler{Base: base.Base{Clock: clock}}
	for range 100_000 {
		if wait := r.allow("acme").wait(); wait > longestLook {
			t.Fatalf("an article waits %s", wait)
		}
	}
	clock.Step(longestLook + time.Second)
	if wait := r.allow("acme").wait(); wait != time.Second {
		t.Errorf("an article waits %s when the others have looked", wait)
	}
}

// Accounts and workspaces come and go.
func TestAnAccountThatMakesNoMoreDeliveriesIsForgotten(t *testing.T) {
	clock := clocktesting.NewFakeClock(time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC))
	r := &OutboxReconciler{Base: base.Base{Clock: clock}}
	r.allow("gone").take()
	for range 10 {
		clock.Step(shareRetention / 2)
		r.allow("stays").take()
	}
	if got := r.memory.shares.Keys(); len(got) != 1 || got[0] != "stays" {
		t.Errorf("it remembers %v", got)
	}
}
