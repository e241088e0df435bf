package event

import (
	"context"
	"sync"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/util/cache"
	"k8s.io/utils/clock"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers/base"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
)

// memory is what the outbox remembers, for as long as it is needed.
type memory struct {
	mu sync.Mutex
	// shares has the *share of each account that has had deliveries lately.
	shares *cache.LRUExpireCache
	// refused has the UIDs of the subscriptions whose deliveries kube-apiserver has just refused, so that one article asks again, and not
	// all that wait.
	refused *cache.LRUExpireCache
}

const (
	// deliveriesPerSecond is how many deliveries are made for an account in a second, and deliveriesAtOnce how many at once: an edit of one
	// article is an event to each subscription. etcd keeps each state of a delivery for some minutes.
	deliveriesPerSecond = 20
	deliveriesAtOnce    = 2000
	// longestLook bounds how long an article waits until it looks again whether a delivery may be made.
	longestLook = 5 * time.Minute
	// shareRetention is longer than it takes until a share that nobody uses is full again.
	shareRetention = deliveriesAtOnce/deliveriesPerSecond*time.Second + longestLook
	// maxRemembered bounds the accounts, and the subscriptions, that are remembered: those that were used last.
	maxRemembered = 10_000
)

// caches returns the memory. It is called with the lock held.
func (m *memory) caches(clk clock.PassiveClock) *memory {
	if m.shares == nil {
		m.shares = cache.NewLRUExpireCacheWithClock(maxRemembered, clk)
		m.refused = cache.NewLRUExpireCacheWithClock(maxRemembered, clk)
	}
	return m
}

// share bounds the deliveries of an account, and how often its waiting articles are reconciled: in turn, so that many cost no more than a
// few.
type share struct{ deliveries, looks *rate.Limiter }

// allowance is how many deliveries a reconcile may make.
type allowance struct {
	left  int
	share *share
	clock clock.PassiveClock
}

// allow returns how many deliveries a reconcile may make for an account.
func (r *OutboxReconciler) allow(account string) *allowance {
	r.memory.mu.Lock()
	defer r.memory.mu.Unlock()
	m := r.memory.caches(r.Clock)
	found, _ := m.shares.Get(account)
	all, ok := found.(*share)
	if !ok {
		all = &share{rate.NewLimiter(deliveriesPerSecond, deliveriesAtOnce), rate.NewLimiter(deliveriesPerSecond, 1)}
	}
	m.shares.Add(account, all, shareRetention)
	return &allowance{left: maxDispatched, share: all, clock: r.Clock}
}

// isRefused reports whether kube-apiserver has just refused a delivery of a subscription.
func (r *OutboxReconciler) isRefused(s *v1alpha1.EventSubscription) bool {
	r.memory.mu.Lock()
	defer r.memory.mu.Unlock()
	_, just := r.memory.caches(r.Clock).refused.Get(s.UID)
	return just
}

// refuse remembers that kube-apiserver has refused a delivery of a subscription, and writes that to the subscription.
func (r *OutboxReconciler) refuse(ctx context.Context, s *v1alpha1.EventSubscription, refusal *lifecycle.BlockedError) error {
	r.memory.mu.Lock()
	r.memory.caches(r.Clock).refused.Add(s.UID, true, base.RefusedPoll/2)
	r.memory.mu.Unlock()
	return recordDispatching(ctx, &r.Base, s, refusal)
}

// take takes one, and reports whether there was one. It reads the clock each time: the limiter, which reconciles share, would give too much
// if its times went back.
func (a *allowance) take() bool {
	if a.left == 0 || !a.share.deliveries.AllowN(a.clock.Now(), 1) {
		return false
	}
	a.left--
	return true
}

// wait is when the next reconcile may make more.
func (a *allowance) wait() time.Duration {
	if a.left == 0 {
		return time.Millisecond
	}
	now := a.clock.Now()
	look := a.share.looks.ReserveN(now, 1)
	if look.DelayFrom(now) > longestLook {
		look.CancelAt(now)
	}
	return min(max(look.DelayFrom(now), time.Second), longestLook)
}
