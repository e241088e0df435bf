package controllers_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
	dto "github.com/prometheus/client_model/go"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/project"
)

var _ = Describe("The metric of late attempts", func() {
	var t *tenant

	BeforeEach(func() {
		t = newTenant()
		t.CreateSite()
	})

	// lateness returns how many attempts were counted, and the sum of their delays in seconds.
	lateness := func() (uint64, float64) {
		GinkgoHelper()
		var m dto.Metric
		Expect(t.Lateness.Write(&m)).To(Succeed())
		return m.GetHistogram().GetSampleCount(), m.GetHistogram().GetSampleSum()
	}

	It("counts from the time at which a retry was due", func() {
		t.Receiver.AnswersStatus(http.StatusServiceUnavailable)
		key := t.CreateArticle("shoes", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
		t.ReconcileUntilStable(key)
		count, sum := lateness()
		Expect(count).To(BeEquivalentTo(1))
		Expect(sum).To(BeZero(), "it was sent at once")
		t.Clock.Step(52 * time.Second) // 42 s after the retry is due
		t.ReconcileUntilStable(key)
		count, sum = lateness()
		Expect(count).To(BeEquivalentTo(2))
		Expect(sum).To(BeNumerically("~", 42, 0.001))
	})

	It("counts from publishAfter, and no redelivery, which has no time", func() {
		key := t.CreateArticle("shoes", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished, func(a *v1alpha1.Article) {
			a.Spec.PublishAfter = new(v1alpha1.NewTime(t.Clock.Now().Add(time.Hour)))
		})
		t.ReconcileUntilStable(key)
		t.Clock.Step(time.Hour + 7*time.Second)
		t.ReconcileUntilStable(key)
		count, sum := lateness()
		Expect(count).To(BeEquivalentTo(1))
		Expect(sum).To(BeNumerically("~", 7, 0.001))
		t.Annotate(t.GetArticle(key), v1alpha1.RedeliverAnnotation, "again")
		t.Clock.Step(time.Hour)
		t.ReconcileUntilStable(key)
		count, _ = lateness()
		Expect(count).To(BeEquivalentTo(1))
		Expect(t.Receiver.Received()).To(HaveLen(2))
	})

	It("does not count how long a reviewer takes", func() {
		key := t.CreateArticle("shoes", WithText("Shoes", "Text."))
		t.ReconcileUntilStable(key)
		t.Clock.Step(24 * time.Hour)
		t.ApproveAndPublish(key)
		t.ReconcileUntilStable(key)
		Expect(t.Receiver.Received()).To(HaveLen(1))
		count, _ := lateness()
		Expect(count).To(BeZero())
	})

	It("counts an event from when it happened", func() {
		t.Subscribe("newsroom")
		key := t.CreateArticle("shoes", WithText("Shoes", "Text."))
		t.ReconcileUntilStable(key)
		_, err := t.Outbox.Reconcile(t.Ctx, Request(key))
		Expect(err).NotTo(HaveOccurred())
		t.Clock.Step(77 * time.Second)
		t.Deliver()
		count, sum := lateness()
		Expect(count).To(BeEquivalentTo(1))
		Expect(sum).To(BeNumerically("~", 77, 0.001))
	})
})

// scrape returns what Prometheus would read.
func scrape(from prometheus.Gatherer) string {
	GinkgoHelper()
	answer := httptest.NewRecorder()
	promhttp.HandlerFor(from, promhttp.HandlerOpts{}).ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	Expect(answer.Code).To(Equal(http.StatusOK), answer.Body.String())
	return answer.Body.String()
}

// line returns the value of a metric of a kind.
func line(from prometheus.Gatherer, metric, kind string) string {
	GinkgoHelper()
	_, rest, found := strings.Cut(scrape(from), fmt.Sprintf("\n%s{kind=%q} ", metric, kind))
	Expect(found).To(BeTrue(), "%s of %s is not exported", metric, kind)
	value, _, _ := strings.Cut(rest, "\n")
	return value
}

// expectBoundedMetrics looks at every metric that the process exports.
func (t *tenant) expectBoundedMetrics() {
	GinkgoHelper()
	docs, err := os.ReadFile(filepath.Join(project.Root(), "docs", "reference", "metrics.md"))
	Expect(err).NotTo(HaveOccurred())
	rules, err := os.ReadFile(filepath.Join(project.Root(), "config", "prometheus", "rules.yaml"))
	Expect(err).NotTo(HaveOccurred())
	for _, name := range regexp.MustCompile(`pressroom_\w+`).FindAllString(string(rules), -1) {
		// A series of a histogram is named after its metric.
		name = strings.TrimSuffix(name, "_bucket")
		Expect(strings.Contains(string(docs), "`"+name+"`")).To(BeTrue(), "there is no %s for an alert to look at", name)
	}
	ours, exported := regexp.MustCompile(`(?m)^(pressroom_\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? `), map[string]bool{}
	for _, found := range ours.FindAllStringSubmatch(scrape(metrics.Registry), -1) {
		name, labels := found[1], found[2]
		exported[name] = true
		Expect(strings.Contains(string(docs), "`"+name+"`")).To(BeTrue(), "docs/reference/metrics.md does not list %s", name)
		for label := range strings.SplitSeq(labels, ",") {
			Expect(label).To(Or(BeEmpty(), MatchRegexp(`^le="[0-9.e+Inf]+"$`), MatchRegexp(`^(outcome|kind|direction|state)="[A-Za-z]{1,40}"$`)))
		}
	}
	for _, want := range []string{
		"pressroom_generation_attempts_total", "pressroom_generation_attempt_duration_seconds", "pressroom_generation_tokens_total",
		"pressroom_delivery_attempts_total",
		"pressroom_delivery_attempt_duration_seconds", "pressroom_deliveries_total",
		"pressroom_connection_tests_total", "pressroom_connection_test_duration_seconds", "pressroom_sites_failing",
		"pressroom_last_delivery_timestamp_seconds", "pressroom_oldest_waiting_delivery_seconds", "pressroom_attempts_in_flight", "pressroom_attempt_start_delay_seconds",
	} {
		Expect(exported).To(HaveKey(want))
	}
	Expect(scrape(metrics.Registry)).To(ContainSubstring(`pressroom_deliveries_total{outcome="` + v1alpha1.ReasonDelivered + `"}`))
}
