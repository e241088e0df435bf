package base

import (
	"fmt"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/conditions"
	"github.com/pressroom-dev/pressroom/internal/lifecycle/connectiontest"
)

const (
	// failingFrom is how many failed attempts in a row make a site one that is not delivered to: one that fails is tried again.
	failingFrom = 3
	// healthInterval is how often the health of a site is written at the most.
	healthInterval = time.Minute
)

// Health is what the deliveries of this process show of sites: about 300 bytes for each site that has articles, and as much for each
// article that waits to be delivered. Status keeps it over a restart. The zero value is ready, and its methods may be called from any
// goroutine.
type Health struct {
	mu    sync.Mutex
	sites map[types.NamespacedName]*siteHealth
	// waiting has the sites of the articles that wait.
	waiting map[types.NamespacedName]types.NamespacedName
	notify  func(types.NamespacedName)
}

// Report is how deliveries to a site go.
type Report struct {
	// Condition Delivering has no status as long as this process has seen neither enough failures nor a success.
	Condition metav1.Condition
	// LastSuccess is when an article was accepted last; zero if this process has seen none.
	LastSuccess time.Time
	// Failures is how many attempts have failed since.
	Failures int32
	// OldestWaiting is since when the article waits that has waited longest; zero if none waits.
	OldestWaiting time.Time
}

type siteHealth struct {
	// newest is the report. If stale is set, the article is gone that its OldestWaiting was about.
	newest Report
	stale  bool
	// waits has since when articles wait, by their names.
	waits map[string]time.Time
	// shown is what was last to be written, shownAt when, and turnedAt when the condition had another status last.
	shown             Report
	shownAt, turnedAt time.Time
	// notified means that a notification was sent and the report has not been read since.
	notified bool
}

// Notify has a function called with each site whose report may have changed.
func (h *Health) Notify(f func(types.NamespacedName)) { h.notify = f }

// Observe takes in the end of an attempt to deliver an article. What the CMS finds wrong with the article says nothing of the site.
func (h *Health) Observe(site types.NamespacedName, r v1alpha1.AttemptResult, now time.Time) {
	switch r.ErrorClass {
	case v1alpha1.ErrorInvalidContent, v1alpha1.ErrorSlugTaken, v1alpha1.ErrorChangedAtSite, v1alpha1.ErrorImageChanged,
		v1alpha1.ErrorNotSent, v1alpha1.ErrorInterrupted:
		return
	}
	h.change(site, func(s *siteHealth) { s.observe(r, now) })
}

// Waits takes in since when an article of a site waits to be delivered; zero if it does not.
func (h *Health) Waits(site, article types.NamespacedName, since time.Time) {
	h.change(site, func(s *siteHealth) {
		s.wait(article.Name, since)
		if since.IsZero() {
			delete(h.waiting, article)
			return
		}
		if h.waiting == nil {
			h.waiting = map[types.NamespacedName]types.NamespacedName{}
		}
		h.waiting[article] = site
	})
}

// wait does not look at the other articles, of which there may be many.
func (s *siteHealth) wait(article string, since time.Time) {
	before, waited := s.waits[article]
	if since.IsZero() {
		delete(s.waits, article)
	} else {
		s.waits[article] = since
	}
	oldest := s.newest.OldestWaiting
	switch {
	case waited && before.Equal(oldest) && !since.Equal(before):
		s.stale = true
	case !since.IsZero() && (oldest.IsZero() || since.Before(oldest)):
		s.newest.OldestWaiting = since
	}
}

// ForgetArticle forgets an article.
func (h *Health) ForgetArticle(article types.NamespacedName) {
	h.mu.Lock()
	site, waits := h.waiting[article]
	h.mu.Unlock()
	if waits {
		h.Waits(site, article, time.Time{})
	}
}

// change updates a site, and notifies if its report may differ from the one shown. It notifies once until the report is read.
func (h *Health) change(site types.NamespacedName, apply func(*siteHealth)) {
	h.mu.Lock()
	if h.sites == nil {
		h.sites = map[types.NamespacedName]*siteHealth{}
	}
	s := h.sites[site]
	if s == nil {
		s = &siteHealth{waits: map[string]time.Time{}}
		h.sites[site] = s
	}
	apply(s)
	changed := !s.notified && (s.stale || s.newest != s.shown)
	s.notified = s.notified || changed
	h.mu.Unlock()
	if changed && h.notify != nil {
		h.notify(site)
	}
}

func (s *siteHealth) observe(r v1alpha1.AttemptResult, now time.Time) {
	if r.Outcome == v1alpha1.AttemptAccepted {
		s.newest.Failures, s.newest.LastSuccess = 0, now
		s.newest.Condition = conditions.True(v1alpha1.ReasonDelivered, "the site accepts articles")
		return
	}
	s.newest.Failures++
	if s.newest.Failures >= failingFrom {
		s.newest.Condition = conditions.False(
			connectiontest.FailureReason(r), fmt.Sprintf("the last %d attempts failed: %s", s.newest.Failures, r.Message))
	}
}

// Forget forgets a site.
func (h *Health) Forget(site types.NamespacedName) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.sites[site]
	if s == nil {
		return
	}
	for article := range s.waits {
		delete(h.waiting, types.NamespacedName{Namespace: site.Namespace, Name: article})
	}
	delete(h.sites, site)
}

// Report returns how deliveries to a site go, and whether this process knows anything of it. It changes once a minute at the most, and so
// does the status of its condition, which does not wait for the rest: next is when it is to be looked at again, 0 if it says all.
func (h *Health) Report(site types.NamespacedName, now time.Time) (r Report, known bool, next time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s := h.sites[site]
	if s == nil {
		return Report{}, false, 0
	}
	newer := s.report()
	s.notified = newer != s.shown
	if !s.notified {
		return s.shown, true, 0
	}
	from, turns := s.shownAt, newer.Condition.Status != s.shown.Condition.Status
	if turns {
		from = s.turnedAt
	}
	if wait := healthInterval - now.Sub(from); wait > 0 {
		return s.shown, true, wait
	}
	if turns {
		s.turnedAt = now
	}
	s.shown, s.shownAt, s.notified = newer, now, false
	return s.shown, true, 0
}

// report returns the newest report. It looks at all articles that wait if it must.
func (s *siteHealth) report() Report {
	if !s.stale {
		return s.newest
	}
	s.stale, s.newest.OldestWaiting = false, time.Time{}
	for _, since := range s.waits {
		if s.newest.OldestWaiting.IsZero() || since.Before(s.newest.OldestWaiting) {
			s.newest.OldestWaiting = since
		}
	}
	return s.newest
}

// Overall returns when a site accepted an article last, and since when the article waits that has waited longest; zero if there is none.
// failing is how many sites there are whose last attempts have all failed.
func (h *Health) Overall() (lastSuccess, oldestWaiting time.Time, failing int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range h.sites {
		r := s.report()
		if r.Failures >= failingFrom {
			failing++
		}
		if r.LastSuccess.After(lastSuccess) {
			lastSuccess = r.LastSuccess
		}
		if !r.OldestWaiting.IsZero() && (oldestWaiting.IsZero() || r.OldestWaiting.Before(oldestWaiting)) {
			oldestWaiting = r.OldestWaiting
		}
	}
	return lastSuccess, oldestWaiting, failing
}
