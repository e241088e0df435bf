// Package dashboardtest runs the dashboard as it is assembled, with accounts, sites and articles behind it, for the suites that read its
// pages and for those that look at them in a browser.
package dashboardtest

import (
	"context"
	"crypto/tls"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

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
		replica := w.StartReplica()
		DeferCleanup(replica.Stop)
		w.URLs = append(w.URLs, replica.URL)
	}
	return w
}
