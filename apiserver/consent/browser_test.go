package consent_test

import (
	"context"
	_ "embed"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/pressroom-dev/pressroom/internal/testenv"
)

// axe is axe-core 4.14.1, unchanged, under the Mozilla Public License 2.0 beside it.
//
//go:embed testdata/axe/axe.min.js
var axe string

// stepTimeout bounds what the browser is asked at once, on a busy machine.
const stepTimeout = time.Minute

// browser is a real Chromium in front of the pages.
type browser struct {
	t   *testing.T
	ctx context.Context
	// pages and app are the addresses of the pages and of the app that asks.
	pages, app string
}

// newBrowser starts Chromium. A machine without one fails: `make unit` installs it.
func newBrowser(t *testing.T, w http.Handler) *browser {
	t.Helper()
	pages := httptest.NewServer(w)
	t.Cleanup(pages.Close)
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if q.URL.Path == "/frame" {
			fmt.Fprintf(w, `<!doctype html><title>frame</title><iframe src="%s"></iframe>`, q.URL.Query().Get("of"))
			return
		}
		fmt.Fprint(w, `<!doctype html><title>app</title><p id="arrived">arrived</p>`)
	}))
	t.Cleanup(app.Close)
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		t.Fatal("there is no Chromium: run `sh hack/need.sh chromium`")
	}
	allocator, stop := chromedp.NewExecAllocator(context.WithoutCancel(t.Context()),
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.Headless, chromedp.NoSandbox, chromedp.NoFirstRun, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true), chromedp.WindowSize(1100, 1000),
		// chromedp loses sight of a page that comes out of this cache.
		chromedp.Flag("disable-features", "BackForwardCache"),
		chromedp.WSURLReadTimeout(2*time.Minute),
	)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocator)
	ctx, cancelTime := context.WithTimeout(ctx, 4*time.Minute)
	t.Cleanup(func() {
		// It returns when the browser has ended, and writes no more to its folder.
		if err := chromedp.Cancel(ctx); err != nil {
			t.Error("stopping the browser:", err)
		}
		cancelTime()
		cancel()
	})
	// The browser lives as long as the context of the first run.
	if err := chromedp.Run(ctx); err != nil {
		t.Fatal("starting the browser:", err)
	}
	return &browser{t: t, ctx: ctx, pages: pages.URL, app: app.URL}
}

func (b *browser) run(actions ...chromedp.Action) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) asking(pairs ...string) string {
	return b.pages + asking(append([]string{"redirect_uri", b.app + "/callback?tenant=a%20b"}, pairs...)...)
}

// arrived returns the parameters that the app was reached with.
func (b *browser) arrived() url.Values {
	b.t.Helper()
	var where string
	b.run(chromedp.WaitVisible("#arrived", chromedp.ByQuery), chromedp.Location(&where))
	u, err := url.Parse(where)
	if err != nil || !strings.HasPrefix(where, b.app+"/callback?tenant=a%20b&") {
		b.t.Fatalf("the browser is at %s (%v)", where, err)
	}
	return u.Query()
}

// signIn opens a page and signs in by keyboard alone.
func (b *browser) signIn(address, key string) {
	b.t.Helper()
	b.run(chromedp.Navigate(address), chromedp.WaitVisible("#key", chromedp.ByQuery), chromedp.SendKeys("#key", key+"\r", chromedp.ByQuery),
		chromedp.WaitVisible(".person", chromedp.ByQuery))
}

// look keeps a screenshot in light, in dark and as a phone shows it, and lets axe look for what keeps people out.
func (b *browser) look(name string) {
	b.t.Helper()
	for _, l := range []struct {
		name, scheme string
		width        int64
	}{{"light", "light", 900}, {"dark", "dark", 900}, {"phone", "light", 360}} {
		var shot []byte
		b.run(
			emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: l.scheme}}),
			emulation.SetDeviceMetricsOverride(l.width, 900, 1, l.width < 500),
			chromedp.FullScreenshot(&shot, 100),
		)
		b.keep(name+"-"+l.name+".png", shot)
		b.accessible(name + " in " + l.name)
		var overflow bool
		b.run(chromedp.Evaluate(`document.documentElement.scrollWidth > document.documentElement.clientWidth`, &overflow))
		if overflow {
			b.t.Errorf("%s in %s must be scrolled sideways", name, l.name)
		}
	}
	b.run(emulation.ClearDeviceMetricsOverride())
}

func (b *browser) keep(name string, shot []byte) {
	b.t.Helper()
	folder := filepath.Join(testenv.Root(), "bin", "screenshots")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, name), shot, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *browser) accessible(name string) {
	b.t.Helper()
	var result struct {
		Violations []struct {
			ID, Help string
			Nodes    []struct{ HTML, FailureSummary string }
		}
		Passes int
	}
	b.run(
		chromedp.Evaluate(axe+";0", nil),
		chromedp.Evaluate(`axe.run(document, {resultTypes: ["violations"]}).then(r => ({violations: r.violations, passes: r.passes.length}))`, &result,
			func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }),
	)
	if result.Passes < 10 {
		b.t.Errorf("%s: axe has looked at %d rules only", name, result.Passes)
	}
	for _, v := range result.Violations {
		b.t.Errorf("%s: %s: %s: %+v", name, v.ID, v.Help, v.Nodes)
	}
}

const (
	approveButton = `button[value=approve]`
	denyButton    = `button[value=deny]`
)

func newBrowserWorld(t *testing.T) (*world, *browser) {
	t.Helper()
	w := newWorld(t)
	b := newBrowser(t, w)
	w.apps[clientID].Spec.RedirectURIs = []string{b.app + "/callback?tenant=a%20b"}
	return w, b
}

func TestABrowserSignsInReadsUnticksAndApproves(t *testing.T) {
	w, b := newBrowserWorld(t)
	b.run(chromedp.Navigate(b.asking("scope", "read write approve")), chromedp.WaitVisible("#key", chromedp.ByQuery))
	b.look("sign-in")
	b.run(chromedp.SendKeys("#key", "pr_ak_wrong\r", chromedp.ByQuery), chromedp.WaitVisible("#problem", chromedp.ByQuery))
	b.look("sign-in-failed")
	b.signIn(b.asking("scope", "read write approve"), w.key.Reveal())
	var heading string
	b.run(chromedp.Text("h1", &heading, chromedp.ByQuery))
	if !strings.Contains(heading, "Newsletter Studio") {
		t.Errorf("the heading is %q", heading)
	}
	b.look("consent")
	b.sealedCookie()

	b.run(chromedp.Click(`input[value=read]`, chromedp.ByQuery), chromedp.Click(`input[value=write]`, chromedp.ByQuery),
		chromedp.Click(`input[value=approve]`, chromedp.ByQuery), chromedp.Click(`input[value=some]`, chromedp.ByQuery))
	b.look("consent-workspaces")
	b.run(chromedp.Click(approveButton, chromedp.ByQuery), chromedp.WaitVisible("#problem", chromedp.ByQuery))
	b.look("consent-nothing-ticked")

	b.run(chromedp.Navigate(b.asking("scope", "read write approve")), chromedp.WaitVisible(approveButton, chromedp.ByQuery),
		chromedp.Click(`input[value=write]`, chromedp.ByQuery), chromedp.Click(`input[value=approve]`, chromedp.ByQuery),
		chromedp.Click(`input[value=some]`, chromedp.ByQuery), chromedp.Click(`input[value=acme-shop]`, chromedp.ByQuery),
		chromedp.Click(approveButton, chromedp.ByQuery))
	got := b.arrived()
	if got.Get("code") != "pr_ac_code" || got.Get("state") != "s t&a=te%" || got.Get("tenant") != "a b" {
		t.Errorf("arrived with %v", got)
	}
	granted := w.granted()
	if len(granted) != 1 || fmt.Sprint(granted[0].Scopes, granted[0].Workspaces) != "[Read] [acme-blog]" {
		t.Fatalf("granted %+v", granted)
	}

	// Back, and once more: the form works again, and gives a consent of its own.
	b.run(chromedp.Evaluate(`history.back()`, nil))
	b.until(`document.querySelector("button[value=approve]") !== null`)
	b.run(chromedp.Evaluate(`document.querySelector("button[value=approve]").click()`, nil))
	b.until(`document.querySelector("#arrived") !== null`)
	var again string
	b.run(chromedp.Evaluate(`location.href`, &again))
	if got := again; !strings.Contains(got, "code=") || len(w.granted()) != 2 {
		t.Errorf("arrived at %s, granted %d", got, len(w.granted()))
	}
}

// until waits until a condition holds in the page, whichever page that is: one that comes out of the history is not
// announced as others are.
func (b *browser) until(condition string) {
	b.t.Helper()
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		tick := time.NewTicker(50 * time.Millisecond)
		defer tick.Stop()
		for {
			var holds bool
			// Between two pages there is nothing to ask.
			if err := chromedp.Evaluate(condition, &holds).Do(ctx); err == nil && holds {
				return nil
			}
			select {
			case <-ctx.Done():
				return fmt.Errorf("%s does not come true: %w", condition, ctx.Err())
			case <-tick.C:
			}
		}
	}))
}

// sealedCookie proves that the browser has taken the session's cookie, on a loopback address too.
func (b *browser) sealedCookie() {
	b.t.Helper()
	var cookies []*network.Cookie
	b.run(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		cookies, err = network.GetCookies().Do(ctx)
		return err
	}))
	if len(cookies) != 1 || cookies[0].Name != "__Host-pressroom-session" || !cookies[0].Secure || !cookies[0].HTTPOnly ||
		cookies[0].SameSite != network.CookieSameSiteLax {
		b.t.Errorf("the cookies are %+v", cookies)
	}
}

func TestABrowserRefuses(t *testing.T) {
	w, b := newBrowserWorld(t)
	b.signIn(b.asking(), w.key.Reveal())
	b.run(chromedp.Click(denyButton, chromedp.ByQuery))
	if got := b.arrived(); got.Get("error") != "access_denied" || got.Get("state") != "s t&a=te%" || got.Has("code") || len(w.granted()) != 0 {
		t.Errorf("arrived with %v, granted %v", got, w.granted())
	}
}

func TestAPersonWithoutAMouseGetsThrough(t *testing.T) {
	w, b := newBrowserWorld(t)
	b.signIn(b.asking(), w.key.Reveal())
	// Tab goes through everything in the order of the page; blanks untick, Enter sends.
	press := func(key string) { b.t.Helper(); b.run(chromedp.KeyEvent(key)) }
	focused := func() string {
		var value string
		b.run(chromedp.Evaluate(`document.activeElement.value || document.activeElement.tagName`, &value))
		return value
	}
	for i := 0; focused() != "approve" && i < 20; i++ {
		press("\t")
		if focused() == "write" {
			press(" ")
		}
	}
	b.keepFocus("consent-focus.png")
	press("\r")
	if got := b.arrived(); !got.Has("code") {
		t.Errorf("arrived with %v", got)
	}
	if granted := w.granted(); len(granted) != 1 || fmt.Sprint(granted[0].Scopes) != "[Read]" {
		t.Errorf("granted %+v", granted)
	}
}

func (b *browser) keepFocus(name string) {
	b.t.Helper()
	var shot []byte
	b.run(chromedp.FullScreenshot(&shot, 100))
	b.keep(name, shot)
}

func TestTheConsentPageIsInNoFrame(t *testing.T) {
	w, b := newBrowserWorld(t)
	b.signIn(b.asking(), w.key.Reveal())
	var tree *page.FrameTree
	b.run(chromedp.Navigate(b.app+"/frame?of="+url.QueryEscape(b.asking())), chromedp.ActionFunc(func(ctx context.Context) (err error) {
		tree, err = page.GetFrameTree().Do(ctx)
		return err
	}))
	if len(tree.ChildFrames) != 1 {
		t.Fatalf("there are %d frames", len(tree.ChildFrames))
	}
	if frame := tree.ChildFrames[0].Frame; !strings.HasPrefix(frame.URL, "chrome-error:") {
		t.Errorf("the frame shows %s", frame.URL)
	}
}

func TestABrowserTakesAccessBack(t *testing.T) {
	w, b := newBrowserWorld(t)
	w.grants = append(w.grants, grantOf("one", "acme", "api-key:"+w.key.ID), grantOf("two", "acme", "api-key:"+w.key.ID))
	b.signIn(b.pages+"/oauth/apps", w.key.Reveal())
	b.look("apps")
	b.run(chromedp.Click(".danger", chromedp.ByQuery), chromedp.WaitVisible("li:only-child", chromedp.ByQuery))
	if got, err := w.List(t.Context(), "acme", "api-key:"+w.key.ID); err != nil || len(got) != 1 {
		t.Errorf("there are %d left, %v", len(got), err)
	}
	b.run(chromedp.Click(".danger", chromedp.ByQuery), chromedp.WaitNotPresent(".apps", chromedp.ByQuery))
	b.look("apps-none")
	b.run(chromedp.Navigate(b.pages + asking("client_id", "pr_ci_unknown")))
	b.look("refusal")
}
