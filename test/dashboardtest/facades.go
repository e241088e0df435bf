// Package dashboardtest runs the dashboard as it is assembled, with accounts, sites and articles behind it, for the suites that read its
// pages and for those that look at them in a browser.
package dashboardtest

import (
	"crypto/tls"
	"net/http"
	"time"

	. "github.com/onsi/ginkgo/v2"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/pressroom-dev/pressroom/test/facadetest"
	"github.com/pressroom-dev/pressroom/test/testenv"
)

// Facades are replicas of the facade in front of a control plane. Their clock is the real one.
type Facades struct {
	Cluster *testenv.Cluster
	// API is a client of kube-apiserver with the rights of an administrator.
	API client.Client
	// URLs are those of the replicas, behind a proxy that speaks TLS.
	URLs []string

	// keys is the file of the session keys.
	keys string
	http *http.Client
}

// Start runs a control plane and so many replicas of the facade, which have the same session keys, until the suite is over.
func Start(replicas int) *Facades {
	GinkgoHelper()
	f := &Facades{Cluster: facadetest.StartCluster()}
	f.API = f.Cluster.Client
	// Nobody has signed the certificate of the proxy.
	f.http = &http.Client{Timeout: time.Minute, Transport: &http.Transport{
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
	f.keys = facadetest.NewSessionKeys()
	for range replicas {
		replica := f.StartReplica()
		DeferCleanup(replica.Stop)
		f.URLs = append(f.URLs, replica.URL)
	}
	return f
}
