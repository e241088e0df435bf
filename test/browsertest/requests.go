package browsertest

import (
	"net/http"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
)

// Requests returns a function that returns the addresses that the window has asked for since. The browser keeps nothing of what it has
// loaded from now on, so each page loads everything, as for the first time.
func (w *Window) Requests() func() []string {
	GinkgoHelper()
	var mu sync.Mutex
	var sent []string
	chromedp.ListenTarget(w.ctx, func(event any) {
		asked, ok := event.(*network.EventRequestWillBeSent)
		// An address that holds its own data is no request.
		if ok && !strings.HasPrefix(asked.Request.URL, "data:") {
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, asked.Request.URL)
		}
	})
	w.Run(network.Enable(), network.SetCacheDisabled(true))
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), sent...)
	}
}

// Writes returns a function that returns the addresses that the window has sent forms to since.
func (w *Window) Writes() func() []string {
	GinkgoHelper()
	var mu sync.Mutex
	var sent []string
	chromedp.ListenTarget(w.ctx, func(event any) {
		if asked, ok := event.(*network.EventRequestWillBeSent); ok && asked.Request.Method != http.MethodGet {
			mu.Lock()
			defer mu.Unlock()
			sent = append(sent, asked.Request.URL)
		}
	})
	w.Run(network.Enable())
	return func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), sent...)
	}
}

// Await runs a script in the page, and decodes what the promise that it returns is resolved with.
func (w *Window) Await(script string, into any) {
	GinkgoHelper()
	w.Run(chromedp.Evaluate(script, into, func(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }))
}
