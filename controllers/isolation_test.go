package controllers_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/internal/inflight"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// The receiver that is stuck has so many deliveries queued for it, while so many are due for a healthy one, before a restart
// and after it.
const (
	queuedForStuck = 24
	dueForHealthy  = 12
)

// The three receivers, and the prefixes of the names of the objects that are due for them.
const stuck, early, late = "stuck", "early", "late"

// productionLimits are the defaults of `pressroom controller`.
func productionLimits() inflight.Limits { return inflight.Limits{Total: 64, PerHost: 8} }

var _ = Describe("A receiver that accepts and never answers", func() {
	It("holds up the publishing of no other site", func() {
		l := newIsolation(publishing())
		l.approve()
		l.due = func(t *tenant, name, _ string) client.ObjectKey {
			key := client.ObjectKey{Namespace: t.Namespace, Name: name}
			t.EditArticle(key, ToBePublished)
			return key
		}
		l.expectIsolated()
	})
	It("holds up the events of no other receiver", func() { newIsolation(eventChannel()).expectIsolated() })
})

// isolation is a channel with a receiver that is stuck, and two that are not.
type isolation struct {
	channel
	*tenant
	// answer lets the stuck receiver answer, now and from now on.
	answer func()
}

// newIsolation has the limits of production, and the real time: part of the spec is done by a real manager.
func newIsolation(c channel) isolation {
	GinkgoHelper()
	t := newTenant()
	t.Limits = productionLimits()
	t.Restart()
	t.removeRequestTimeout()
	holding := testkit.NewReceiver()
	proceed := make(chan struct{})
	answer := sync.OnceFunc(func() { close(proceed) })
	DeferCleanup(answer)
	holding.Answers(func(int, http.ResponseWriter) { <-proceed })
	for _, name := range []string{early, late} {
		c.target(t, name, t.Receiver.URL)
	}
	c.target(t, stuck, holding.URL)
	t.Clock.SetTime(time.Now())
	return isolation{c, t, answer}
}

// expectIsolated queues deliveries for the stuck receiver, and has all that are due for a healthy one go out although none of
// those has ended. The process then ends, and the next ones forget nothing.
func (l isolation) expectIsolated() {
	GinkgoHelper()
	queued := l.dueAll(stuck, queuedForStuck)
	l.reconcile(l.tenant, queued...)
	Expect(l.countAttempted(stuck)).To(Equal(productionLimits().PerHost), "as many as one host may have in progress")
	healthy := l.dueAll(early, dueForHealthy)
	l.reconcile(l.tenant, healthy...)
	for open := len(healthy); open > 0; {
		key := <-l.Notified
		l.reconcile(l.tenant, key)
		if c := recordOf(l.object(l.tenant, key)).Cycle; c != nil && c.State == v1alpha1.CycleAccepted {
			open--
		}
	}
	Expect(l.countAccepted(early)).To(Equal(dueForHealthy))
	Expect(l.countAccepted(stuck)).To(BeZero())

	l.Restart()
	l.removeRequestTimeout()
	l.reconcile(l.tenant, queued...)
	l.expectScheduled()
	Expect(l.countAttempted(stuck)).To(Equal(2*productionLimits().PerHost), "others take the slots")

	DeferCleanup(l.startManager(func(o *controllers.Options) {
		o.Deliveries = productionLimits()
		o.RetryDelays = []time.Duration{5 * time.Second, 5 * time.Second, 5 * time.Second}
	}))
	l.dueAll(late, dueForHealthy)
	l.awaitArrived(late, dueForHealthy)
	l.answer()
	l.awaitArrived(stuck, queuedForStuck)
}

// removeRequestTimeout takes the 30 seconds from the process's requests, so that the stuck ones stay in progress on a slow machine too.
func (t *tenant) removeRequestTimeout() {
	t.wire(func(r *http.Request, next http.RoundTripper) (*http.Response, error) {
		return next.RoundTrip(r.WithContext(context.WithoutCancel(r.Context())))
	})
}

// dueAll makes so many deliveries due for a receiver.
func (l isolation) dueAll(to string, n int) []client.ObjectKey {
	GinkgoHelper()
	keys := make([]client.ObjectKey, n)
	inParallel(n, func(i int) { keys[i] = l.due(l.tenant, nameOf(to, i), to) })
	return keys
}

func nameOf(to string, i int) string { return fmt.Sprintf("%s-%d", to, i) }

// countAttempted counts a receiver's deliveries with an attempt, countAccepted those that it has accepted.
func (l isolation) countAttempted(at string) int {
	return l.count(at, func(r v1alpha1.DeliveryRecord) bool { return len(r.Attempts) > 0 })
}

func (l isolation) countAccepted(at string) int {
	return l.count(at, func(r v1alpha1.DeliveryRecord) bool { return r.Cycle.State == v1alpha1.CycleAccepted })
}

func (l isolation) count(at string, is func(v1alpha1.DeliveryRecord) bool) int {
	GinkgoHelper()
	n := 0
	for name, r := range l.records(l.tenant) {
		if strings.HasPrefix(name, at+"-") && r.Cycle != nil && is(r) {
			n++
		}
	}
	return n
}

// expectScheduled checks that the deliveries which were cut off say when they go on.
func (l isolation) expectScheduled() {
	GinkgoHelper()
	n := 0
	for name, r := range l.records(l.tenant) {
		if r.Cycle != nil && r.Cycle.State == v1alpha1.CycleRetryScheduled {
			n++
			Expect(r.Attempts).To(ConsistOf(HaveField("Outcome", v1alpha1.AttemptUnknown)), name)
			Expect(r.Cycle.NextAttemptTime.Time).To(BeTemporally(">", l.Clock.Now()), name)
		}
	}
	Expect(n).To(Equal(productionLimits().PerHost))
}

func (l isolation) awaitArrived(at string, n int) {
	GinkgoHelper()
	Eventually(func() int { return l.countAccepted(at) }).WithTimeout(5 * time.Minute).WithPolling(250 * time.Millisecond).Should(Equal(n))
}

// approve makes the articles that are going to be due, up to their approval, with a manager's cache to look slugs up in.
func (l isolation) approve() {
	GinkgoHelper()
	stop := l.startManager()
	for site, n := range map[string]int{stuck: queuedForStuck, early: dueForHealthy, late: dueForHealthy} {
		inParallel(n, func(i int) {
			l.CreateArticle(nameOf(site, i), WithText(nameOf(site, i), "Text."), ApprovedInManifest, OfSite(site))
		})
	}
	Eventually(func() []client.Object { return l.objects(l.tenant) }).WithTimeout(5 * time.Minute).WithPolling(250 * time.Millisecond).
		Should(HaveEach(HaveField("Status.Phase", v1alpha1.PhaseApproved)))
	stop()
}

// inParallel does n things, as many at once as a controller has workers.
func inParallel(n int, do func(i int)) {
	GinkgoHelper()
	const workers = 8
	next := make(chan int, n)
	for i := range n {
		next <- i
	}
	close(next)
	var all sync.WaitGroup
	for range workers {
		all.Go(func() {
			defer GinkgoRecover()
			for i := range next {
				do(i)
			}
		})
	}
	all.Wait()
}
