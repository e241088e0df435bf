// Package browsertest has a real Chromium do what people do with pages: it clicks, types, and looks. Suites of Ginkgo call Start once.
package browsertest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// stepTimeout bounds what the browser is asked at once, on a busy machine.
const stepTimeout = 2 * time.Minute

// chromium is the one browser process. Each spec has a window of its own in it, with cookies of its own.
var chromium browser

// browser is a Chromium that runs.
type browser struct{ ctx context.Context }

// Start starts the browser. A machine without one fails: `make e2e` installs it.
func Start() {
	GinkgoHelper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	Expect(path).NotTo(BeEmpty(), "there is no Chromium: run `sh hack/need.sh chromium`")
	folder, err := os.MkdirTemp("", "pressroom-chromium")
	Expect(err).NotTo(HaveOccurred())
	DeferCleanup(func() {
		// A last file may come when the browser has ended.
		Eventually(func() error { return os.RemoveAll(folder) }).Should(Succeed())
	})
	allocator, stop := chromedp.NewExecAllocator(context.Background(),
		chromedp.ExecPath(path), chromedp.UserDataDir(folder), chromedp.Headless, chromedp.NoSandbox, chromedp.NoFirstRun,
		chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.WindowSize(1100, 1000),
		chromedp.Flag("ignore-certificate-errors", true),
		// chromedp loses sight of a page that comes out of this cache.
		chromedp.Flag("disable-features", "BackForwardCache"),
		chromedp.WSURLReadTimeout(2*time.Minute),
	)
	DeferCleanup(stop)
	process, cancel := chromedp.NewContext(allocator)
	DeferCleanup(func() {
		// It returns when the browser has ended, and writes no more to its folder.
		Expect(chromedp.Cancel(process)).To(Succeed())
		cancel()
	})
	Expect(chromedp.Run(process)).To(Succeed())
	chromium = browser{process}
}

// Window is a window of the browser.
type Window struct {
	ctx context.Context
	// typed is when the last key was pressed, as the page sees it.
	typed time.Time
}

// Open opens a window with cookies of its own, which nobody has signed in with, until the spec ends.
func Open() *Window {
	GinkgoHelper()
	process := cdp.WithExecutor(chromium.ctx, chromedp.FromContext(chromium.ctx).Browser)
	cookies, err := target.CreateBrowserContext().Do(process)
	Expect(err).NotTo(HaveOccurred())
	blank, err := target.CreateTarget("about:blank").WithBrowserContextID(cookies).WithNewWindow(true).Do(process)
	Expect(err).NotTo(HaveOccurred())
	tab, cancel := chromedp.NewContext(chromium.ctx, chromedp.WithTargetID(blank))
	w := &Window{ctx: tab}
	DeferCleanup(func() {
		if CurrentSpecReport().Failed() {
			w.keepFailure()
		}
		cancel()
		Expect(target.DisposeBrowserContext(cookies).Do(process)).To(Succeed())
	})
	// The window lives as long as the context of the first run.
	Expect(chromedp.Run(tab)).To(Succeed())
	return w
}

// Opens returns the window that something opens, such as a popup, until the spec ends.
func (w *Window) Opens(how func()) *Window {
	GinkgoHelper()
	opened := chromedp.WaitNewTarget(w.ctx, func(*target.Info) bool { return true })
	how()
	var id target.ID
	Eventually(opened).Should(Receive(&id))
	tab, cancel := chromedp.NewContext(w.ctx, chromedp.WithTargetID(id))
	DeferCleanup(cancel)
	Expect(chromedp.Run(tab)).To(Succeed())
	return &Window{ctx: tab}
}

// OpenAgain opens the page of the window in another tab.
func (w *Window) OpenAgain() *Window {
	GinkgoHelper()
	// Without the gesture of a person, the browser takes it for an advertisement.
	gesture := func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithUserGesture(true) }
	return w.Opens(func() { w.Run(chromedp.Evaluate(`void window.open(location.href)`, nil, gesture)) })
}

// Front brings the window before those that it has opened: a page behind another one is not drawn.
func (w *Window) Front() {
	GinkgoHelper()
	w.Run(page.BringToFront())
}

// Run has the browser do something.
func (w *Window) Run(actions ...chromedp.Action) {
	GinkgoHelper()
	step, cancel := context.WithTimeout(w.ctx, stepTimeout)
	defer cancel()
	for _, a := range actions {
		Expect(runOnNode(step, a)).To(Succeed())
	}
}

// runOnNode does something again if its element was replaced between being found and being used: nothing has been done then.
func runOnNode(ctx context.Context, a chromedp.Action) error {
	for {
		err := chromedp.Run(ctx, a)
		if err == nil || ctx.Err() != nil || !strings.Contains(err.Error(), "node with given id") {
			return err
		}
	}
}

// Visit opens an address and waits until something is there to see.
func (w *Window) Visit(address, selector string) {
	GinkgoHelper()
	w.Run(chromedp.Navigate(address))
	w.See(selector)
}

// See waits until something is there to see, in any page: one that comes out of the history is not announced as others are.
func (w *Window) See(selector string) {
	GinkgoHelper()
	w.Until(visible(selector))
}

func visible(selector string) string {
	return fmt.Sprintf(`(e => e !== null && e.checkVisibility())(document.querySelector(%q))`, selector)
}

// Leave does what leads to another page, and waits until something is there to see on that one: the page that is left may show
// the like, and stays for a while.
func (w *Window) Leave(how chromedp.Action, then string) {
	GinkgoHelper()
	w.Run(chromedp.Evaluate(`window.left = true`, nil), how)
	w.Until("window.left !== true && " + visible(then))
}

// Until waits until a condition holds in the page.
func (w *Window) Until(condition string) {
	GinkgoHelper()
	Eventually(func() bool {
		var holds bool
		step, cancel := context.WithTimeout(w.ctx, stepTimeout)
		defer cancel()
		// Between two pages there is nothing to ask.
		return chromedp.Run(step, chromedp.Evaluate(condition, &holds)) == nil && holds
	}).WithPolling(50*time.Millisecond).Should(BeTrue(), func() string {
		return condition + " does not come true at " + w.Address() + ": " + w.Text("body")
	})
}

// Evaluate runs a script in the page, and decodes what it results in.
func (w *Window) Evaluate(script string, into any) {
	GinkgoHelper()
	w.Run(chromedp.Evaluate(script, into))
}

// Address is the one of the page.
func (w *Window) Address() string {
	var address string
	w.Evaluate(`location.href`, &address)
	return address
}

var blanks = regexp.MustCompile(`\s+`)

// Text returns what a person reads in a part of the page, on one line.
func (w *Window) Text(selector string) string {
	var text string
	w.Evaluate(fmt.Sprintf(`(e => e === null ? "" : e.innerText)(document.querySelector(%q))`, selector), &text)
	return strings.TrimSpace(blanks.ReplaceAllString(text, " "))
}

// SignIn signs in with an API key on the page that is shown.
func (w *Window) SignIn(key, then string) {
	GinkgoHelper()
	w.See("#key")
	w.Run(chromedp.SendKeys("#key", key, chromedp.ByQuery))
	w.Click("form[action='/oauth/sign-in'] button", then)
}

// WithoutScripts keeps pages from running scripts.
func (w *Window) WithoutScripts() {
	GinkgoHelper()
	w.Run(emulation.SetScriptExecutionDisabled(true))
}

// Tick changes the tick box, or presses the radio button, of a value.
func (w *Window) Tick(values ...string) {
	GinkgoHelper()
	for _, value := range values {
		w.Click(fmt.Sprintf("input[value=%q]", value), "")
	}
}

// TabTo goes through the page in its order until something has the focus, which must be seen wherever it is.
func (w *Window) TabTo(selector string) {
	GinkgoHelper()
	for range 40 {
		var there bool
		w.Evaluate(fmt.Sprintf("document.activeElement.matches(%q)", selector), &there)
		if there {
			return
		}
		w.Press("\t", "")
		var shown bool
		w.Evaluate(`getComputedStyle(document.activeElement).outlineStyle !== "none"`, &shown)
		Expect(shown).To(BeTrue(), "nothing shows where the focus is")
	}
	Fail("the keyboard does not reach " + selector)
}
