// Package dashboardtest runs the dashboard as it is assembled, with accounts, sites and articles behind it, for the suites that read its
// pages and for those that look at them in a browser.
package dashboardtest

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/apiserver/facadetest"
	"github.com/pressroom-dev/pressroom/internal/testenv"
)

// World is a control plane with facades in front of it. Their clock is the real one.
type World struct {
	Cluster *testenv.Cluster
	// API is a client of kube-apiserver with the rights of an administrator.
	API client.Client
	// URLs are those of the replicas, behind a proxy that speaks TLS.
	URLs []string

	// keys is the file of the session keys.
	keys string
	ctx  context.Context
	http *http.Client
}

// Start runs a control plane and so many replicas of the facade, which have the same session keys, until the suite is over.
func Start(replicas int) *World {
	GinkgoHelper()
	w := &World{Cluster: facadetest.StartCluster(), ctx: context.Background()}
	w.API = w.Cluster.Client
	// Nobody has signed the certificate of the proxy.
	w.http = &http.Client{Timeout: time.Minute, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
	w.keys = facadetest.NewSessionKeys()
	for range replicas {
		address, stop := w.StartReplica()
		DeferCleanup(stop)
		w.URLs = append(w.URLs, address)
	}
	return w
}

// StartReplica starts a facade behind a proxy, and returns the proxy's address, which is that of the pages, and what stops the facade.
func (w *World) StartReplica() (address string, stop func()) {
	GinkgoHelper()
	var behind *httputil.ReverseProxy
	front := httptest.NewTLSServer(http.HandlerFunc(func(out http.ResponseWriter, q *http.Request) { behind.ServeHTTP(out, q) }))
	DeferCleanup(front.Close)
	started := facadetest.Start(w.Cluster, func(o *apiserver.Options) {
		o.Log, o.Pages.SessionKeyFile, o.BaseURL = zap.New(zap.WriteTo(GinkgoWriter)), w.keys, front.URL
	})
	to, err := url.Parse(started.URL)
	Expect(err).NotTo(HaveOccurred())
	behind = &httputil.ReverseProxy{
		// Streams are passed on as they come.
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host
		},
	}
	return front.URL, started.Stop
}
