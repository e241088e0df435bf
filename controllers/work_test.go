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
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/controllers"
	"github.com/pressroom-dev/pressroom/internal/lifecycle"
	"github.com/pressroom-dev/pressroom/internal/testenv"
)

var _ = Describe("The metrics of work", func() {
	var (
		w    *world
		work *prometheus.Registry
	)

	BeforeEach(func() {
		w = newWorld()
		w.createSite()
		work = w.workMetrics()
	})

	due := func(kind string) string { return line(work, "pressroom_oldest_due_seconds", kind) }

	It("tell how long a retry has been due", func() {
		w.receiver.answersStatus(http.StatusServiceUnavailable)
		key := w.createArticle("shoes", wrote("Shoes", "Text."), approvedInManifest, toPublished)
		w.settle(key)
		Expect(due("publication")).To(Equal("0"), "it waits for its time, 10 s from now")
		w.clock.Step(10 * time.Second)
		Expect(due("publication")).To(Equal("0"))
		w.clock.Step(42 * time.Second)
		Expect(due("publication")).To(Equal("42"))
		w.clock.Step(time.Minute)
		Expect(due("publication")).To(Equal("102"))
		w.receiver.answersStatus(http.StatusOK)
		w.settle(key)
		Expect(due("publication")).To(Equal("0"))
		Expect(due("generation")).To(Equal("0"))
		Expect(due("event")).To(Equal("0"))
	})

	It("know a time that has passed before they were first asked", func() {
		w.receiver.answersStatus(http.StatusServiceUnavailable)
		key := w.createArticle("shoes", wrote("Shoes", "Text."), approvedInManifest, toPublished)
		w.settle(key)
		w.clock.Step(70 * time.Second)
		Expect(due("publication")).To(Equal("60"))
	})

	It("count what has no time in status from the last look at which it was not due", func() {
		key := w.createArticle("shoes", wrote("Shoes", "Text."))
		w.settle(key)
		Expect(due("publication")).To(Equal("0"))
		w.clock.Step(30 * time.Second)
		w.approveAndPublish(key)
		Expect(due("publication")).To(Equal("30"))
		w.clock.Step(30 * time.Second)
		Expect(due("publication")).To(Equal("60"))
		w.settle(key)
		Expect(due("publication")).To(Equal("0"))
	})

	It("tell of the oldest run, and not of one that waits for credits", func() {
		w.setCredits(0)
		broke := w.createArticle("broke", asked)
		w.settle(broke)
		w.clock.SetTime(w.get(broke).CreationTimestamp.Add(time.Hour))
		Expect(due("generation")).To(Equal("0"))
		w.setCredits(2)
		key := w.createArticle("shoes", asked)
		w.clock.Step(2 * time.Hour)
		Expect(due("generation")).To(Equal("7200"), "since the last look: by the API server's clock it was created long before")
		w.settle(key)
		Expect(due("generation")).To(Equal("0"))
	})

	It("tell of the oldest event", func() {
		w.subscribe("newsroom")
		key := w.createArticle("shoes", wrote("Shoes", "Text."))
		w.settle(key)
		_, err := w.outbox.Reconcile(w.ctx, request(key))
		Expect(err).NotTo(HaveOccurred())
		w.clock.SetTime(w.deliveries("newsroom")[0].CreationTimestamp.Add(77 * time.Second))
		Expect(due("event")).To(Equal("77"))
		w.deliver()
		Expect(due("event")).To(Equal("0"))
	})

	It("tell of tests of a connection", func() {
		arrived, answer := make(chan struct{}), make(chan struct{})
		w.receiver.answers(func(int, http.ResponseWriter) { close(arrived); <-answer })
		Expect(due("connection")).To(Equal("0"))
		w.askTest("first")
		w.clock.Step(42 * time.Second)
		Expect(due("connection")).To(Equal("42"))
		w.reconcileSite()
		<-arrived
		Expect(due("connection")).To(Equal("0"))
		Expect(line(work, "pressroom_attempts_in_flight", "connection")).To(Equal("1"))
		close(answer)
		w.settleSite()
		Expect(line(work, "pressroom_attempts_in_flight", "connection")).To(Equal("0"))
		w.clock.Step(42 * time.Second)
		Expect(due("connection")).To(Equal("0"), "a test that has ended")
	})

	It("tell what is under way", func() {
		arrived, answer := make(chan struct{}), make(chan struct{})
		w.receiver.answers(func(int, http.ResponseWriter) { close(arrived); <-answer })
		key := w.createArticle("shoes", wrote("Shoes", "Text."), approvedInManifest, toPublished)
		for range 2 {
			w.reconcileAll(key)
		}
		<-arrived
		Expect(line(work, "pressroom_attempts_in_flight", "publication")).To(Equal("1"))
		Expect(line(work, "pressroom_attempts_in_flight", "generation")).To(Equal("0"))
		Expect(line(work, "pressroom_attempts_in_flight", "event")).To(Equal("0"))
		Expect(due("publication")).To(Equal("0"), "it waits no more")
		close(answer)
		w.settle(key)
		Expect(line(work, "pressroom_attempts_in_flight", "publication")).To(Equal("0"))
	})
})

// workMetrics are those of the world's process, of its workspace alone.
func (w *world) workMetrics() *prometheus.Registry {
	GinkgoHelper()
	registry := prometheus.NewRegistry()
	Expect(registry.Register(&controllers.WorkMetrics{
		Cache: client.NewNamespacedClient(w.client, w.namespace), Clock: w.clock, InFlight: map[lifecycle.Work]func() int{
			lifecycle.WorkGeneration:  w.generation.Runs.Len,
			lifecycle.WorkPublication: w.publication.Deliveries.Len,
			lifecycle.WorkEvent:       w.eventDeliveries.Deliveries.Len,
			lifecycle.WorkConnection:  w.sites.Tests.Len,
		},
	})).To(Succeed())
	return registry
}

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
	Expect(found).To(BeTrue(), "%s of %s is not told", metric, kind)
	value, _, _ := strings.Cut(rest, "\n")
	return value
}

// expectBoundedMetrics looks at everything that the process has told of itself.
func (w *world) expectBoundedMetrics() {
	GinkgoHelper()
	docs, err := os.ReadFile(filepath.Join(testenv.Root(), "docs", "operating.md"))
	Expect(err).NotTo(HaveOccurred())
	rules, err := os.ReadFile(filepath.Join(testenv.Root(), "config", "prometheus", "rules.yaml"))
	Expect(err).NotTo(HaveOccurred())
	for _, name := range regexp.MustCompile(`pressroom_\w+`).FindAllString(string(rules), -1) {
		Expect(strings.Contains(string(docs), "`"+name+"`")).To(BeTrue(), "there is no %s for an alert to look at", name)
	}
	ours, told := regexp.MustCompile(`(?m)^(pressroom_\w+?)(?:_bucket|_sum|_count)?(?:\{(.*)\})? `), map[string]bool{}
	for _, found := range ours.FindAllStringSubmatch(scrape(metrics.Registry), -1) {
		name, labels := found[1], found[2]
		told[name] = true
		Expect(strings.Contains(string(docs), "`"+name+"`")).To(BeTrue(), "docs/operating.md does not list %s", name)
		for label := range strings.SplitSeq(labels, ",") {
			Expect(label).To(Or(BeEmpty(), MatchRegexp(`^le="[0-9.e+Inf]+"$`), MatchRegexp(`^(outcome|kind)="[A-Za-z]{1,40}"$`)))
		}
	}
	for _, want := range []string{
		"pressroom_generation_attempts_total", "pressroom_generation_attempt_duration_seconds", "pressroom_delivery_attempts_total",
		"pressroom_delivery_attempt_duration_seconds", "pressroom_deliveries_total",
		"pressroom_connection_tests_total", "pressroom_connection_test_duration_seconds", "pressroom_attempts_in_flight", "pressroom_oldest_due_seconds",
	} {
		Expect(told).To(HaveKey(want))
	}
	Expect(scrape(metrics.Registry)).To(ContainSubstring(`pressroom_deliveries_total{outcome="` + v1alpha1.ReasonDelivered + `"}`))
}
