package controllers_test

import (
	"context"
	"net/http"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/internal/tracing"
	. "github.com/pressroom-dev/pressroom/test/controllertest"
	"github.com/pressroom-dev/pressroom/test/facadetest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// One article is followed from the request to the receivers, over processes that share only its objects.
var _ = Describe("A trace", func() {
	var (
		t                  *tenant
		facade, controller *tracetest.InMemoryExporter
	)

	BeforeEach(func() {
		t = newTenant()
		t.CreateSite()
		facade, controller = tracetest.NewInMemoryExporter(), tracetest.NewInMemoryExporter()
	})

	It("goes from the request over the run and the revision to the site and to the subscriptions", func() {
		hook := t.Subscribe("newsroom")
		traceTo(facade)
		key := t.generateOver(t.facade())
		request := accepted(facade)
		traceTo(controller)
		Expect(request.SpanKind).To(Equal(trace.SpanKindServer))
		Expect(t.GetArticle(key).Annotations).To(HaveKeyWithValue(v1alpha1.TraceParentAnnotation,
			"00-"+request.SpanContext.TraceID().String()+"-"+request.SpanContext.SpanID().String()+"-01"))

		t.Client.Writes()
		t.ReconcileUntilStable(key)
		t.ApproveAndPublish(key)
		t.ReconcileUntilStable(key)
		Expect(t.Client.Writes()).To(HaveLen(9), "the take-over of the charge, and with the two of the request the 10 of an article without a trace")
		t.DispatchAndDeliver(key)
		Expect(t.Receiver.Received()).To(HaveLen(1))
		Expect(hook.Received()).To(HaveLen(3))

		for name, count := range map[string]int{
			"generation attempt": 1, "revision": 1, "publication attempt": 1, "event": 3, "event attempt": 3,
		} {
			spans := named(controller, name)
			Expect(spans).To(HaveLen(count), name)
			for _, span := range spans {
				Expect(span.SpanContext.TraceID()).To(Equal(request.SpanContext.TraceID()), name)
			}
		}
		run, sent, told := named(controller, "generation attempt")[0], named(controller, "publication attempt")[0], named(controller, "event attempt")[0]
		Expect(run.Parent.SpanID()).To(Equal(request.SpanContext.SpanID()))
		Expect(values(run)).To(And(HaveKeyWithValue("pressroom.outcome", "Succeeded"), HaveKeyWithValue("gen_ai.usage.output_tokens", "1000")))
		attempt := t.GetArticle(key).Status.Publication.Attempts[0]
		Expect(values(sent)).To(And(
			HaveKeyWithValue("pressroom.attempt", attempt.ID), HaveKeyWithValue("pressroom.outcome", "Accepted"),
			HaveKeyWithValue("http.response.status_code", "200"), HaveKeyWithValue("pressroom.article", key.Name)))
		Expect(values(told)).To(HaveKeyWithValue("pressroom.subscription", "newsroom"))
		ids := map[trace.SpanID]bool{}
		for _, span := range named(controller, "event") {
			ids[span.SpanContext.SpanID()] = true
		}
		Expect(ids).To(HaveKey(told.Parent.SpanID()), "an attempt is a child of its event")

		for _, got := range append(t.Receiver.Received(), hook.Received()...) {
			Expect(got.Header).NotTo(Or(HaveKey("Traceparent"), HaveKey("Tracestate"), HaveKey("Baggage")), "the contract names the headers")
		}
		said := text(facade) + text(controller)
		for _, secret := range []string{"trail running shoes", "grip", "Because", "127.0.0.1", SigningSecret, EventSecret, "https://acme.example"} {
			Expect(said).NotTo(ContainSubstring(secret))
		}
	})

	It("of an article that came by kubectl is one too, in any process", func() {
		traceTo(controller)
		t.Receiver.AnswersStatus(http.StatusServiceUnavailable)
		key := t.CreateArticle("shoes", WithText("Shoes", "Text."), ApprovedInManifest, ToBePublished)
		t.ReconcileUntilStable(key)
		t.Restart()
		traceTo(controller)
		t.Clock.Step(retryIn)
		t.ReconcileUntilStable(key)
		attempts := named(controller, "publication attempt")
		Expect(attempts).To(HaveLen(2))
		Expect(attempts[0].SpanContext.TraceID()).To(Equal(attempts[1].SpanContext.TraceID()))
		Expect(attempts[1].Status.Description).To(Equal("Rejected"))
		Expect(values(attempts[1])).To(And(HaveKeyWithValue("pressroom.attempt.number", "2"), HaveKeyWithValue("error.type", "ServerError")))
		Expect(t.GetArticle(key).Annotations).NotTo(HaveKey(v1alpha1.TraceParentAnnotation), "nothing is written into a manifest")
	})

	It("is of its own for a test of a site's connection", func() {
		traceTo(controller)
		t.Receiver.AnswersStatus(http.StatusInternalServerError)
		t.RequestTest("first")
		t.ReconcileSiteUntilStable()
		spans := named(controller, "connection test")
		Expect(spans).To(HaveLen(1))
		Expect(spans[0].Parent.IsValid()).To(BeFalse())
		Expect(spans[0].SpanKind).To(Equal(trace.SpanKindClient))
		Expect(values(spans[0])).To(Equal(map[string]string{
			"pressroom.workspace": t.Namespace, "pressroom.site": "acme", "pressroom.attempt": t.GetSite().Status.ConnectionTest.ID,
			"pressroom.outcome": "Rejected", "http.response.status_code": "500", "error.type": "ServerError",
		}))
	})

	It("is not begun where traces are off", func() {
		hook := t.Subscribe("newsroom")
		key := t.generateOver(t.facade())
		t.ReconcileUntilStable(key)
		t.DispatchAndDeliver(key)
		Expect(hook.Received()).To(HaveLen(1))
		Expect(t.GetArticle(key).Annotations).NotTo(HaveKey(v1alpha1.TraceParentAnnotation))
		Expect(t.Deliveries("newsroom")[0].Annotations).To(BeEmpty())
	})

	It("ends where the sampler leaves the request out", func() {
		hook := t.Subscribe("newsroom")
		GinkgoT().Setenv("OTEL_TRACES_SAMPLER", "always_off")
		traceTo(facade)
		key := t.generateOver(t.facade())
		// The controllers follow the request's decision, though their own sampler leaves nothing out.
		GinkgoT().Setenv("OTEL_TRACES_SAMPLER", "parentbased_always_on")
		traceTo(controller)
		t.ReconcileUntilStable(key)
		t.DispatchAndDeliver(key)
		Expect(hook.Received()).To(HaveLen(1))
		Expect(t.GetArticle(key).Annotations).To(HaveKeyWithValue(v1alpha1.TraceParentAnnotation, HaveSuffix("-00")))
		Expect(append(facade.GetSpans(), controller.GetSpans()...)).To(BeEmpty())
	})
})

// retryIn is past the wait before a delivery's first retry.
const retryIn = 11e9

// traceTo sends the spans that start from now on to an exporter, as a process of their own would. The spec's end turns
// tracing off.
func traceTo(spans *tracetest.InMemoryExporter) {
	GinkgoHelper()
	provider, err := tracing.NewProvider(context.Background(), "test", "", sdktrace.NewSimpleSpanProcessor(spans))
	Expect(err).NotTo(HaveOccurred())
	otel.SetTracerProvider(provider)
	DeferCleanup(func() { otel.SetTracerProvider(noop.NewTracerProvider()) })
}

// accepted is the span of the request that made an article. A span ends after its answer.
func accepted(spans *tracetest.InMemoryExporter) tracetest.SpanStub {
	GinkgoHelper()
	var found tracetest.SpanStub
	Eventually(func() map[string]string {
		for _, span := range named(spans, "POST /v1/api/generate") {
			found = span
		}
		return values(found)
	}).Should(HaveKeyWithValue("http.response.status_code", "202"))
	return found
}

func named(spans *tracetest.InMemoryExporter, name string) tracetest.SpanStubs {
	var found tracetest.SpanStubs
	for _, span := range spans.GetSpans() {
		if span.Name == name {
			found = append(found, span)
		}
	}
	return found
}

// values of a span's attributes.
func values(span tracetest.SpanStub) map[string]string {
	found := map[string]string{}
	for _, a := range span.Attributes {
		found[string(a.Key)] = a.Value.String()
	}
	return found
}

// text is everything that spans say.
func text(spans *tracetest.InMemoryExporter) string {
	GinkgoHelper()
	var said strings.Builder
	say := func(attributes []attribute.KeyValue) {
		for _, a := range attributes {
			said.WriteString(string(a.Key) + "=" + a.Value.String() + "\n")
		}
	}
	for _, span := range spans.GetSpans() {
		said.WriteString(span.Name + "\n" + span.Status.Description + "\n")
		say(span.Attributes)
		for _, event := range span.Events {
			said.WriteString(event.Name + "\n")
			say(event.Attributes)
		}
	}
	return said.String()
}

// facade starts a replica of the REST API and returns its address.
func (t *tenant) facade() string {
	GinkgoHelper()
	namespace := &corev1.Namespace{}
	namespace.Name = facadetest.SystemNamespace
	if err := api.Create(t.Ctx, namespace); !apierrors.IsAlreadyExists(err) {
		Expect(err).NotTo(HaveOccurred())
	}
	// The roles are not part of this suite: the facade has the rights of an administrator.
	facade := facadetest.Start(cluster, func(o *apiserver.Options) { o.Config, o.Clock = cluster.Config, t.Clock })
	DeferCleanup(facade.Stop)
	return facade.URL
}

// generateOver asks the REST API for an article, as a client that has a trace of its own.
func (t *tenant) generateOver(address string) client.ObjectKey {
	GinkgoHelper()
	object, key := testkit.NewAPIKey(t.Account, v1alpha1.ScopeWrite)
	Expect(api.Create(t.Ctx, object)).To(Succeed())
	body := map[string]any{
		"site_uid": identity.UID(identity.KindSite, t.Namespace, "acme"), "keyword": "trail running shoes", "secondary_keywords": []string{"grip"},
	}
	var got testkit.Answer
	// Until the replica has seen the workspace, the site and the key.
	Eventually(func(g Gomega) {
		request := testkit.NewRequest(http.MethodPost, address+"/v1/api/generate", body, "x-api-key", key, "x-workspace-id", t.Namespace,
			"traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "tracestate", "vendor=secret")
		var err error
		got, err = testkit.TrySend(http.DefaultClient, request)
		g.Expect(err).NotTo(HaveOccurred())
		g.Expect(got.Status).To(Equal(http.StatusAccepted), got.Raw)
	}, "2m").Should(Succeed())
	return client.ObjectKey{Namespace: t.Namespace, Name: got.Text("blog_uid")}
}
