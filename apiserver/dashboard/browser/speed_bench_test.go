//go:build e2e

package browser_test

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

const (
	// loads is how often a page is loaded.
	loads = 10
	// keystrokes is how many keys are pressed in a text of benchText bytes.
	keystrokes = 40
	benchText  = 60 << 10
)

// describeSpeed measures how soon a page shows its largest element (LCP, with nothing in the browser's cache), and the longest task while
// somebody types in a long text; a task that is not longer than 50 ms counts as 0.
func describeSpeed() {
	Describe("Pages", Label(labelBench), Ordered, func() {
		It("are there soon, and typing is not delayed", func() {
			t := facades.NewTenant("Acme Outdoors")
			uid := t.InReview("trail shoes")
			for n := range 49 {
				body := map[string]any{"site_uid": t.SiteUID, "title": fmt.Sprintf("Trail shoes %d", n), "content_markdown": "A text."}
				Expect(t.Ask(http.MethodPost, "/v1/api/blogs", body).Status).To(Equal(http.StatusCreated))
			}
			w := signedIn(t, t.In("articles")+"?status=all", "#a-"+uid)
			w.Run(network.Enable(), network.SetCacheDisabled(true))
			pages := map[string]string{"list": t.In("articles") + "?status=all", "article": t.In("articles", uid)}
			for name, path := range pages {
				report(w.paints(path), "lcp-"+name, map[int]string{50: "p50", 100: "max"})
			}
			const kilobit = 1000.0 / 8
			w.Run(emulation.SetCPUThrottlingRate(4), network.EmulateNetworkConditions(false, 150, 1600*kilobit, 750*kilobit))
			for name, path := range pages {
				report(w.paints(path), "lcp-slow-"+name, map[int]string{50: "p50", 100: "max"})
			}
			w.Run(emulation.SetCPUThrottlingRate(1), network.EmulateNetworkConditions(false, 0, -1, -1))

			long := t.Written("Huts", strings.Repeat("Open from May to October, and **never** full.\n\n", benchText/47))
			w.goTo(t.In("articles", long, "edit"), "#markdown")
			tasks, inputs := w.types(keystrokes)
			report(tasks, "task-typing", map[int]string{100: "max"})
			report(inputs, "input-typing", map[int]string{50: "p50", 100: "max"})
		})
	})
}

// paints loads a page a few times, and returns when its largest element was painted, in milliseconds since the navigation.
func (w *window) paints(path string) []float64 {
	GinkgoHelper()
	times := make([]float64, loads)
	for i := range times {
		w.goTo(path, "main")
		w.untilLoaded()
		w.Await(`new Promise(done => new PerformanceObserver(list => done(list.getEntries().at(-1).startTime)).`+
			`observe({type: "largest-contentful-paint", buffered: true}))`, &times[i])
	}
	return times
}

// types types into the text of the editor until its preview has followed, and returns how long tasks and inputs took.
func (w *window) types(keys int) (tasks, inputs []float64) {
	GinkgoHelper()
	w.Until(`document.readyState === "complete" && document.querySelector("iframe").name === "preview"`)
	w.Evaluate(`window.tasks = [0]; window.inputs = [0]; `+
		`for (const [type, into] of [["longtask", tasks], ["event", inputs]]) `+
		`new PerformanceObserver(list => { for (const e of list.getEntries()) into.push(e.duration) }).observe({type, durationThreshold: 16}); `+
		`markdown.focus(); 0`, nil)
	for n := range keys {
		w.Run(chromedp.KeyEvent("a"))
		if n%10 == 9 {
			w.watched()
			w.Run(chromedp.KeyEvent("b"))
			w.previewed()
		}
	}
	w.Evaluate("window.tasks", &tasks)
	w.Evaluate("window.inputs", &inputs)
	return tasks, inputs
}
