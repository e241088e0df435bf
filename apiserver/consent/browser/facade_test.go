//go:build e2e

package browser_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"sync/atomic"

	"github.com/oauth2-proxy/mockoidc"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"

	"github.com/pressroom-dev/pressroom/apiserver"
	"github.com/pressroom-dev/pressroom/apiserver/login"
	"github.com/pressroom-dev/pressroom/test/facadetest"
	"github.com/pressroom-dev/pressroom/test/testkit"
)

// facade is a running facade, under the address by which the outside knows it.
type facade struct{ url string }

var (
	// byKey is reached as with `make run`: plain HTTP on loopback, signing in with an API key.
	byKey *facade
	// behindTLS is reached as in production: through a proxy that speaks TLS, signing in at an OpenID Connect issuer.
	behindTLS *facade
	// organisation is that issuer.
	organisation *mockoidc.MockOIDC
)

// start runs a facade as `pressroom apiserver` does, until the suite is over, and returns where it listens.
func start(change func(*apiserver.Options)) string {
	GinkgoHelper()
	keys := facadetest.NewSessionKeys()
	started := facadetest.Start(cluster, func(o *apiserver.Options) {
		o.Log, o.Pages.SessionKeyFile = zap.New(zap.WriteTo(GinkgoWriter)), keys
		// No person is as fast as a test.
		o.Pages.VisitsPerSecond = 1000
		change(o)
	})
	DeferCleanup(started.Stop)
	return started.URL
}

func startFacade() *facade {
	GinkgoHelper()
	return &facade{url: start(func(*apiserver.Options) {})}
}

func startFacadeBehindTLS() (*facade, *mockoidc.MockOIDC) {
	GinkgoHelper()
	issuer, err := mockoidc.Run()
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(issuer.Shutdown)
	var behind atomic.Pointer[url.URL]
	front := httptest.NewTLSServer(testkit.WholeBodies(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(behind.Load())
		r.SetXForwarded()
		r.Out.Host = r.In.Host
	}}))
	DeferCleanup(front.Close)
	secret := filepath.Join(GinkgoT().TempDir(), "secret")
	Expect(os.WriteFile(secret, []byte(issuer.ClientSecret+"\n"), 0o600)).To(Succeed())
	to, err := url.Parse(start(func(o *apiserver.Options) {
		o.BaseURL = front.URL
		o.Pages.TrustedProxies = login.Proxies{netip.MustParsePrefix("127.0.0.0/8")}
		o.Pages.OIDCIssuer, o.Pages.OIDCClientID, o.Pages.OIDCClientSecretFile = issuer.Issuer(), issuer.ClientID, secret
	}))
	Expect(err).NotTo(HaveOccurred())
	behind.Store(to)
	return &facade{url: front.URL}, issuer
}

// hasSeen reports whether a facade has seen an account.
func (f *facade) hasSeen(a *account) bool {
	status, _ := a.call(f, http.MethodGet, "/v1/api/sites", nil)
	return status == http.StatusOK
}
