package browser_test

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

// startChromium starts the browser. A machine without one fails: `make unit` installs it.
func startChromium() {
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
	allocator, stop := chromedp.NewExecAllocator(ctx,
		chromedp.ExecPath(path), chromedp.UserDataDir(folder), chromedp.Headless, chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.DisableGPU,
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

// window is a window of the browser, which nobody has signed in with.
type window struct{ ctx context.Context }

func open() *window {
	GinkgoHelper()
	process := cdp.WithExecutor(chromium.ctx, chromedp.FromContext(chromium.ctx).Browser)
	cookies, err := target.CreateBrowserContext().Do(process)
	Expect(err).NotTo(HaveOccurred())
	blank, err := target.CreateTarget("about:blank").WithBrowserContextID(cookies).WithNewWindow(true).Do(process)
	Expect(err).NotTo(HaveOccurred())
	tab, cancel := chromedp.NewContext(chromium.ctx, chromedp.WithTargetID(blank))
	w := &window{ctx: tab}
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

// run has the browser do something.
func (w *window) run(actions ...chromedp.Action) {
	GinkgoHelper()
	step, cancel := context.WithTimeout(w.ctx, stepTimeout)
	defer cancel()
	Expect(chromedp.Run(step, actions...)).To(Succeed())
}

// visit opens an address and waits until something is there to see.
func (w *window) visit(address, selector string) {
	GinkgoHelper()
	w.run(chromedp.Navigate(address))
	w.see(selector)
}

// see waits until something is there to see, in whichever page: one that comes out of the history is not announced as others are.
func (w *window) see(selector string) {
	GinkgoHelper()
	w.until(visible(selector))
}

func visible(selector string) string {
	return fmt.Sprintf(`(e => e !== null && e.checkVisibility())(document.querySelector(%q))`, selector)
}

// leave does what leads to another page, and waits until something is there to see on that one: the page that is left may show
// the like, and stays for a while.
func (w *window) leave(how chromedp.Action, then string) {
	GinkgoHelper()
	w.run(chromedp.Evaluate(`window.left = true`, nil), how)
	w.until("window.left !== true && " + visible(then))
}

// until waits until a condition holds in the page.
func (w *window) until(condition string) {
	GinkgoHelper()
	Eventually(func() bool {
		var holds bool
		step, cancel := context.WithTimeout(w.ctx, stepTimeout)
		defer cancel()
		// Between two pages there is nothing to ask.
		return chromedp.Run(step, chromedp.Evaluate(condition, &holds)) == nil && holds
	}).WithPolling(50*time.Millisecond).Should(BeTrue(), func() string { return condition + " does not come true at " + w.address() + ": " + w.text("body") })
}

// click presses what a mouse is over. It waits until something is there to see on the page that this leads to; then is empty
// if it leads to none.
func (w *window) click(selector, then string) {
	GinkgoHelper()
	w.act(chromedp.Click(selector, chromedp.ByQuery), then)
}

// press presses a key of the keyboard, and waits as click does.
func (w *window) press(key, then string) {
	GinkgoHelper()
	w.act(chromedp.KeyEvent(key), then)
}

func (w *window) act(how chromedp.Action, then string) {
	GinkgoHelper()
	if then == "" {
		w.run(how)
		return
	}
	w.leave(how, then)
}

// back presses the browser's own button.
func (w *window) back(then string) {
	GinkgoHelper()
	w.leave(chromedp.Evaluate(`history.back()`, nil), then)
}

func (w *window) evaluate(script string, into any) {
	GinkgoHelper()
	w.run(chromedp.Evaluate(script, into))
}

func (w *window) address() string {
	var address string
	w.evaluate(`location.href`, &address)
	return address
}

var blanks = regexp.MustCompile(`\s+`)

// text returns what a person reads in a part of the page, on one line.
func (w *window) text(selector string) string {
	var text string
	w.evaluate(fmt.Sprintf(`(e => e === null ? "" : e.innerText)(document.querySelector(%q))`, selector), &text)
	return strings.TrimSpace(blanks.ReplaceAllString(text, " "))
}

// signIn signs in with an API key on the page that is shown.
func (w *window) signIn(key, then string) {
	GinkgoHelper()
	w.see("#key")
	w.run(chromedp.SendKeys("#key", key, chromedp.ByQuery))
	w.click("form[action='/oauth/sign-in'] button", then)
}

// withoutScripts keeps pages from running scripts.
func (w *window) withoutScripts() {
	GinkgoHelper()
	w.run(emulation.SetScriptExecutionDisabled(true))
}
