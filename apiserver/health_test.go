package apiserver_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/go-logr/logr"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/hack/dev/ports"
	"github.com/pressroom-dev/pressroom/test/facadetest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// freeAddress is an address on loopback that nobody listens on, and that nobody gets who asks for any.
func freeAddress() string {
	GinkgoHelper()
	free, err := ports.Free(ctx)
	Expect(err).NotTo(HaveOccurred())
	return ports.Address(free.API)
}

func fetch(url string) (int, string) {
	GinkgoHelper()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	Expect(err).NotTo(HaveOccurred())
	response, err := httpClient.Do(q)
	Expect(err).NotTo(HaveOccurred())
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	Expect(err).NotTo(HaveOccurred())
	return response.StatusCode, string(body)
}

var _ = Describe("A replica", func() {
	It("says when it is ready, and counts requests by route", func() {
		health, metrics := freeAddress(), freeAddress()
		r := startForSpec(func(o *apiserver.Options) { o.HealthProbeBindAddress, o.MetricsBindAddress = health, metrics })
		status, _ := fetch("http://" + health + "/healthz")
		Expect(status).To(Equal(200))
		Eventually(func() int {
			status, _ := fetch("http://" + health + "/readyz")
			return status
		}).Should(Equal(200))
		t := newTenant(r)
		r.ask(t, "GET", "/v1/api/blogs/0198f0a1-0000-7000-8000-00000000aaaa", nil)
		r.ask(t, "GET", "/somewhere/else", nil)
		_, text := fetch("http://" + metrics + "/metrics")
		Expect(text).To(ContainSubstring(`pressroom_http_requests_total{code="404",method="GET",route="/v1/api/blogs/:uid",via="network"} 1`))
		Expect(text).To(ContainSubstring(`pressroom_http_requests_total{code="404",method="GET",route="none",via="network"} 1`))
		Expect(text).To(ContainSubstring(`pressroom_http_request_duration_seconds_count{method="GET",route="/v1/api/blogs/:uid",via="network"} 1`))
		Expect(text).To(ContainSubstring("rest_client_requests_total"))
		Expect(text).NotTo(ContainSubstring("0198f0a1"))
	})

	It("is not ready, and answers 503, while it has not reached kube-apiserver", func() {
		health := freeAddress()
		r := startForSpec(func(o *apiserver.Options) { o.HealthProbeBindAddress, o.Config.Host = health, "https://"+freeAddress() })
		status, _ := fetch("http://" + health + "/readyz")
		Expect(status).To(Equal(503))
		status, _ = fetch("http://" + health + "/healthz")
		Expect(status).To(Equal(200))
		Expect(r.ask(&tenant{testkit.Tenant{Key: "k"}}, "GET", "/v1/api/sites", nil)).To(failing(503, "UNAVAILABLE"))
	})

	It("refuses at once an address that is in use", func() {
		_, err := apiserver.New(apiserver.Options{
			Config: cluster.Config, SystemNamespace: systemNamespace, Log: logr.Discard(), BindAddress: strings.TrimPrefix(shared.URL, "http://"),
		})
		Expect(err).To(MatchError(ContainSubstring("address already in use")))
	})

	It("answers what is under way when it ends", func() {
		running, cancel := context.WithCancel(ctx)
		server, err := apiserver.New(apiserver.Options{
			Config: cluster.Config, SystemNamespace: systemNamespace, Log: logr.Discard(), BindAddress: "127.0.0.1:0",
			MetricsBindAddress: apiserver.Off, HealthProbeBindAddress: apiserver.Off,
		})
		Expect(err).NotTo(HaveOccurred())
		done := make(chan error, 1)
		go func() { done <- server.Run(running) }()
		r := &replica{&facadetest.Facade{URL: server.URL()}}
		t := newTenant(r)

		// The body of this request comes in two parts, with the end between them.
		c, err := net.Dial("tcp", strings.TrimPrefix(r.URL, "http://"))
		Expect(err).NotTo(HaveOccurred())
		defer c.Close()
		body := fmt.Sprintf(`{"site_uid":%q,"keyword":"trail shoes"}`, t.SiteUID)
		_, err = fmt.Fprintf(c, "POST /v1/api/generate HTTP/1.1\r\nHost: x\r\nx-api-key: %s\r\nx-workspace-id: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
			t.Key, t.Workspace, len(body))
		Expect(err).NotTo(HaveOccurred())
		first := make([]byte, 512)
		n, err := c.Read(first)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(first[:n])).To(ContainSubstring("100 Continue"), "the request is under way")
		cancel()
		Eventually(func() error { _, err := net.Dial("tcp", strings.TrimPrefix(r.URL, "http://")); return err }).Should(HaveOccurred())
		Consistently(done, "100ms").ShouldNot(Receive())
		_, err = fmt.Fprint(c, body)
		Expect(err).NotTo(HaveOccurred())
		rest, err := io.ReadAll(c)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(rest)).To(ContainSubstring("202 Accepted"))
		Eventually(done).Should(Receive(BeNil()))
	})
})
