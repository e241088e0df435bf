package controllers_test

import (
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("A receiver's wish to be left alone", func() {
	for _, c := range channels() {
		for name, tt := range map[string]struct {
			status int
			header string
			want   time.Duration
		}{
			"is granted":                         {http.StatusTooManyRequests, "120", 2 * time.Minute},
			"is granted with 503":                {http.StatusServiceUnavailable, "120", 2 * time.Minute},
			"is granted as a date":               {http.StatusServiceUnavailable, started.Add(3 * time.Minute).Format(http.TimeFormat), 3 * time.Minute},
			"is granted for an hour at the most": {http.StatusTooManyRequests, "86400", time.Hour},
			"does not make retries come sooner":  {http.StatusTooManyRequests, "1", 10 * time.Second},
			"is not heard with another status":   {http.StatusInternalServerError, "120", 10 * time.Second},
		} {
			It(name+", at "+c.name, func() {
				w := newWorld()
				w.receiver.Answers(func(_ int, rw http.ResponseWriter) {
					rw.Header().Set("Retry-After", tt.header)
					rw.WriteHeader(tt.status)
				})
				c.target(w, "acme", w.receiver.URL)
				w.clock.SetTime(started)
				key := c.due(w, "put-off", "acme")
				c.attempt(w, key)
				Expect(c.records(w)[key.Name].Cycle.NextAttemptTime.Time).To(BeTemporally("==", started.Add(tt.want)))
			})
		}

		It("for good ends the retries, at "+c.name, func() {
			w := newWorld()
			w.receiver.AnswersStatus(http.StatusGone)
			c.target(w, "acme", w.receiver.URL)
			key := c.due(w, "gone", "acme")
			for range 2 {
				c.attempt(w, key)
				w.clock.Step(24 * time.Hour)
			}
			Expect(c.records(w)[key.Name]).To(HaveField("Cycle.State", v1alpha1.CycleFailed))
			Expect(w.receiver.Received()).To(HaveLen(1))
		})
	}
})
