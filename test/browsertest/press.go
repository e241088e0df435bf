package browsertest

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
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

// Press presses a key of the keyboard once the scripts of the page have run, a while after the one before, and waits as Click does.
func (w *Window) Press(key, then string) {
	GinkgoHelper()
	w.Until(`document.readyState === "complete"`)
	w.typed = later(w.typed, time.Now())
	w.act(w.keys(key, 2*time.Second), then)
}

// Type types a text as fast as people type, as the page sees it: however long it takes.
func (w *Window) Type(text string) {
	GinkgoHelper()
	for _, key := range text {
		w.Run(w.keys(string(key), 80*time.Millisecond))
	}
}

// keyEvent is a key press or release at a time, in seconds since the epoch. The time of the library has whole seconds.
type keyEvent struct {
	*input.DispatchKeyEventParams

	Timestamp float64 `json:"timestamp"`
}

// keys are key presses with a time between them that the page sees, and that nobody waits for.
func (w *Window) keys(text string, between time.Duration) chromedp.Action {
	return chromedp.ActionFunc(func(ctx context.Context) error {
		for _, key := range text {
			w.typed = w.typed.Add(between)
			events := kb.Encode(key)
			down, up := events[0], events[len(events)-1]
			if len(events) > 2 {
				// The browser makes the character of the key itself, unless the page prevents it.
				down.Text, down.UnmodifiedText = events[1].Text, events[1].UnmodifiedText
			}
			for _, params := range []*input.DispatchKeyEventParams{down, up} {
				event := keyEvent{params, float64(w.typed.UnixMicro()) / 1e6}
				if err := cdp.Execute(ctx, input.CommandDispatchKeyEvent, event, nil); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

func later(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// Asks does what leads to another page, and sees that the browser asks before it leaves this one. Somebody says that it may.
func (w *Window) Asks(how chromedp.Action, then string) {
	GinkgoHelper()
	asked := w.Agree()
	w.Leave(how, then)
	Expect(asked()).To(BeNumerically(">", 0), "the browser does not ask before the page is left")
}

// Agree has somebody agree whenever the browser asks before it leaves a page. It returns a function that says how often that was.
func (w *Window) Agree() func() int32 {
	var asked atomic.Int32
	chromedp.ListenTarget(w.ctx, func(event any) {
		if opening, ok := event.(*page.EventJavascriptDialogOpening); ok && opening.Type == page.DialogTypeBeforeunload {
			asked.Add(1)
			// Another one may have agreed.
			go func() { _ = chromedp.Run(w.ctx, page.HandleJavaScriptDialog(true)) }()
		}
	})
	return asked.Load
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
