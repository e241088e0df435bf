package controllers_test

import (
	"io"
	"net/http"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
)

var _ = Describe("What a receiver answers", func() {
	const planted = "the database of the customer"
	for _, c := range channels() {
		It("is in status, and in no Event, log or metric, at "+c.name, func() {
			t := newTenant()
			logged := t.logs()
			t.Receiver.Answers(func(_ int, answer http.ResponseWriter) {
				answer.WriteHeader(http.StatusServiceUnavailable)
				_, err := io.WriteString(answer, planted)
				Expect(err).NotTo(HaveOccurred())
			})
			c.target(t, "failing", t.Receiver.URL)
			key := c.due(t, "failed", "failing")
			for range v1alpha1.MaxAttempts {
				c.attempt(t, key)
				t.Clock.Step(24 * time.Hour)
			}
			record := c.records(t)[key.Name]
			Expect(record.Cycle).To(HaveField("Reason", v1alpha1.ReasonExhausted))
			Expect(record.LastAnswer).To(HaveField("Snippet", planted))
			close(t.Events.Events)
			for event := range t.Events.Events {
				Expect(event).NotTo(ContainSubstring(planted))
			}
			for line := range strings.Lines(logged()) {
				// At the level 8, the client of kube-apiserver logs all objects that it reads and writes.
				if !strings.HasPrefix(line, `"level"=8 `) {
					Expect(line).NotTo(ContainSubstring(planted))
				}
			}
			Expect(scrape(metrics.Registry)).NotTo(ContainSubstring(planted))
		})
	}
})
