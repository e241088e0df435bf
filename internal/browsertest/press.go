package browsertest

import (
	"context"
	"fmt"
	"time"

	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Click presses what a mouse is over. It waits until something is there to see on the page that this leads to; then is empty
// if it leads to none.
func (w *Window) Click(selector, then string) {
	GinkgoHelper()
	w.settled(selector)
	w.act(chromedp.Click(selector, chromedp.ByQuery), then)
}

// settled waits until the page has loaded and an element stays where it is: the mouse is pressed where the element was found.
func (w *Window) settled(selector string) {
	GinkgoHelper()
	const place = `(e => e === null || document.readyState !== "complete" ? "" : JSON.stringify(e.getBoundingClientRect()))` +
		`(document.querySelector(%q))`
	before := ""
	Eventually(func() bool {
		var now string
		step, cancel := context.WithTimeout(w.ctx, stepTimeout)
		defer cancel()
		err := chromedp.Run(step, chromedp.Evaluate(fmt.Sprintf(place, selector), &now))
		stays := err == nil && now != "" && now == before
		before = now
		return stays
	}).WithPolling(50*time.Millisecond).Should(BeTrue(), func() string { return selector + " does not stay where it is at " + w.Address() })
}

// Press presses a key of the keyboard once the scripts of the page have run, and waits as Click does.
func (w *Window) Press(key, then string) {
	GinkgoHelper()
	w.Until(`document.readyState === "complete"`)
	w.act(chromedp.KeyEvent(key), then)
}

func (w *Window) act(how chromedp.Action, then string) {
	GinkgoHelper()
	if then == "" {
		w.Run(how)
		return
	}
	w.Leave(how, then)
}

// Back presses the browser's own button. The script ends before the page is left: the browser drops the result of one whose page has gone.
func (w *Window) Back(then string) {
	GinkgoHelper()
	w.Leave(chromedp.Evaluate(`setTimeout(() => history.back()); 0`, nil), then)
}
