package browsertest

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// noteSteps has each page note the clicks of a mouse (c), the characters that are typed into a field (t) and all other keys (k).
const noteSteps = `for (const type of ["mousedown", "keydown"]) addEventListener(type, e => {
	if (!e.isTrusted || /^(Control|Shift|Alt|Meta)$/.test(e.key)) return;
	const field = e.target.matches("textarea, input:not([type=checkbox], [type=radio]), [contenteditable]");
	const typed = type === "keydown" && e.key.length === 1 && !e.ctrlKey && field;
	sessionStorage.steps = (sessionStorage.steps ?? "") + (type === "mousedown" ? "c" : typed ? "t" : "k");
}, true); 0`

// CountSteps has the browser count what is done in the window from now on.
func (w *Window) CountSteps() {
	GinkgoHelper()
	w.Run(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(noteSteps).WithRunImmediately(true).Do(ctx)
		return err
	}))
}

var aText = regexp.MustCompile(`t+`)

// Steps returns what was done in the window since it counts, such as "2 clicks, 1 text, 1 key", and starts again from nothing. What is
// typed at once is one text.
func (w *Window) Steps() string {
	GinkgoHelper()
	var noted string
	w.Evaluate(`(steps => { sessionStorage.steps = ""; return steps })(sessionStorage.steps ?? "")`, &noted)
	noted = aText.ReplaceAllString(noted, "t")
	var steps []string
	for _, kind := range []string{"click", "text", "key"} {
		switch n := strings.Count(noted, kind[:1]); n {
		case 0:
		case 1:
			steps = append(steps, "1 "+kind)
		default:
			steps = append(steps, fmt.Sprintf("%d %ss", n, kind))
		}
	}
	return strings.Join(steps, ", ")
}

// Choose chooses from a list, which is two clicks: the browser shows the list outside of the page, where a test clicks nothing.
func (w *Window) Choose(selector, value string) {
	GinkgoHelper()
	w.settled(selector)
	var chosen string
	w.Evaluate(fmt.Sprintf(`(list => { list.value = %q; list.dispatchEvent(new Event("change", {bubbles: true}));
		sessionStorage.steps += "cc"; return list.value })(document.querySelector(%q))`, value, selector), &chosen)
	Expect(chosen).To(Equal(value))
}
