package controllers_test

import (
	"context"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/event"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
)

var _ = Describe("A receiver's wish to be left alone", func() {
	for _, c := range channels() {
		It("is granted, at "+c.name, func() {
			t := newTenant()
			t.Receiver.Answers(func(_ int, rw http.ResponseWriter) {
				rw.Header().Set("Retry-After", "120")
				rw.WriteHeader(http.StatusTooManyRequests)
			})
			c.target(t, "acme", t.Receiver.URL)
			t.Clock.SetTime(Started)
			key := c.due(t, "put-off", "acme")
			c.attempt(t, key)
			Expect(c.records(t)[key.Name].Cycle.NextAttemptTime.Time).To(BeTemporally("==", Started.Add(2*time.Minute)))
		})

		// restarted begins the next process, which lists all objects first.
		restarted := func(t *tenant) {
			GinkgoHelper()
			t.Restart()
			seen, ok := c.reconciler(t).(interface {
				RestoreCooldown(ctx context.Context, e event.CreateEvent)
			})
			Expect(ok).To(BeTrue())
			for _, o := range c.objects(t) {
				seen.RestoreCooldown(t.Ctx, event.CreateEvent{Object: o, IsInInitialList: true})
			}
		}

		It("is granted by the next process too, to all that wait for the receiver, at "+c.name, func() {
			t := newTenant()
			t.Receiver.Answers(func(n int, rw http.ResponseWriter) {
				if n == 1 {
					rw.Header().Set("Retry-After", "120")
					rw.WriteHeader(http.StatusTooManyRequests)
				}
			})
			c.target(t, "acme", t.Receiver.URL)
			first, second := c.due(t, "put-off", "acme"), c.due(t, "behind", "acme")
			c.attempt(t, first)
			t.Clock.Step(time.Second)
			restarted(t)
			c.reconcile(t, second)
			Expect(c.deliveries(t).Len()).To(BeZero())
			Expect(t.Receiver.Received()).To(HaveLen(1))
			t.Clock.Step(119 * time.Second)
			Expect(<-t.Notified).To(Equal(second))
			c.attempt(t, second)
			Expect(t.Receiver.Received()).To(HaveLen(2))
		})

		It("is none if the next attempt is merely late, also for the next process, at "+c.name, func() {
			t := newTenant()
			t.Receiver.Answers(func(n int, rw http.ResponseWriter) {
				if n == 1 {
					rw.WriteHeader(http.StatusServiceUnavailable)
				}
			})
			c.target(t, "acme", t.Receiver.URL)
			first, second := c.due(t, "put-off", "acme"), c.due(t, "behind", "acme")
			c.attempt(t, first)
			restarted(t)
			c.attempt(t, second)
			Expect(t.Receiver.Received()).To(HaveLen(2))
		})

		It("for good ends the retries, at "+c.name, func() {
			t := newTenant()
			t.Receiver.AnswersStatus(http.StatusGone)
			c.target(t, "acme", t.Receiver.URL)
			key := c.due(t, "gone", "acme")
			for range 2 {
				c.attempt(t, key)
				t.Clock.Step(24 * time.Hour)
			}
			Expect(c.records(t)[key.Name]).To(HaveField("Cycle.State", v1alpha1.CycleFailed))
			Expect(t.Receiver.Received()).To(HaveLen(1))
		})
	}
})
