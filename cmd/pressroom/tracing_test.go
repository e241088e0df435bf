package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"google.golang.org/protobuf/proto"

	"github.com/pressroom-dev/pressroom/api/v1alpha1"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/internal/identity"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

var _ = Describe("The servers", func() {
	const workspace = "traced-blog"

	It("send the spans of an article to the collector that the environment names, the last when they stop", func() {
		spans := newSpanCollector()
		GinkgoT().Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", spans.URL)
		// So that only the end of the processes sends them.
		GinkgoT().Setenv("OTEL_BSP_SCHEDULE_DELAY", "600000")
		receiver := testkit.NewReceiver()
		receiver.AnswersStatus(http.StatusOK)
		key := makeTracedTenant(workspace, receiver.URL)

		address := freeAddress()
		stopAPIServer := serve("apiserver", "--bind-address="+address, "--metrics-bind-address=0", "--health-probe-bind-address=0")
		stopController := serve("controller", "--leader-elect=false", "--metrics-bind-address=0", "--health-probe-bind-address=0", "--allow-cidr=127.0.0.0/8")
		Eventually(func(g Gomega) {
			body := map[string]any{"site_uid": identity.UID(identity.KindSite, workspace, "acme"), "keyword": "trail shoes"}
			got, err := testkit.TrySend(http.DefaultClient, testkit.NewRequest(http.MethodPost, "http://"+address+"/v1/api/generate", body,
				"x-api-key", key, "x-workspace-id", workspace))
			g.Expect(err).NotTo(HaveOccurred())
			g.Expect(got.Status).To(Equal(http.StatusAccepted), got.Raw)
		}, "3m").Should(Succeed())
		Eventually(func(g Gomega) {
			var articles v1alpha1.ArticleList
			g.Expect(api.List(context.Background(), &articles, client.InNamespace(workspace))).To(Succeed())
			g.Expect(articles.Items).To(HaveLen(1))
			g.Expect(articles.Items[0].Status.Phase).To(Equal(v1alpha1.PhasePublished))
		}, "3m").Should(Succeed())
		Expect(spans.traces("pressroom-controller", "publication attempt")).To(BeEmpty())
		stopAPIServer()
		stopController()

		sent := spans.traces("pressroom-controller", "publication attempt")
		Expect(sent).To(HaveLen(1))
		Expect(spans.traces("pressroom-controller", "generation attempt")).To(Equal(sent))
		Expect(spans.traces("pressroom-apiserver", "POST /v1/api/generate")).To(ContainElement(sent[0]))
		// docs/how-to/monitor.md promises this to those who hand traces to somebody else.
		for _, what := range []string{"trail shoes", tracedSecret, key, strings.TrimPrefix(receiver.URL, "http://")} {
			Expect(spans.text()).NotTo(ContainSubstring(what))
		}
	})

	It("do not start with an endpoint that cannot be used", func() {
		GinkgoT().Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4317")
		for _, server := range []string{"apiserver", "controller"} {
			Expect(pressroom(server).err).To(MatchError(ContainSubstring("OTEL_EXPORTER_OTLP_ENDPOINT")))
		}
	})
})

// serve runs a server in a process of its own, until what it returns is called or the spec ends.
func serve(args ...string) (stop func()) {
	GinkgoHelper()
	server := startServer(args...)
	stop = sync.OnceFunc(func() {
		GinkgoHelper()
		Expect(server.Process.Signal(syscall.SIGTERM)).To(Succeed())
		Expect(server.Wait()).To(Succeed())
	})
	DeferCleanup(stop)
	return stop
}

// startServer starts a server as a process of its own.
func startServer(args ...string) *exec.Cmd {
	GinkgoHelper()
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	server := exec.Command(self, append(args, "--kubeconfig="+kubeconfig, "--zap-log-level=error")...)
	server.Env = append(os.Environ(), runAsPressroom+"=1")
	server.Stdout, server.Stderr = GinkgoWriter, GinkgoWriter
	Expect(server.Start()).To(Succeed())
	return server
}

// tracedSecret signs what the traced site is sent.
const tracedSecret = "a-long-random-string"

// makeTracedTenant makes a workspace whose site publishes what is generated, and returns a key to it.
func makeTracedTenant(workspace, url string) string {
	GinkgoHelper()
	ctx := context.Background()
	account, secret := &v1alpha1.Account{}, &corev1.Secret{}
	account.Name = "traced"
	secret.Namespace, secret.Name, secret.StringData = workspace, "webhook", map[string]string{"secret": tracedSecret}
	site := &v1alpha1.Site{Spec: v1alpha1.SiteSpec{
		Domain: "acme.example", Review: v1alpha1.SiteReview{Policy: v1alpha1.ReviewAutomatic},
		Publishing: v1alpha1.SitePublishing{DefaultStage: v1alpha1.DefaultStagePublished},
		CMS: v1alpha1.SiteCMS{Type: v1alpha1.CMSHeadless, Headless: &v1alpha1.HeadlessConnection{
			URL: url, SigningSecretRef: v1alpha1.SecretKeyReference{Name: "webhook", Key: "secret"},
		}},
	}}
	site.Namespace, site.Name = workspace, "acme"
	object, key := testkit.NewAPIKey(account.Name, v1alpha1.ScopeWrite)
	for _, object := range []client.Object{account, testkit.NewWorkspace(workspace, account.Name), secret, site, object} {
		Expect(api.Create(ctx, object)).To(Succeed())
	}
	return key
}

// freeAddress is one that nobody listens on, and that nobody gets who asks for any.
func freeAddress() string {
	GinkgoHelper()
	free, err := ports.Free(context.Background())
	Expect(err).NotTo(HaveOccurred())
	return ports.Address(free.API)
}

// spanCollector takes what is sent by OTLP over HTTP.
type spanCollector struct {
	*httptest.Server
	mu   sync.Mutex
	sent []*collector.ExportTraceServiceRequest
}

func newSpanCollector() *spanCollector {
	c := &spanCollector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		defer GinkgoRecover()
		body, err := io.ReadAll(r.Body)
		Expect(err).NotTo(HaveOccurred())
		request := &collector.ExportTraceServiceRequest{}
		Expect(proto.Unmarshal(body, request)).To(Succeed())
		c.mu.Lock()
		defer c.mu.Unlock()
		c.sent = append(c.sent, request)
	}))
	DeferCleanup(c.Close)
	return c
}

// text is all that was sent, as text.
func (c *spanCollector) text() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all strings.Builder
	for _, request := range c.sent {
		all.WriteString(request.String())
	}
	return all.String()
}

// traces are the ids of the traces of a program's spans of a name.
func (c *spanCollector) traces(program, name string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var ids []string
	for _, request := range c.sent {
		for _, resource := range request.GetResourceSpans() {
			for _, attribute := range resource.GetResource().GetAttributes() {
				if attribute.GetKey() != "service.name" || attribute.GetValue().GetStringValue() != program {
					continue
				}
				for _, scope := range resource.GetScopeSpans() {
					for _, span := range scope.GetSpans() {
						if span.GetName() == name {
							ids = append(ids, string(span.GetTraceId()))
						}
					}
				}
			}
		}
	}
	return ids
}
