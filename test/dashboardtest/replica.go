package dashboardtest

import (
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/test/facadetest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// Replica is a facade behind a proxy, which stays when the facade ends: it answers 502 then.
type Replica struct {
	// URL is the proxy's address, which is that of the pages.
	URL string
	// Stop stops the facade.
	Stop func()

	// Meddle, if it is set, handles each request with a handler that passes it on to the facade.
	Meddle atomic.Pointer[func(w http.ResponseWriter, q *http.Request, pass http.Handler)]

	facades *Facades
	change  []func(*apiserver.Options)
	// facade is the address that the proxy passes requests on to.
	facade atomic.Pointer[url.URL]
}

// StartReplica starts a facade behind a proxy, with options that are changed.
func (f *Facades) StartReplica(change ...func(*apiserver.Options)) *Replica {
	GinkgoHelper()
	r := &Replica{facades: f, change: change}
	proxy := testkit.WholeBodies(&httputil.ReverseProxy{
		// Streams are passed on as they come.
		FlushInterval: -1,
		ErrorLog:      log.New(GinkgoWriter, "", 0),
		Rewrite: func(q *httputil.ProxyRequest) {
			q.SetURL(r.facade.Load())
			q.Out.Host = q.In.Host
		},
	})
	front := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if meddle := r.Meddle.Load(); meddle != nil {
			(*meddle)(w, q, proxy)
			return
		}
		proxy.ServeHTTP(w, q)
	}))
	DeferCleanup(front.Close)
	r.URL = front.URL
	r.Start()
	return r
}

// Start starts the facade again after it was stopped.
func (r *Replica) Start() {
	GinkgoHelper()
	started := facadetest.Start(r.facades.Cluster, func(o *apiserver.Options) {
		o.Log, o.Pages.SessionKeyFile, o.BaseURL = zap.New(zap.WriteTo(GinkgoWriter)), r.facades.keys, r.URL
		// No person is as fast as a test.
		o.Pages.VisitsPerSecond = 1000
		for _, change := range r.change {
			change(o)
		}
	})
	to, err := url.Parse(started.URL)
	Expect(err).NotTo(HaveOccurred())
	r.facade.Store(to)
	r.Stop = started.Stop
}
