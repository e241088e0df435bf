package base

import (
	"fmt"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/connectiontest"
)

const (
	// failingFrom is how many failed attempts in a row make a site one that is not delivered to: one that fails is tried again.
	failingFrom = 3
	// healthInterval is how often the health of a site is written at the most.
	healthInterval = time.Minute
)

// SitesFailing is the number of sites whose last attempts to deliver have all failed.
var SitesFailing = prometheus.NewGauge(prometheus.GaugeOpts{
	Name: "pressroom_sites_failing",
	Help: "Sites to which at least the last 3 attempts of this process to deliver an article have failed.",
})

// Health is what the deliveries of this process show of sites: about 200 bytes for each site that was delivered to. The condition
// Delivering keeps it over a restart. The zero value is ready, and its methods may be called from any goroutine.
type Health struct {
	mu     sync.Mutex
	sites  map[types.NamespacedName]*siteHealth
	notify func(types.NamespacedName)
}

type siteHealth struct {
	// failures in a row, of which last is the last one, and whether there was a success.
	failures  int
	last      v1alpha1.AttemptResult
	succeeded bool
	// shown is what was last to be written, and shownAt when.
	shown   metav1.Condition
	shownAt time.Time
}

// Notify has a function called with each site whose condition Delivering may have changed.
func (h *Health) Notify(f func(types.NamespacedName)) { h.notify = f }

// Observe takes in the end of an attempt to deliver an article. What the CMS finds wrong with the article says nothing of the site.
func (h *Health) Observe(site types.NamespacedName, r v1alpha1.AttemptResult) {
	switch r.ErrorClass {
	case v1alpha1.ErrorInvalidContent, v1alpha1.ErrorSlugTaken, v1alpha1.ErrorChangedAtSite,
		v1alpha1.ErrorNotSent, v1alpha1.ErrorInterrupted:
		return
	}
	if h.observe(site, r) && h.notify != nil {
		h.notify(site)
	}
}

// observe reports whether the condition is not the one that was shown last.
func (h *Health) observe(site types.NamespacedName, r v1alpha1.AttemptResult) (changed bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.sites == nil {
		h.sites = map[types.NamespacedName]*siteHealth{}
	}
	s := h.sites[site]
	if s == nil {
		s = &siteHealth{}
		h.sites[site] = s
	}
	if r.Outcome == v1alpha1.AttemptAccepted {
		if s.failures >= failingFrom {
			SitesFailing.Dec()
		}
		s.failures, s.succeeded = 0, true
		return s.condition() != s.shown
	}
	s.failures, s.last = s.failures+1, r
	if s.failures == failingFrom {
		SitesFailing.Inc()
	}
	return s.condition() != s.shown
}

// Forget forgets a site.
func (h *Health) Forget(site types.NamespacedName) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if s := h.sites[site]; s != nil && s.failures >= failingFrom {
		SitesFailing.Dec()
	}
	delete(h.sites, site)
}

// Condition returns the condition Delivering of a site, which has no type if nothing is known of the site. It changes once a minute at the
// most: next is when it is to be looked at again, 0 if it says all.
func (h *Health) Condition(site types.NamespacedName, now time.Time) (c metav1.Condition, next time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.sites[site]
	if s == nil {
		return metav1.Condition{}, 0
	}
	newer := s.condition()
	if wait := healthInterval - now.Sub(s.shownAt); newer != s.shown && wait > 0 {
		return s.shown, wait
	}
	if newer != s.shown {
		s.shown, s.shownAt = newer, now
	}
	return s.shown, 0
}

func (s *siteHealth) condition() metav1.Condition {
	c := metav1.Condition{
		Type: v1alpha1.ConditionDelivering, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonDelivered,
		Message: "the site accepts articles",
	}
	switch {
	case s.failures >= failingFrom:
		c.Status, c.Reason = metav1.ConditionFalse, connectiontest.FailureReason(s.last)
		c.Message = fmt.Sprintf("the last %d attempts failed: %s", s.failures, s.last.Message)
	case !s.succeeded:
		return s.shown
	}
	return c
}
