//go:build e2e

package browser_test

import (
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/pressroom-dev/pressroom/test/browsertest"
	"github.com/pressroom-dev/pressroom/test/dashboardtest"
)

func TestDashboardInABrowser(t *testing.T) {
	RegisterFailHandler(Fail)
	// A busy machine takes its time.
	SetDefaultEventuallyTimeout(2 * time.Minute)
	RunSpecs(t, "Dashboard in a browser")
}

// facades are two replicas.
var facades *dashboardtest.Facades

var _ = BeforeSuite(func() {
	facades = dashboardtest.Start(2)
	browsertest.Start()
})

// window is a window of the browser, on the pages of the dashboard.
type window struct {
	*browsertest.Window
	// opened counts the pages that were opened afresh.
	opened int
}

// signedIn opens a window at a path, in which a tenant has signed in with its key, and waits until something is there to see.
func signedIn(t *dashboardtest.Tenant, path, selector string) *window {
	GinkgoHelper()
	return signedInWith(t.Key, path, selector)
}

// signedInWith is signedIn with another key.
func signedInWith(key, path, selector string) *window {
	GinkgoHelper()
	w := &window{Window: browsertest.Open()}
	w.Watch("preview")
	w.Visit(facades.URLs[0]+path, "#key")
	w.SignIn(key, selector)
	return w
}

// arrive opens an address at which nobody has signed in, once its replica is ready, signs in with a key, and waits as goTo does.
func (w *window) arrive(address, key, selector string) {
	GinkgoHelper()
	Eventually(func() bool {
		w.Visit(address, "body")
		var ready bool
		w.Evaluate(`document.querySelector("#key") !== null`, &ready)
		return ready
	}).Should(BeTrue(), "the page that asks for a key")
	w.SignIn(key, selector)
}

// untilLoaded waits until the script of the page runs too: a page has its text before that, and says nothing of a connection that breaks.
func (w *window) untilLoaded() {
	GinkgoHelper()
	w.Until(`document.readyState === "complete"`)
}

// goTo opens a path, and waits until something is there to see.
func (w *window) goTo(path, selector string) {
	GinkgoHelper()
	w.Visit(facades.URLs[0]+path, selector)
}
